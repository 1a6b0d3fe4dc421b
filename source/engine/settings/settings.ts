/**
 * The user's settings on this machine, for every session: endpoints, and the folders of data sets. Stored by `conf`.
 * A key is never stored, only the name of the environment variable that holds it.
 */
import { existsSync, realpathSync, renameSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { EndpointTable } from "./endpoint-table.ts";
import { stampOf } from "../work/file-stamp.ts";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile, whyUnwritten } from "../files/replace-file.ts";
import type { Price } from "../types.ts";
import type { ToolServer, UserProgram } from "./user-program.ts";

export const apis = ["chat", "responses", "messages", "auto"] as const;

/** A server that speaks one of the protocols: chat completions, Responses or Messages. */
export type Endpoint = {
  readonly name: string;
  readonly baseUrl: string;
  /** The protocol it is asked by; chat completions where absent. `auto` asks by Responses where the server wants that. */
  readonly api?: (typeof apis)[number];
  /** Name of the environment variable that holds the key; absent for servers that need none. */
  readonly keyEnv?: string;
  /** Per million tokens, by model id; `*` stands for every other model. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** Headers sent with every request: the environment variable that holds the value, by the header's name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the address of every request, such as `api-version`. */
  readonly query?: Readonly<Record<string, string>>;
  /** Fields of a request this server takes not, by the protocol's names: they are never sent. */
  readonly refuses?: readonly string[];
  /** Most requests in flight. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  /** Seconds without a byte from the server after which a request is cut and tried again. */
  readonly idleTimeout: number;
  /** Seconds it is waited for when it answered before and no longer does; 15 minutes where absent. */
  readonly outageTimeout?: number;
  /** True where requests carry the task they are about (`planwright serve-builtin` needs it). */
  readonly identify: boolean;
  /** Model ids offered in lists. */
  readonly models?: readonly string[];
};

export type Settings = {
  /** Where their JSON schema lies, for editors: `planwright schema settings`. */
  readonly $schema?: string;
  readonly endpoints: readonly Endpoint[];
  /** Folder of each suite's published data, by suite name. */
  readonly data: Readonly<Record<string, string>>;
  /** Folders of tasks of the user's own in the layout of a suite, by the suite's name and theirs. */
  readonly ownData?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Links out of session folders that the user has agreed to: where each leads, by its path. */
  readonly links?: Readonly<Record<string, string>>;
  /** Files of the user's own code that every command is to load, as by `--with`; relative to the settings. */
  readonly with?: readonly string[];
  /** What the last test of each endpoint found out, by its name. */
  readonly tested?: Readonly<Record<string, EndpointTable>>;
  readonly toolServers?: readonly ToolServer[];
  readonly agents?: readonly UserProgram[];
  /** What the sessions of a folder may start or ask, by its path: identities of tool servers and agents, addresses of workers. */
  readonly allowed?: Readonly<Record<string, readonly string[]>>;
  readonly workers?: WorkersSetting;
  /** Addresses of a Redis that may be sent the password unencrypted. */
  readonly unencrypted?: readonly string[];
  /** True: notebooks take the mouse, as by `--mouse`. */
  readonly mouse?: boolean;
};

/** Where workers meet that may execute runs instead of this program. */
type WorkersSetting = {
  /** Of their Redis; user and password come from the environment. */
  readonly url: string;
  /** False where the address is only kept, and this program executes. */
  readonly use: boolean;
};

export type SettingsStore = {
  readonly path: string;
  /** What was wrong with the file when it was opened, and where it was moved; undefined when nothing was wrong. */
  readonly problem: string | undefined;
  /** Why the file as it is now does not count, while it is watched: what it said before holds. Undefined where it counts. */
  readonly trouble: string | undefined;
  read(): Settings;
  /**
   * Writes at once, also where the file is gone. Throws `SettingsProblem` naming the field where the new settings are not valid, or
   * why the file cannot be read; nothing is written then.
   */
  change(update: (settings: Settings) => Settings): void;
  /** Calls `changed` when another program has written them or `trouble` is another one, within about a second. Returns how to end that. */
  watch(changed: () => void): () => void;
};

/** An invalid setting; the message is for the user. */
export class SettingsProblem extends Error {
  override readonly name = "SettingsProblem";
}

export const emptySettings: Settings = { endpoints: [], data: {} };

/**
 * Opens the user's settings, in the folder PLANWRIGHT_CONFIG_DIR where that is set. A file that cannot be read as settings is
 * renamed to `settings.json.unreadable-N`, never overwritten, and reported in `problem`; so is a folder that cannot be used.
 */
