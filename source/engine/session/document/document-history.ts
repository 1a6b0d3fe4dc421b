/** The open document, with changes to undo and redo. */
import type { DocumentDraft } from "./document-draft.ts";
import { readSession, writeSession, type SessionDocument } from "./session-document.ts";
import { readTyped, type TypedText, writeTyped } from "./typed-text.ts";

/** Maximum number of changes kept for undo. */
const most = 200;

export class DocumentHistory {
  #now: SessionDocument;
  /** The text last read from disk or written to it. */
  saved: string;
  readonly #draft: DocumentDraft | undefined;
  readonly #before: SessionDocument[] = [];
  #after: SessionDocument[] = [];
  /** Text being typed in a cell when an earlier program ended. */
  readonly typed: TypedText | undefined;

  /** With a draft, the unsaved changes of an earlier program are restored as one change that can be undone. */
  constructor(text: string, draft?: DocumentDraft) {
    this.#now = readSession(text);
    this.saved = text;
    this.#draft = draft;
    const left = draft?.read();
    if (left !== undefined && left !== text) this.change(readSession(left));
    const kept = draft?.readTyped();
    const typed = kept === undefined ? undefined : readTyped(this.#now, kept);
    if (typed !== undefined) this.change(typed.document);
    this.typed = typed?.typed;
  }

  /** Starts with this text from disk if it differs; earlier changes can then not be undone. */
  begin(text: string): boolean {
    if (text === this.saved && !this.dirty) return false;
    this.#now = readSession(text);
    this.saved = text;
    this.#before.length = 0;
    this.#after = [];
    return true;
  }

  get document(): SessionDocument {
    return this.#now;
  }
  get dirty(): boolean {
    return !this.#isOnDisk || this.#isChanged;
  }
  get #isChanged(): boolean {
    return writeSession(this.#now) !== this.saved;
  }
  #isOnDisk = true;

  /** Sets whether the file can be read; while it cannot be read, the whole document counts as unsaved. */
  isOnDisk(is: boolean): void {
    if (is === this.#isOnDisk) return;
    this.#isOnDisk = is;
    if (this.dirty) this.#keep();
    else this.#draft?.drop();
  }

  /** True if there are unsaved changes or unsaved typing. */
  get edited(): boolean {
    return this.#isChanged || this.#typing;
  }
  #typing = false;

  /** Replaces the document by another program's text, as a change that can be undone. */
  replace(text: string): void {
    this.change(readSession(text));
    this.saved = text;
    this.#draft?.drop();
  }
  /** Notes another program's text on disk without taking it over. */
  leave(text: string): void {
    this.saved = text;
    this.#keep();
  }

  change(next: SessionDocument): void {
    if (next === this.#now) return;
    this.#before.push(this.#now);
    if (this.#before.length > most) this.#before.shift();
    this.#after = [];
    this.#now = next;
    this.#keep();
  }
  #keep(): void {
    this.#draft?.keep(() => writeSession(this.#now));
  }

  /** Combines the changes into one change, which one undo reverts. */
  together(changes: () => void): void {
    const before = this.#now;
    changes();
    const first = this.#before.lastIndexOf(before);
    if (first >= 0) this.#before.length = first + 1;
  }

  /** Stores the text being typed in a cell in the draft; undefined removes it. */
  keepTyped(typed: TypedText | undefined): void {
    this.#typing = typed !== undefined;
    this.#draft?.keepTyped(typed && writeTyped(this.#now, typed));
  }

  undo(): boolean {
    return this.#go(this.#before, this.#after);
  }

  redo(): boolean {
    return this.#go(this.#after, this.#before);
  }

  #go(from: SessionDocument[], to: SessionDocument[]): boolean {
    const next = from.pop();
    if (next === undefined) return false;
    to.push(this.#now);
    this.#now = next;
    this.#keep();
    return true;
  }

  /** Returns the text to write; it counts as saved unless `write` throws. */
  save(write: (text: string) => void = () => {}): string {
    const text = writeSession(this.#now);
    write(text);
    this.saved = text;
    this.#isOnDisk = true;
    this.#draft?.drop();
    return text;
  }

  /** Discards unsaved changes. */
  close(): void {
    this.#draft?.close();
  }
}
