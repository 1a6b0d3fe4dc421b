/** A session on disk: `session.md`, `runs/`, `exports/`, and the lock that keeps two programs from writing at once. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DataProblem } from "./json-lines.ts";

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

  /** Written beside the old document first, so that a crash leaves one of the two whole. */
  write(text: string): void {
    mkdirSync(this.path, { recursive: true });
    const fresh = `${this.document}.new`;
    writeFileSync(fresh, text);
    renameSync(fresh, this.document);
  }

  /** Takes the lock. Returns why it could not be had; a lock left by a program that is gone is taken over. */
  lock(): string | undefined {
    mkdirSync(this.path, { recursive: true });
    for (const attempt of [1, 2]) {
      try {
        const file = openSync(this.#lockPath, "wx");
        writeFileSync(file, String(process.pid));
        closeSync(file);
        this.#locked = true;
        return undefined;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== "EEXIST") return `This folder cannot be written to (${message})`;
        const holder = Number(readFileSync(this.#lockPath, "utf8"));
        if (attempt === 2 || isAlive(holder)) return `Another Planwright (process ${holder}) has this session open`;
        rmSync(this.#lockPath, { force: true });
      }
    }
    return undefined;
  }

  unlock(): void {
    if (this.#locked) rmSync(this.#lockPath, { force: true });
    this.#locked = false;
  }

  get #lockPath(): string {
    return join(this.path, "session.lock");
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
