/**
 * Unsaved changes, stored next to the document, and the text being typed in a cell. A dropped connection or a crash loses
 * neither.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { replaceFile } from "../../files/replace-file.ts";
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";

/** Milliseconds between the last change and writing it to disk. */
const pause = 500;

export class DocumentDraft {
  readonly #document: KeptText;
  readonly #typed: KeptText;
  #timer: Timer | undefined;
  readonly #clock: Clock;
  readonly #write = () => {
    this.#clock.clearTimeout(this.#timer);
    try {
      // The order matters: typed text is removed only once the document that contains it is on disk.
      this.#document.write();
      this.#typed.write();
    } catch {
      // The disk is full: the next change tries again, and saving reports the error.
    }
  };

  /** `check` throws if writing is no longer allowed. */
  constructor(document: string, clock: Clock = machineClock, check: () => void = () => {}) {
    this.#clock = clock;
    this.#document = new KeptText(`${document}.draft`, check);
    this.#typed = new KeptText(`${document}.typed.draft`, check);
    process.on("exit", this.#write);
  }

  /** Returns the unsaved document of an earlier program; undefined if there is none. */
  read(): string | undefined {
    return this.#document.read();
  }
  /** Returns the text that was being typed when an earlier program ended, as saved by `keepTyped`. */
  readTyped(): string | undefined {
    return this.#typed.read();
  }

  keep(text: () => string): void {
    this.#document.pending = text;
    this.#later();
  }
  /** Undefined removes the kept text. */
  keepTyped(text: string | undefined): void {
    this.#typed.pending = () => text;
    this.#later();
  }
  #later(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(this.#write, pause);
    this.#timer.unref();
  }

  /** Discards the draft after its changes were saved. */
  drop(): void {
    this.#document.drop();
    this.#write();
  }

  /** Discards the draft without saving. */
  close(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#document.drop();
    this.#typed.drop();
    process.off("exit", this.#write);
  }
}

/** One file of a draft. */
class KeptText {
  /** Returns the text to write; an undefined result removes the file. */
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

  /** Throws if writing fails; the file then keeps its earlier content. */
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
      // The present file belongs to another program.
      return;
    }
    rmSync(this.#path, { force: true });
  }
}
