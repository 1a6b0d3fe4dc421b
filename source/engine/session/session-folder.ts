/** A session on disk: `session.md`, `runs/`, `exports/`, and the lock that keeps two programs from writing at once. */
import { existsSync, readFileSync, readdirSync, rmdirSync, rmSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DataProblem } from "../text/json-lines.ts";
import type { Clock } from "../work/clock.ts";
import { Problem } from "../problem.ts";
import { FolderLock, type LockHolder } from "../files/folder-lock.ts";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile, whyUnwritten } from "../files/replace-file.ts";
import { leadsOut, linksMustStay, mustStayIn } from "../files/inside.ts";
import type { SettingsStore } from "../settings/settings.ts";

export class SessionFolder {
  readonly path: string;
  #lock: FolderLock | undefined;
  /** True where another program has the session. */
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
  /** Throws `Problem` for what is no name of a folder in `runs`: ids come from documents. */
  run(id: string): string {
    if (basename(id) !== id || id === "" || id.startsWith("."))
      throw new Problem("parse", `Expected the id of a run of this session, got \`${id}\``);
    return join(this.path, "runs", id);
  }

  /** Ids of the runs that have a folder here, sorted. */
  runs(): readonly string[] {
    const folder = join(this.path, "runs");
    return existsSync(folder) ? readdirSync(folder).toSorted() : [];
  }

  exists(): boolean {
    return existsSync(this.document);
  }

  /** Throws `DataProblem` where there is no session, or none that can be read, naming the file. */
  read(): string {
    if (!this.exists()) throw new DataProblem(`Expected a session at ${this.document}, found none`);
    try {
      return readFileSync(this.document, "utf8");
    } catch (error) {
      const why = whyUnwritten(error as NodeJS.ErrnoException);
      throw new DataProblem(`Expected a session at ${this.document}, which cannot be read (${why})`);
    }
  }

  /** Throws `Problem` naming the file where it cannot be written; the old document is then whole. */
  write(text: string): void {
    this.checkInPlace();
    makeFolder(this.path);
    replaceFile(this.document, text);
  }

  /** Takes a document away in whose folder nothing else is, and the folder; also the one it lies in, where that is empty then. */
  removeUnused(): void {
    if (!this.exists() || readdirSync(this.path).length > 1) return;
    rmSync(this.path, { recursive: true });
    const parent = dirname(this.path);
    if (readdirSync(parent).length === 0) rmdirSync(parent);
  }

  /**
   * Takes the lock; returns why it cannot be had. A lock left by a program that has ended is taken over, and if `fromSilent` also
   * that of one that lives and has not been heard for a minute, which then writes nothing more.
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

  /** Whether the program that has the session lives; undefined where that cannot be seen from here. */
  isHeld(): boolean | undefined {
    return new FolderLock(join(this.path, "session.lock")).isHeld();
  }

  /** Calls `lost` once, with the reason, when the lock or the folder is gone, within a second. */
  watch(clock: Clock, lost: (why: string) => void): void {
    this.#lock?.watch(clock, lost);
  }

  /** Throws `Problem` where this program had the lock and has it no more: nothing may be written then. */
  check(): void {
    this.#lock?.check();
  }
  /** The same, and where the folder is no longer in its place: paths in it lead elsewhere. */
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

/** `asked`: true if the session was to be taken over from a silent holder, which this one is not. */
function refusal({ name, silent }: LockHolder, asked: boolean): string {
  const open = `Another Planwright (${name}) has this session open`;
  if (silent !== undefined)
    return `${open}, but has not answered for ${Math.floor(silent / 60_000)} min: \`--take-over\` takes the session from it`;
  return asked ? `${open}: \`--take-over\` takes it only from a program that has not answered for 1 min` : open;
}

/** A link and the folder it leads to, both whole paths without links. */
type SessionLink = { readonly path: string; readonly to: string };

/** Asks the user; resolves to whether they agree. */
type AskUser = (question: string) => Promise<boolean>;

/**
 * Looks at everything in a session's folder that is read or written by its path. Where `runs` or `exports` lead out of it, `ask` is
 * called once, and what is agreed to is kept in the settings: for that folder, and while the link leads there. Throws `Problem` for
 * every other link that leads out, and where the user does not agree or cannot be asked.
 */
export async function agreeToLinks(folder: string, settings: SettingsStore, ask: AskUser | undefined): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name === "runs" || name === "exports") {
      const to = leadsOut(folder, path);
      if (to !== undefined) await agree({ path: join(realpathSync(folder), name), to }, settings, ask);
      if (existsSync(path)) linksMustStay(path);
    } else if (name.startsWith("session.")) mustStayIn(folder, path);
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
    throw new Problem("tool", `${about}: without your consent the session is not opened`);
  settings.change((before) => ({ ...before, links: { ...before.links, [path]: to } }));
}
