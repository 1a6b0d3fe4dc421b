/**
 * The user's settings on this machine, for every session: endpoints, and the folders of data sets. Stored by `conf`. A key is
 * never stored, only the name of the environment variable that contains it.
 */
import { existsSync, realpathSync, renameSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { EndpointTable } from "./endpoint-table.ts";
import { formats, newerFormat } from "./format.ts";
import { stampOf } from "../work/file-stamp.ts";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile, whyUnwritten } from "../files/replace-file.ts";
import type { Price } from "../types.ts";
import type { ToolServer, UserProcess, UserProgram } from "./user-program.ts";

/** The protocols of terminals that show pictures. */
export const pictureSettings = ["off", "kitty", "iterm"] as const;

export const apis = ["chat", "responses", "messages", "auto"] as const;

/** A server that supports one of the protocols: chat completions, Responses or Messages. */
export type Endpoint = {
  readonly name: string;
  readonly baseUrl: string;
  /** The protocol of the requests; chat completions if absent. `auto` uses Responses if the server requires it. */
  readonly api?: (typeof apis)[number];
  /** Name of the environment variable that holds the key; absent for servers that need none. */
  readonly keyEnv?: string;
  /** Per million tokens, by model id; `*` means every other model. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** Headers sent with every request: the environment variable that holds the value, by the header's name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the address of every request, such as `api-version`. */
  readonly query?: Readonly<Record<string, string>>;
  /** Fields of a request that this server does not accept, by the protocol's names; they are never sent. */
  readonly refuses?: readonly string[];
  /** Most requests in flight. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  /** Seconds without a byte from the server after which a request is cut and tried again. */
  readonly idleTimeout: number;
  /** Seconds to wait for a server that has stopped answering; 15 minutes if absent. */
  readonly outageTimeout?: number;
  /** True if requests contain their task (`planwright serve-builtin` needs it). */
  readonly identify: boolean;
  /** Model ids offered in lists. */
  readonly models?: readonly string[];
};

export type Settings = {
  /** The format of the file; absent: 1. */
  readonly format?: number;
  /** Location of the JSON schema, for editors: `planwright schema settings`. */
  readonly $schema?: string;
  readonly endpoints: readonly Endpoint[];
  /** Folder of each suite's published data, by suite name. */
  readonly data: Readonly<Record<string, string>>;
  /** Folders of the user's tasks in the layout of a suite, by the suite's name and theirs. */
  readonly ownData?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Targets by path of the links out of session folders that the user has agreed to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Files of the user's code that every command loads, as by `--with`; relative to the settings. */
  readonly with?: readonly string[];
  /** Results of the last test of each endpoint, by its name. */
  readonly tested?: Readonly<Record<string, EndpointTable>>;
  readonly toolServers?: readonly ToolServer[];
  readonly agents?: readonly UserProgram[];
  readonly processes?: readonly UserProcess[];
  /**
   * Programs and addresses that the sessions of a folder may use, by the folder's path: identities of tool servers, agents and
   * processes, addresses of workers.
   */
  readonly allowed?: Readonly<Record<string, readonly string[]>>;
  readonly workers?: WorkersSetting;
  /** Addresses of a Redis that may be sent the password unencrypted. */
  readonly unencrypted?: readonly string[];
  /** True if notebooks use the mouse, as by `--mouse`. */
  readonly mouse?: boolean;
  /** How the terminal shows figures as pictures; `off` if absent. */
  readonly pictures?: (typeof pictureSettings)[number];
  /** The user's name in codes; the login name if absent. */
  readonly person?: string;
};

/** The Redis of workers that may execute runs instead of this program. */
type WorkersSetting = {
  /** The address of the Redis; user and password come from environment variables. */
  readonly url: string;
  /** False if the address is only stored and this program executes tasks itself. */
  readonly use: boolean;
};

export type SettingsStore = {
  readonly path: string;
  /** The problem of the file when it was opened, and its new path; undefined without a problem. */
  readonly problem: string | undefined;
  /**
   * Why the current file is ignored while it is watched, so that the earlier settings stay in effect. Undefined if it is valid.
   */
  readonly trouble: string | undefined;
  read(): Settings;
  /**
   * Writes at once, even if the file was removed. Throws `SettingsProblem` with an invalid field, or the reason why the file
   * cannot be read; then it writes nothing.
   */
  change(update: (settings: Settings) => Settings): void;
  /**
   * Calls `changed` within about a second when another program has written the settings or `trouble` has changed. Returns a
   * function that stops watching.
   */
  watch(changed: () => void): () => void;
};

/** An invalid setting; the message is for the user. */
export class SettingsProblem extends Error {
  override readonly name: string = "SettingsProblem";
}

/** The settings were written by a later version of the program, so this version must not change them. */
class NewerSettings extends SettingsProblem {
  override readonly name = "NewerSettings";
}

export const emptySettings: Settings = { endpoints: [], data: {} };

