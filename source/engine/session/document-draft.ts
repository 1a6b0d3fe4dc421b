/** Changes that were not saved yet, kept beside the document: a dropped connection or a crash loses none of them. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { replaceFile } from "../files/replace-file.ts";
import { type Clock, machineClock, type Timer } from "../work/clock.ts";

/** Milliseconds after the last change until it is on disk. */
const pause = 500;

export class DocumentDraft {
  readonly #path: string;
  #text: (() => string) | undefined;
  #timer: Timer | undefined;
  readonly #clock: Clock;
  readonly #write = () => {
    this.#clock.clearTimeout(this.#timer);
    if (this.#text === undefined) return;
    try {
      // Written at each pause in typing, which must not wait for the disk.
      replaceFile(this.#path, this.#text(), { durable: false });
      this.#text = undefined;
    } catch {
      // A full disk: the next change tries again, and saving says what is wrong.
    }
  };

  constructor(document: string, clock: Clock = machineClock) {
    this.#clock = clock;
    this.#path = `${document}.draft`;
    process.on("exit", this.#write);
  }

  /** What an earlier program left unsaved. */
  read(): string | undefined {
    return existsSync(this.#path) ? readFileSync(this.#path, "utf8") : undefined;
  }

  keep(text: () => string): void {
    this.#text = text;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(this.#write, pause);
    this.#timer.unref();
  }

  /** The changes were saved, or are not wanted. */
  drop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#text = undefined;
    rmSync(this.#path, { force: true });
  }

  close(): void {
    this.drop();
    process.off("exit", this.#write);
  }
}
