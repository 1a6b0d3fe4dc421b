/** Another program's changes of the document while it is open here: read again, or kept beside ours, never lost. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Problem } from "../problem.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { Clock, Timer } from "../work/clock.ts";
import type { DocumentHistory } from "./document-history.ts";

/** How often the file is looked at, in milliseconds. */
const interval = 1000;

export class OutsideChange {
  readonly #document: string;
  readonly #history: DocumentHistory;
  readonly #clock: Clock;
  readonly #changed: () => void;
  #timer: Timer | undefined;
  #seen: string | undefined;
  #theirs: string | undefined;
  #taken = 0;

  /** `changed` is called whenever there is something new to show. */
  constructor(document: string, history: DocumentHistory, clock: Clock, changed: () => void) {
    this.#document = document;
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

  /** What another program wrote while something was changed here too, and nobody has decided about; undefined: nothing. */
  get theirs(): string | undefined {
    return this.#theirs;
  }
  /** How often the document was read again by itself. */
  get taken(): number {
    return this.#taken;
  }

  /** Reads the document where it is another one than was last read or written here. */
  look(): void {
    const signature = this.#signature();
    if (signature === this.#seen) return;
    this.#seen = signature;
    const text = this.#read();
    if (text === undefined || text === this.#history.saved) this.#theirs = undefined;
    else if (this.#history.edited) this.#theirs = text;
    else {
      this.#history.replace(text);
      this.#taken += 1;
    }
    this.#changed();
  }

  /** Throws `Problem` where nothing may be written yet, as it would put ours in the place of theirs. */
  mustBeDecided(): void {
    this.look();
    if (this.#theirs !== undefined)
      throw new Problem(
        "stopped",
        `Another program has changed ${basename(this.#document)} too: nothing is written yet`,
      );
  }

  /** Theirs is the document from now on; ours is a change that can be undone. */
  take(): void {
    if (this.#theirs !== undefined) this.#history.replace(this.#theirs);
    this.#theirs = undefined;
    this.#changed();
  }

  /** Ours stays; theirs is written beside it. Returns the path. Throws `Problem` where it cannot be written. */
  keep(): string | undefined {
    const text = this.#theirs;
    if (text === undefined) return undefined;
    const path = freePath(this.#document.replace(/\.md$/, ".outside"));
    replaceFile(path, text);
    this.#history.leave(text);
    this.#theirs = undefined;
    this.#changed();
    return path;
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  /** Another one for another file, and for one that was written again; undefined where there is none. */
  #signature(): string | undefined {
    const found = statSync(this.#document, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? undefined : `${found.ino} ${found.size} ${found.mtimeNs}`;
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#document, "utf8");
    } catch {
      // Gone, or not to be read: what is open here is all there is.
      return undefined;
    }
  }
}

/** `session.outside.md`, or with a number where that is there already. */
function freePath(base: string): string {
  let path = `${base}.md`;
  for (let number = 2; existsSync(path); number++) path = `${base}-${number}.md`;
  return path;
}
