/** A session on disk: `session.md`, `runs/`, `exports/`, and the lock that prevents two programs from writing at once. */
import { existsSync, readFileSync, readdirSync, rmdirSync, rmSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DataProblem } from "../text/json-lines.ts";
import type { Clock } from "../work/clock.ts";
import { Problem } from "../problem.ts";
import { FolderLock, type LockHolder } from "../files/folder-lock.ts";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile, whyUnwritten } from "../files/replace-file.ts";
import { leadsOut, linksMustStay, mustStayIn, pathInside } from "../files/inside.ts";
import type { SettingsStore } from "../settings/settings.ts";

export class SessionFolder {
  readonly path: string;
  #lock: FolderLock | undefined;
  /** True if another program has the session. */
  openElsewhere = false;

  /** `path` is the session's folder, or its `session.md`. */
  constructor(path: string) {
    const whole = resolve(path);
    this.path = basename(whole) === "session.md" ? dirname(whole) : whole;
  }

  get name(): string {
    return basename(this.path);
  }
  get document(): string {
    return join(this.path, "session.md");
  }
  get exports(): string {
    return join(this.path, "exports");
  }
  /** Throws `Problem` for an invalid name of a folder in `runs`, because ids come from documents. */
  run(id: string): string {
    if (basename(id) !== id || id === "" || id.startsWith("."))
      throw new Problem("parse", `Expected the id of a run of this session, got \`${id}\``);
    return join(this.path, "runs", id);
  }

  /** Returns ids of the runs with a folder here, sorted. */
  runs(): readonly string[] {
    const folder = join(this.path, "runs");
    return existsSync(folder) ? readdirSync(folder).toSorted() : [];
  }

  exists(): boolean {
    return existsSync(this.document);
  }

  /** Throws `DataProblem` naming the file if there is no readable session. */
  read(): string {
    if (!this.exists()) throw new DataProblem(`Expected a session at ${this.document}, found none`);
    try {
      return readFileSync(this.document, "utf8");
    } catch (error) {
      const why = whyUnwritten(error as NodeJS.ErrnoException);
      throw new DataProblem(`The session at ${this.document} cannot be read (${why})`);
    }
  }

  /** Throws `Problem` naming the file if writing fails; the old document is then intact. */
  write(text: string): void {
    this.checkInPlace();
    makeFolder(this.path);
    replaceFile(this.document, text);
  }

  /**
   * Writes a file of the notebook unless it exists. Throws `Problem` if the file cannot be written, or would be outside the
   * folder.
   */
  keepFile(file: string, text: string): void {
    this.checkInPlace();
    const path = pathInside(file, new Map([[this.path, "the folder of the notebook"]]));
    if (existsSync(path)) return;
    makeFolder(dirname(path));
    replaceFile(path, text);
  }

  /** Removes a document that is alone in its folder, with the folder; also removes the parent folder if it is then empty. */
  removeUnused(): void {
    if (!this.exists() || readdirSync(this.path).length > 1) return;
    rmSync(this.path, { recursive: true });
    const parent = dirname(this.path);
    if (readdirSync(parent).length === 0) rmdirSync(parent);
  }

  /**
   * Takes the lock; returns the reason if that fails. Takes the lock of a program that has ended. With `fromSilent`, also takes
   * it from a running program without a heartbeat for a minute; that program then stops writing.
   */
  lock(fromSilent = false): string | undefined {
    this.openElsewhere = false;
    try {
      makeFolder(this.path);
      const lock = new FolderLock(join(this.path, "session.lock"));
      const holder = lock.take(fromSilent);
      this.openElsewhere = holder !== undefined;
      if (holder !== undefined) return refusal(holder, fromSilent);
      this.#lock = lock;
      process.once("exit", this.#release);
      return undefined;
    } catch (error) {
      return `This folder cannot be written to (${(error as Error).message})`;
    }
  }

  /** Returns whether the program that holds the session is running; undefined if that cannot be determined on this machine. */
  isHeld(): boolean | undefined {
    return new FolderLock(join(this.path, "session.lock")).isHeld();
  }

  /** Calls `lost` once, with the reason, within a second after the lock or the folder was removed. */
  watch(clock: Clock, lost: (why: string) => void): void {
    this.#lock?.watch(clock, lost);
  }

  /** Throws `Problem` if this program has lost the lock, so that nothing may be written. */
  check(): void {
    this.#lock?.check();
  }
  /** Checks the lock, and throws also if the folder was moved, because paths in it then lead elsewhere. */
  checkInPlace(): void {
    this.#lock?.checkInPlace();
  }

  unlock(): void {
    this.#lock?.release();
    process.off("exit", this.#release);
  }
  /** A program that is ended early still releases the lock. */
  readonly #release = () => this.unlock();
}

/** `asked` is true if the user wanted to take over the session from a program that does not answer, but this program answers. */
function refusal({ name, silent }: LockHolder, asked: boolean): string {
  const open = `Another Planwright (${name}) has this session open`;
  if (silent !== undefined)
    return `${open}, but has not answered for ${Math.floor(silent / 60_000)} min: \`--take-over\` takes the session from it`;
  return asked ? `${open}: \`--take-over\` takes it only from a program that has not answered for 1 min` : open;
}

/** A link and its target, both absolute paths without links. */
type SessionLink = { readonly path: string; readonly to: string };

/** Asks the user a question; resolves to whether they agree. */
type AskUser = (question: string) => Promise<boolean>;

/**
 * Checks everything in a session's folder that is read or written by its path. If `runs` or `exports` lead out of it, calls `ask`
 * once, and saves the consent in the settings, for that folder and link target. Throws `Problem` for every other link that leads
 * out, and without the user's consent.
 */
export async function agreeToLinks(folder: string, settings: SettingsStore, ask: AskUser | undefined): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name === "runs" || name === "exports") {
      const to = leadsOut(folder, path);
      if (to !== undefined) await agree({ path: join(realpathSync(folder), name), to }, settings, ask);
      if (existsSync(path)) linksMustStay(path);
    } else if (name.startsWith("session.") || name === "codes") mustStayIn(folder, path);
  }
}

async function agree({ path, to }: SessionLink, settings: SettingsStore, ask: AskUser | undefined): Promise<void> {
  if (settings.read().links?.[path] === to) return;
  const about = `${path} is a link to ${to}`;
  if (ask === undefined)
    throw new Problem(
      "tool",
      `${about}: open the session once in a terminal to agree that files are read and written there`,
    );
  if (!(await ask(`${about}. Read and write files there?`)))
    throw new Problem("tool", `${about}: the session is not opened without your consent`);
  settings.change((before) => ({ ...before, links: { ...before.links, [path]: to } }));
}
