/** The document of an open session: its cells and operations that change them. */
import { DocumentDraft } from "../../session/document/document-draft.ts";
import { DocumentHistory } from "../../session/document/document-history.ts";
import { OutsideChange } from "../../session/document/outside-change.ts";
import { renameCell } from "../../session/document/rename-cell.ts";
import {
  editCell,
  insertCell,
  moveCell,
  removeCell,
  type SessionDocument,
  sessionTitle,
  strayBlocks,
} from "../../session/document/session-document.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { TypedText } from "../../session/document/typed-text.ts";
import type { Clock } from "../../work/clock.ts";
import type { SessionCell } from "../session-state.ts";

type NotebookContext = {
  readonly folder: SessionFolder;
  readonly clock: Clock;
  /** True if unsaved changes are stored next to the document once it may be written. */
  readonly drafts: boolean;
  /** Throws `Problem` if the document cannot be changed. */
  mustWrite(): void;
  /** Called when the document was replaced by another one. */
  changed(): void;
};

export class OpenNotebook {
  readonly #context: NotebookContext;
  #history: DocumentHistory;
  /** Reports changes by other programs while this program has the document open for editing. */
  outside: OutsideChange | undefined;
  #cells:
    | { readonly of: unknown; readonly cells: readonly SessionCell[]; readonly byId: ReadonlyMap<string, SessionCell> }
    | undefined;

  /** `writes` is true if this program holds the session. */
  constructor(text: string, writes: boolean, context: NotebookContext) {
    this.#context = context;
    this.#history = this.#opened(text, writes);
  }

  #opened(text: string, writes: boolean): DocumentHistory {
    const { folder, clock, drafts } = this.#context;
    const check = () => folder.checkInPlace();
    const keeps = drafts && writes;
    const history = new DocumentHistory(text, keeps ? new DocumentDraft(folder.document, clock, check) : undefined);
    this.outside?.close();
    const changed = () => this.#context.changed();
    this.outside = keeps ? new OutsideChange(folder, history, clock, changed) : undefined;
    return history;
  }

  /** Called when this program has taken over the session. */
  openAnew(): void {
    this.#history = this.#opened(this.#context.folder.read(), true);
  }

  /** Reads a document again that another program may have saved. */
  reread(): void {
    if (this.#history.begin(this.#context.folder.read())) this.#context.changed();
  }

  get title(): string | undefined {
    return sessionTitle(this.#history.document);
  }
  get dirty(): boolean {
    return this.#history.dirty;
  }
  get typed(): TypedText | undefined {
    return this.#history.typed;
  }

  cells(): readonly SessionCell[] {
    return this.#read().cells;
  }

  /** Names the blocks of a note that look like cells. */
  strayBlocks(note: string): readonly string[] {
    return strayBlocks(this.#history.document, note);
  }

  cell(id: string): SessionCell | undefined {
    return this.#read().byId.get(id);
  }

  #read() {
    const { document } = this.#history;
    if (this.#cells?.of === document) return this.#cells;
    const cells = document.segments.map(({ id, kind, name, source }) => ({ id, kind, name, source }));
    this.#cells = { of: document, cells, byId: new Map(cells.map((cell) => [cell.id, cell])) };
    return this.#cells;
  }

  /** Returns the new cell's id. */
  insert(kind: SessionCell["kind"], after: string | undefined, source: string, name: string): string {
    const { document, id } = insertCell(this.#history.document, { kind, name, source }, after);
    this.#change(document);
    return id;
  }
  edit(cell: string, source: string): void {
    this.#change(editCell(this.#history.document, cell, source));
  }
  remove(cell: string): void {
    this.#change(removeCell(this.#history.document, cell));
  }
  rename(cell: string, name: string): void {
    this.#change(renameCell(this.#history.document, cell, name));
  }
  move(cell: string, by: 1 | -1): void {
    this.#change(moveCell(this.#history.document, cell, by));
  }
  keepTyped(typed: TypedText | undefined): void {
    this.#history.keepTyped(typed);
  }
  together(changes: () => void): void {
    this.#history.together(changes);
  }

  undo(): boolean {
    const done = this.#history.undo();
    this.#context.changed();
    return done;
  }
  redo(): boolean {
    const done = this.#history.redo();
    this.#context.changed();
    return done;
  }

  save(): void {
    this.#context.mustWrite();
    this.outside?.mustBeDecided();
    this.#history.save((text) => this.#context.folder.write(text));
    this.outside?.look();
    this.#context.changed();
  }

  #change(document: SessionDocument): void {
    this.#context.mustWrite();
    this.#history.change(document);
    this.#context.changed();
  }

  close(): void {
    this.outside?.close();
    this.#history.close();
  }
}