export async function openSettings(folder = process.env["PLANWRIGHT_CONFIG_DIR"]): Promise<SettingsStore> {
  try {
    return new SettingsInFile(await openFile(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return unavailableSettings((error as Error).message);
  }
}

class SettingsInFile implements SettingsStore {
  readonly path: string;
  readonly problem: string | undefined;
  trouble: string | undefined;
  readonly #file: SettingsFile;
  #settings = emptySettings;
  /** From before it is read: whatever is written from now on is noticed. */
  readonly #opened: string | undefined;

  constructor(file: SettingsFile) {
    this.#file = file;
    this.path = file.path;
    this.#opened = stampOf(file.path);
    try {
      this.#settings = file.load();
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      const aside = setAside(file.path);
      this.problem = `The settings in ${file.path} cannot be used (${error.message}). They were moved to ${aside}; Planwright continues without them`;
    }
  }

  readonly read = (): Settings => this.#settings;

  readonly change: SettingsStore["change"] = (update) => {
    this.#settings = withKnownEndpoints(this.#file.save(update(this.#current())), this.#settings);
  };

  readonly watch: SettingsStore["watch"] = (changed) => {
    // Polled: the file need not be there yet, and is replaced as a whole when it is written.
    let seen = this.#opened;
    const timer = setInterval(() => {
      const now = stampOf(this.path);
      // If there is none, it may have been made and taken away since the last look.
      if (now === seen && (now !== undefined || this.trouble !== undefined)) return;
      seen = now;
      if (this.#lookAgain(now === undefined)) changed();
    }, 1000);
    timer.unref();
    return () => clearInterval(timer);
  };

  /** Another Planwright may have written since. If the file is gone, what it contained is the last there is. */
  #current(): Settings {
    return stampOf(this.path) === undefined ? this.#settings : withKnownEndpoints(this.#file.load(), this.#settings);
  }

  /** Reads the file again. Returns whether settings or trouble are others now. */
  #lookAgain(isGone: boolean): boolean {
    const [settings, trouble] = [this.#settings, this.trouble];
    const name = basename(this.path);
    this.trouble = isGone && !isDeepStrictEqual(settings, emptySettings) ? `${name} is gone` : undefined;
    try {
      const now = this.#current();
      if (!isDeepStrictEqual(now, settings)) this.#settings = now;
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      // Somebody may be in the middle of writing it by hand: what was valid holds until it is again.
      this.trouble = `${name} cannot be used (${error.message})`;
    }
    return this.#settings !== settings || this.trouble !== trouble;
  }
}

/** An endpoint that is as it was stays the same object: its connection and its limits hold on. */
function withKnownEndpoints(settings: Settings, before: Settings): Settings {
  const endpoints = settings.endpoints.map(
    (endpoint) => before.endpoints.find((each) => isDeepStrictEqual(each, endpoint)) ?? endpoint,
  );
  return { ...settings, endpoints };
}

type SettingsFile = {
  readonly path: string;
  /** Throws `SettingsProblem`. */
  load(): Settings;
  /** Gives what was written, with defaults filled in. Throws `SettingsProblem`. */
  save(settings: Settings): Settings;
};

async function openFile(folder: string | undefined): Promise<SettingsFile> {
  const [{ default: Conf }, { checkSettings }] = await Promise.all([import("conf"), import("./settings-check.ts")]);
  // The parsed file: `conf` itself takes anything but an object for an empty store.
  let held: unknown = {};
  // `conf` makes it too, but never returns where no folder can be made.
  if (folder !== undefined && folder !== "") makeFolder(resolve(folder));
  const conf = new Conf<Record<string, unknown>>({
    projectName: "planwright",
    projectSuffix: "",
    configName: "settings",
    ...(folder === undefined || folder === "" ? {} : { cwd: folder }),
    deserialize(text) {
      try {
        held = JSON.parse(text);
      } catch (error) {
        // The rest of the message quotes the file, and may quote a key.
        const place = /line \d+ column \d+/.exec((error as Error).message)?.[0];
        held = new SettingsProblem(`Expected JSON${place === undefined ? "" : `, which ends at ${place}`}`);
      }
      return held as Record<string, unknown>;
    },
  });
  return {
    path: conf.path,
    load() {
      held = {};
      try {
        void conf.store;
      } catch (error) {
        // It was there when it was opened: a folder may be in its place now, or it may be read no more.
        throw new SettingsProblem(whyUnwritten(error as NodeJS.ErrnoException));
      }
      if (held instanceof SettingsProblem) throw held;
      return checkSettings(held);
    },
    save(settings) {
      const checked = checkSettings(settings);
      write(conf.path, checked);
      return checked;
    },
  };
}

/** The user's own settings may be a link into a folder of such files: what it leads to is replaced, and the link stays. */
function write(path: string, settings: Settings): void {
  makeFolder(dirname(path));
  const file = existsSync(path) ? realpathSync(path) : path;
  replaceFile(file, `${JSON.stringify(settings, null, "\t")}\n`, { mode: 0o600 });
}

/** Used where the folder cannot be read or made. */
function unavailableSettings(reason: string): SettingsStore {
  return {
    path: "",
    problem: `Settings can be neither read nor kept (${reason}); Planwright continues without them`,
    trouble: undefined,
    read: () => emptySettings,
    change() {
      throw new SettingsProblem(`Settings cannot be kept: ${reason}`);
    },
    watch: () => () => {},
  };
}

function setAside(path: string): string {
  let number = 1;
  while (existsSync(`${path}.unreadable-${number}`)) number++;
  const aside = `${path}.unreadable-${number}`;
  renameSync(path, aside);
  return aside;
}

/** What the user has allowed the sessions of one folder, kept in the settings: nothing in the folder itself can say it. */
export class FolderConsent {
  readonly #folder: string;
  readonly #settings: SettingsStore;

  constructor(folder: string, settings: SettingsStore) {
    this.#folder = existsSync(folder) ? realpathSync(folder) : folder;
    this.#settings = settings;
  }

  /** Identities of tool servers and agents, and addresses of the Redis of workers. */
  given(): readonly string[] {
    const { allowed = {} } = this.#settings.read();
    return Object.hasOwn(allowed, this.#folder) ? allowed[this.#folder]! : [];
  }

  /** Throws `SettingsProblem` if the settings cannot be written. */
  add(added: readonly string[]): void {
    this.#settings.change((settings) => {
      const before = settings.allowed?.[this.#folder] ?? [];
      const allowed = { ...settings.allowed, [this.#folder]: [...new Set([...before, ...added])] };
      return { ...settings, allowed };
    });
  }
}
