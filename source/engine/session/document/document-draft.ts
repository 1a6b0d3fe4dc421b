/**
 * What was not saved yet, kept beside the document: its changes, and the text that is being typed in a cell. A dropped
 * connection or a crash loses none of it.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { replaceFile } from "../../files/replace-file.ts";
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";

/** Milliseconds after the last change until it is on disk. */
const pause = 500;

export class DocumentDraft {
  readonly #document: KeptText;
  readonly #typed: KeptText;
  #timer: Timer | undefined;
  readonly #clock: Clock;
  readonly #write = () => {
    this.#clock.clearTimeout(this.#timer);
    try {
      // In this order: typed text is forgotten only once the document that has it is on disk.
      this.#document.write();
      this.#typed.write();
    } catch {
      // A full disk: the next change tries again, and saving says what is wrong.
    }
  };

  /** `check` throws where nothing may be written any more. */
  constructor(document: string, clock: Clock = machineClock, check: () => void = () => {}) {
    this.#clock = clock;
    this.#document = new KeptText(`${document}.draft`, check);
    this.#typed = new KeptText(`${document}.typed.draft`, check);
    process.on("exit", this.#write);
  }

  /** The document as an earlier program left it unsaved. */
  read(): string | undefined {
    return this.#document.read();
  }
  /** What was being typed when an earlier program ended, as it was given to `keepTyped`. */
  readTyped(): string | undefined {
    return this.#typed.read();
  }

  keep(text: () => string): void {
    this.#document.pending = text;
    this.#later();
  }
  /** Undefined where nothing is being typed any more. */
  keepTyped(text: string | undefined): void {
    this.#typed.pending = () => text;
    this.#later();
  }
  #later(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(this.#write, pause);
    this.#timer.unref();
  }

  /** The changes were saved. */
  drop(): void {
    this.#document.drop();
    this.#write();
  }

  /** Nothing of it is wanted. */
  close(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#document.drop();
    this.#typed.drop();
    process.off("exit", this.#write);
  }
}

/** One file of a draft. */
class KeptText {
  /** What is to be written; undefined from it removes the file. */
  pending: (() => string | undefined) | undefined;
  readonly #path: string;
  readonly #check: () => void;

  constructor(path: string, check: () => void) {
    this.#path = path;
    this.#check = check;
  }

  read(): string | undefined {
    return existsSync(this.#path) ? readFileSync(this.#path, "utf8") : undefined;
  }

  /** Throws where it cannot be written; the file is then the one of before. */
  write(): void {
    if (this.pending === undefined) return;
    const text = this.pending();
    if (text === undefined) return this.drop();
    this.#check();
    // Written at each pause in typing, which must not wait for the disk.
    replaceFile(this.#path, text, { durable: false });
    this.pending = undefined;
  }

  drop(): void {
    this.pending = undefined;
    try {
      this.#check();
    } catch {
      // What lies there now is another program's.
      return;
    }
    rmSync(this.#path, { force: true });
  }
}
