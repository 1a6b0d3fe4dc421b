/** The open document with what undo and redo need. */
import { readSession, writeSession, type SessionDocument } from "./session-document.ts";

/** Changes kept for undo. */
const most = 200;

export class DocumentHistory {
  #now: SessionDocument;
  #saved: string;
  readonly #before: SessionDocument[] = [];
  #after: SessionDocument[] = [];

  constructor(text: string) {
    this.#now = readSession(text);
    this.#saved = text;
  }

  get document(): SessionDocument {
    return this.#now;
  }
  get dirty(): boolean {
    return writeSession(this.#now) !== this.#saved;
  }

  change(next: SessionDocument): void {
    if (next === this.#now) return;
    this.#before.push(this.#now);
    if (this.#before.length > most) this.#before.shift();
    this.#after = [];
    this.#now = next;
  }

  undo(): boolean {
    const before = this.#before.pop();
    if (before === undefined) return false;
    this.#after.push(this.#now);
    this.#now = before;
    return true;
  }

  redo(): boolean {
    const after = this.#after.pop();
    if (after === undefined) return false;
    this.#before.push(this.#now);
    this.#now = after;
    return true;
  }

  /** The text to write; counts as saved from now on. */
  save(): string {
    this.#saved = writeSession(this.#now);
    return this.#saved;
  }
}
