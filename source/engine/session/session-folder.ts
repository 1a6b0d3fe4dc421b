/** A session on disk: `session.md`, `runs/`, `exports/`, and the lock that keeps two programs from writing at once. */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DataProblem } from "../text/json-lines.ts";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile } from "../files/replace-file.ts";

export class SessionFolder {
  readonly path: string;
  #locked = false;

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
  run(id: string): string {
    return join(this.path, "runs", id);
  }

  exists(): boolean {
    return existsSync(this.document);
  }

  /** Throws `DataProblem` where there is no session, naming the file. */
  read(): string {
    if (!this.exists()) throw new DataProblem(`Expected a session at ${this.document}, found none`);
    return readFileSync(this.document, "utf8");
  }

  /** Throws `Problem` naming the file where it cannot be written; the old document is then whole. */
  write(text: string): void {
    makeFolder(this.path);
    replaceFile(this.document, text);
  }

  /** Takes the lock; returns why it cannot be had. A lock left by a program that has ended is taken over. */
  lock(): string | undefined {
    makeFolder(this.path);
    const own = join(this.path, `session.${process.pid}.lock`);
    const text = holderText(process.pid);
    try {
      const holder = takeLock(this.#lockPath, own, text);
      if (holder !== undefined) return `Another Planwright (process ${holder}) has this session open`;
      this.#locked = true;
      process.once("exit", this.#release);
      return undefined;
    } catch (error) {
      return `This folder cannot be written to (${(error as Error).message})`;
    } finally {
      rmSync(own, { force: true });
    }
  }

  unlock(): void {
    if (this.#locked) rmSync(this.#lockPath, { force: true });
    this.#locked = false;
    process.off("exit", this.#release);
  }
  /** A program that is ended early still releases the lock. */
  readonly #release = () => this.unlock();

  get #lockPath(): string {
    return join(this.path, "session.lock");
  }
}

/**
 * The process that holds the lock; undefined when it is ours. The lock file appears with its text in it, so that another
 * program opening the session at the same moment does not take it for an abandoned one; `own` is this program's own file.
 */
function takeLock(path: string, own: string, text: string): number | undefined {
  for (;;) {
    writeFileSync(own, text);
    if (created(path, own, text)) return undefined;
    const found = textOf(path);
    // It was released in between.
    if (found === undefined) continue;
    const holder = Number.parseInt(found, 10);
    if (isAlive(holder, found)) return holder;
    renameSync(own, path);
    // Others may have found the same abandoned lock: the last one to replace it holds it.
    pause(takeover);
    const last = textOf(path);
    if (last === text) return undefined;
  }
}

/** Milliseconds in which every program that found an abandoned lock has replaced it. */
const takeover = 50;

/** Creates the lock file; false where there is one already. */
function created(path: string, own: string, text: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
  }
  // A disk without hard links: for a moment the file is empty.
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    pause(takeover);
    return false;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Process id and, where the system reports it, start time: ids are used again, also for threads. */
function holderText(pid: number): string {
  return `${pid} ${startOf(pid) ?? ""}`.trim();
}

function isAlive(pid: number, text: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return startOf(pid) === undefined || holderText(pid) === text;
}

/** Start of a process in clock ticks since the machine started; undefined where there is no `/proc`. */
function startOf(pid: number): string | undefined {
  try {
    // The second field is the program's name in brackets, which may hold blanks and brackets itself.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return fields[19];
  } catch {
    return undefined;
  }
}
