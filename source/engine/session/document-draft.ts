/** Changes that were not saved yet, kept beside the document: a dropped connection or a crash loses none of them. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
      // Beside the old one first, as half a draft is worse than an old one.
      writeFileSync(`${this.#path}.new`, this.#text());
      renameSync(`${this.#path}.new`, this.#path);
      this.#text = undefined;
    } catch {
      // A full disk: the next change tries again, and saving says what is wrong.
      rmSync(`${this.#path}.new`, { force: true, recursive: true });
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