/**
 * Opens the user's settings, in the folder PLANWRIGHT_CONFIG_DIR if that is set. A file that cannot be read as settings is
 * renamed to `settings.json.unreadable-N`, never overwritten, and reported in `problem`; so is a folder that cannot be used. Throws
 * `SettingsProblem` if a later version wrote it.
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
  /** Set before the file is read, so that every later change is detected. */
  readonly #opened: string | undefined;

  constructor(file: SettingsFile) {
    this.#file = file;
    this.path = file.path;
    this.#opened = stampOf(file.path);
    try {
      this.#settings = file.load();
    } catch (error) {
      if (!(error instanceof SettingsProblem) || error instanceof NewerSettings) throw error;
      const aside = setAside(file.path);
      this.problem = `The settings in ${file.path} cannot be used (${error.message}). They were moved to ${aside}; Planwright continues without them`;
    }
  }

  readonly read = (): Settings => this.#settings;

  readonly change: SettingsStore["change"] = (update) => {
    this.#settings = withKnownEndpoints(this.#file.save(update(this.#current())), this.#settings);
  };

  readonly watch: SettingsStore["watch"] = (changed) => {
    // Polled, because the file may not exist yet, and is replaced as a whole when it is written.
    let seen = this.#opened;
    const timer = setInterval(() => {
      const now = stampOf(this.path);
      // A missing file may have been created and removed since the last check.
      if (now === seen && (now !== undefined || this.trouble !== undefined)) return;
      seen = now;
      if (this.#lookAgain(now === undefined)) changed();
    }, 1000);
    timer.unref();
    return () => clearInterval(timer);
  };

  /**
   * Returns the current settings, because another program may have written them. If the file was removed, returns its last
   * content.
   */
  #current(): Settings {
    return stampOf(this.path) === undefined ? this.#settings : withKnownEndpoints(this.#file.load(), this.#settings);
  }

  /** Reads the file again. Returns whether settings or trouble have changed. */
  #lookAgain(isGone: boolean): boolean {
    const [settings, trouble] = [this.#settings, this.trouble];
    const name = basename(this.path);
    this.trouble = isGone && !isDeepStrictEqual(settings, emptySettings) ? `${name} was removed` : undefined;
    try {
      const now = this.#current();
      if (!isDeepStrictEqual(now, settings)) this.#settings = now;
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      // Somebody may be editing it by hand: the last valid settings remain in effect until it is valid again.
      this.trouble = `${name} cannot be used (${error.message})`;
    }
    return this.#settings !== settings || this.trouble !== trouble;
  }
}

/** An unchanged endpoint stays the same object, so that its connection and limits remain. */
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
  /** Returns the written settings, with defaults filled in. Throws `SettingsProblem`. */
  save(settings: Settings): Settings;
};

async function openFile(folder: string | undefined): Promise<SettingsFile> {
  const [{ default: Conf }, { checkSettings }] = await Promise.all([import("conf"), import("./settings-check.ts")]);
  // The parsed file: `conf` itself treats anything but an object as an empty store.
  let held: unknown = {};
  // `conf` makes it too, but never returns if no folder can be made.
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
        held = new SettingsProblem(`Expected JSON${place === undefined ? "" : `, got something else at ${place}`}`);
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
        // The file existed when it was opened: it may be a folder now, or unreadable.
        throw new SettingsProblem(whyUnwritten(error as NodeJS.ErrnoException));
      }
      if (held instanceof SettingsProblem) throw held;
      const newer = newerFormat("settings", conf.path, held);
      if (newer !== undefined) throw new NewerSettings(newer);
      return checkSettings(held);
    },
    save(settings) {
      const { $schema, format = formats.settings, ...others } = checkSettings(settings);
      const checked = { ...($schema !== undefined && { $schema }), format, ...others };
      write(conf.path, checked);
      return checked;
    },
  };
}

/** Replaces the target of a link and keeps the link, because the user's settings may be a link into another folder. */
function write(path: string, settings: Settings): void {
  makeFolder(dirname(path));
  const file = existsSync(path) ? realpathSync(path) : path;
  replaceFile(file, `${JSON.stringify(settings, null, "\t")}\n`, { mode: 0o600 });
}

/** Used if the folder cannot be read or made. */
const unavailableSettings = (reason: string): SettingsStore => ({
  path: "",
  problem: `Settings can be neither read nor saved (${reason}); Planwright continues without them`,
  trouble: undefined,
  read: () => emptySettings,
  change() {
    throw new SettingsProblem(`Settings cannot be saved: ${reason}`);
  },
  watch: () => () => {},
});

function setAside(path: string): string {
  let number = 1;
  while (existsSync(`${path}.unreadable-${number}`)) number++;
  const aside = `${path}.unreadable-${number}`;
  renameSync(path, aside);
  return aside;
}

/**
 * Permissions that the user gave to the sessions of one folder, stored in the settings because no file in the folder itself may
 * grant them.
 */
export class FolderConsent {
  readonly #folder: string;
  readonly #settings: SettingsStore;

  constructor(folder: string, settings: SettingsStore) {
    this.#folder = existsSync(folder) ? realpathSync(folder) : folder;
    this.#settings = settings;
  }

  /** Returns identities of tool servers and agents, and addresses of the Redis of workers. */
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
