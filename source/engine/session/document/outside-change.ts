/**
 * Watches the document on disk while it is open: another program's changes are read, or stored next to the user's changes, so
 * that nothing is lost.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Problem } from "../../problem.ts";
import { replaceFile, whyUnwritten } from "../../files/replace-file.ts";
import type { Clock, Timer } from "../../work/clock.ts";
import type { DocumentHistory } from "./document-history.ts";
import type { SessionFolder } from "../session-folder.ts";

/** Interval of checks, in milliseconds. */
const interval = 1000;

/** Why the document cannot be read at its path. */
export type MissingDocument = {
  readonly why: string;
  /** True if the path is free: saving writes the document again. */
  readonly isGone: boolean;
};

export class OutsideChange {
  readonly #folder: SessionFolder;
  readonly #history: DocumentHistory;
  readonly #clock: Clock;
  readonly #changed: () => void;
  #timer: Timer | undefined;
  #seen: string | undefined;
  /** Another program's text that conflicts with changes here and awaits a decision; undefined without a conflict. */
  theirs: string | undefined;
  /** Undefined if the document exists; otherwise the open text counts as unsaved. */
  missing: MissingDocument | undefined;
  /** How often the document was reloaded automatically. */
  taken = 0;

  /** `changed` is called whenever there is something new to show. */
  constructor(folder: SessionFolder, history: DocumentHistory, clock: Clock, changed: () => void) {
    this.#folder = folder;
    this.#history = history;
    this.#clock = clock;
    this.#changed = changed;
    this.#seen = this.#signature();
    this.#later();
  }

  #later(): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.look();
      this.#later();
    }, interval);
    this.#timer.unref();
  }

  /** Reads the document if it differs from the text that this program last read or wrote. */
  look(): void {
    const signature = this.#signature();
    if (signature === this.#seen) return;
    this.#seen = signature;
    const found = this.#read();
    const text = typeof found === "string" ? found : undefined;
    this.missing = typeof found === "string" ? undefined : found;
    this.#history.isOnDisk(text !== undefined);
    if (text === undefined || text === this.#history.saved) this.theirs = undefined;
    else if (this.#history.edited) this.theirs = text;
    else {
      this.#history.replace(text);
      this.taken += 1;
    }
    this.#changed();
  }

  /** Throws `Problem` if writing now would overwrite another program's text. */
  mustBeDecided(): void {
    this.look();
    if (this.missing?.isGone === false) throw new Problem("stopped", `${this.missing.why}, so nothing is saved`);
    if (this.theirs !== undefined)
      throw new Problem(
        "stopped",
        `Another program has changed ${basename(this.#folder.document)} too: nothing is saved yet`,
      );
  }

  /** Replaces the user's text by the other program's text, which can be undone. */
  take(): void {
    if (this.theirs !== undefined) this.#history.replace(this.theirs);
    this.theirs = undefined;
    this.#changed();
  }

  /**
   * Keeps the user's text and writes the other program's text to a file next to it. Returns its path. Throws `Problem` if writing
   * fails.
   */
  keep(): string | undefined {
    const text = this.theirs;
    if (text === undefined) return undefined;
    const path = freePath(this.#folder.document.replace(/\.md$/, ".outside"));
    replaceFile(path, text);
    this.#history.leave(text);
    this.theirs = undefined;
    this.#changed();
    return path;
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  /** Returns a signature that differs for another, rewritten or unreadable file; undefined for a missing file. */
  #signature(): string | undefined {
    try {
      const found = statSync(this.#folder.document, { bigint: true, throwIfNoEntry: false });
      return found && `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #read(): string | MissingDocument {
    const { document } = this.#folder;
    const name = basename(document);
    try {
      this.#folder.checkInPlace();
      const found = statSync(document, { throwIfNoEntry: false });
      if (found === undefined) return { why: `${name} was removed`, isGone: true };
      // Reading anything else might never end.
      if (!found.isFile())
        return { why: `${name} is ${found.isDirectory() ? "now a folder" : "no longer a file"}`, isGone: false };
      return readFileSync(document, "utf8");
    } catch (error) {
      if (error instanceof Problem) return { why: error.message, isGone: false };
      return { why: `${name} can no longer be read (${whyUnwritten(error as NodeJS.ErrnoException)})`, isGone: false };
    }
  }
}

/** Returns `session.outside.md`, or a numbered name if that exists. */
function freePath(base: string): string {
  let path = `${base}.md`;
  for (let number = 2; existsSync(path); number++) path = `${base}-${number}.md`;
  return path;
}
