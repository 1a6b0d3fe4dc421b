/**
 * What holds for a person on this machine, whatever the session: endpoints, and where data sets were put. Kept by `conf`.
 * A key is never kept, only the name of the environment variable that holds it.
 */
import { existsSync, renameSync } from "node:fs";

export type Price = { readonly input: number; readonly output: number };

/** A server that speaks the chat completions protocol. */
export type Endpoint = {
  readonly name: string;
  readonly baseUrl: string;
  /** Name of the environment variable that holds the key; absent for servers that want none. */
  readonly keyEnv?: string;
  /** Per million tokens, by model id; `*` stands for every other model. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** Most requests in flight. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  /** Seconds without a word after which a request is cut and tried again. */
  readonly silence: number;
  /** True where the server is told which task is asked about (`planwright serve-builtin` needs it). */
  readonly identify: boolean;
  /** Model ids offered in lists. */
  readonly models?: readonly string[];
};

export type Settings = {
  readonly endpoints: readonly Endpoint[];
  /** Folder of each suite's published data, by suite name. */
  readonly data: Readonly<Record<string, string>>;
};

export type SettingsStore = {
  readonly path: string;
  /** What was wrong with the file when it was opened, and where it is kept now; undefined when nothing was. */
  readonly problem: string | undefined;
  read(): Settings;
  /** Writes at once. Throws `SettingsProblem` naming the field where the new settings are not valid; nothing is written then. */
  change(update: (settings: Settings) => Settings): void;
};

/** A setting that is not what it should be, in words for the person who set it. */
export class SettingsProblem extends Error {
  override readonly name = "SettingsProblem";
}

export const emptySettings: Settings = { endpoints: [], data: {} };

/**
 * Opens the settings of this user, in the folder PLANWRIGHT_CONFIG_DIR where that is set. A file that cannot be read as
 * settings is renamed to `settings.json.unreadable-N`, never overwritten, and told of in `problem`.
 */
export async function openSettings(folder = process.env["PLANWRIGHT_CONFIG_DIR"]): Promise<SettingsStore> {
  const [{ default: Conf }, { checkSettings }] = await Promise.all([import("conf"), import("./settings-check.ts")]);
  // What the file holds, for `conf` itself takes anything that is not an object for an empty store.
  let held: unknown = {};
  const conf = new Conf<Record<string, unknown>>({
    projectName: "planwright",
    projectSuffix: "",
    configName: "settings",
    configFileMode: 0o600,
    ...(folder === undefined || folder === "" ? {} : { cwd: folder }),
    deserialize(text) {
      try {
        held = JSON.parse(text);
      } catch (error) {
        held = new SettingsProblem(`Expected JSON: ${(error as Error).message}`);
      }
      return held as Record<string, unknown>;
    },
  });
  const path = conf.path;
  const load = () => {
    held = {};
    void conf.store;
    if (held instanceof SettingsProblem) throw held;
    return checkSettings(held);
  };
  let problem: string | undefined;
  let settings = emptySettings;
  try {
    settings = load();
  } catch (error) {
    if (!existsSync(path)) throw error;
    const aside = setAside(path);
    problem = `The settings in ${path} cannot be used (${(error as Error).message}). They are kept in ${aside}; Planwright goes on without`;
  }
  return {
    path,
    problem,
    read: () => settings,
    change(update) {
      // Another Planwright may have written since; what it wrote is the base of this change.
      const next = checkSettings(update(load()));
      conf.store = { ...next };
      settings = next;
    },
  };
}

function setAside(path: string): string {
  let number = 1;
  while (existsSync(`${path}.unreadable-${number}`)) number++;
  const aside = `${path}.unreadable-${number}`;
  renameSync(path, aside);
  return aside;
}
