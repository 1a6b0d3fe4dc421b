/** The open document, with the changes that can be undone and redone. */
import type { DocumentDraft } from "./document-draft.ts";
import { readSession, writeSession, type SessionDocument } from "./session-document.ts";
import { readTyped, type TypedText, writeTyped } from "./typed-text.ts";

/** Most changes kept for undo. */
const most = 200;

export class DocumentHistory {
  #now: SessionDocument;
  #saved: string;
  readonly #draft: DocumentDraft | undefined;
  readonly #before: SessionDocument[] = [];
  #after: SessionDocument[] = [];
  /** What was being typed in a cell when an earlier program ended. */
  readonly typed: TypedText | undefined;

  /** With a draft, the unsaved changes of an earlier program are restored, as one change that can be undone. */
  constructor(text: string, draft?: DocumentDraft) {
    this.#now = readSession(text);
    this.#saved = text;
    this.#draft = draft;
    const left = draft?.read();
    if (left !== undefined && left !== text) this.change(readSession(left));
    const kept = draft?.readTyped();
    const typed = kept === undefined ? undefined : readTyped(this.#now, kept);
    if (typed !== undefined) this.change(typed.document);
    this.typed = typed?.typed;
  }

  /** Begins anew with this text, which is on disk, where it is another one: what was done here before cannot be undone. */
  begin(text: string): boolean {
    if (text === this.#saved && !this.dirty) return false;
    this.#now = readSession(text);
    this.#saved = text;
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
    return writeSession(this.#now) !== this.#saved;
  }
  #isOnDisk = true;

  /** False while the file cannot be read: nothing of the document counts as saved then. */
  isOnDisk(is: boolean): void {
    if (is === this.#isOnDisk) return;
    this.#isOnDisk = is;
    if (this.dirty) this.#keep();
    else this.#draft?.drop();
  }

  /** The text last read from disk or written there. */
  get saved(): string {
    return this.#saved;
  }
  /** Whether something is changed, or being typed, that is not saved. */
  get edited(): boolean {
    return this.#isChanged || this.#typing;
  }
  #typing = false;

  /** What another program has written is the document now; what it was before can be brought back. */
  replace(text: string): void {
    this.change(readSession(text));
    this.#saved = text;
    this.#draft?.drop();
  }
  /** Another program has written this, and the document stays as it is here. */
  leave(text: string): void {
    this.#saved = text;
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

  /** The changes made meanwhile are one, which is undone at once. */
  together(changes: () => void): void {
    const before = this.#now;
    changes();
    const first = this.#before.lastIndexOf(before);
    if (first >= 0) this.#before.length = first + 1;
  }

  /** Keeps what is being typed in a cell in the draft; undefined: nothing is any more. */
  keepTyped(typed: TypedText | undefined): void {
    this.#typing = typed !== undefined;
    this.#draft?.keepTyped(typed && writeTyped(this.#now, typed));
  }

  undo(): boolean {
    const before = this.#before.pop();
    if (before === undefined) return false;
    this.#after.push(this.#now);
    this.#now = before;
    this.#keep();
    return true;
  }

  redo(): boolean {
    const after = this.#after.pop();
    if (after === undefined) return false;
    this.#before.push(this.#now);
    this.#now = after;
    this.#keep();
    return true;
  }

  /** The text to write; it counts as saved unless `write` throws. */
  save(write: (text: string) => void = () => {}): string {
    const text = writeSession(this.#now);
    write(text);
    this.#saved = text;
    this.#isOnDisk = true;
    this.#draft?.drop();
    return text;
  }

  /** Discards what is not saved. */
  close(): void {
    this.#draft?.close();
  }
}
