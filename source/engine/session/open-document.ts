import { type Clock, machineClock } from "../work/clock.ts";
import { DocumentDraft } from "./document-draft.ts";
import { DocumentHistory } from "./document-history.ts";
import { OutsideChange } from "./outside-change.ts";
import type { SessionFolder } from "./session-folder.ts";

type Opened = {
  /** Keeps drafts, and looks whether other programs change the file. */
  readonly drafts: boolean;
  /** May make the file where there is none. */
  readonly writes: boolean;
  readonly clock: Clock | undefined;
  /** Called when another program has changed the file. */
  changed(): void;
};

/** The document of a session, by `template` where it has none yet. */
export function openDocument(
  folder: SessionFolder,
  template: string | undefined,
  { drafts, writes, clock, changed }: Opened,
): { readonly history: DocumentHistory; readonly outside: OutsideChange | undefined } {
  const isThere = folder.exists();
  const text = isThere ? folder.read() : (template ?? "");
  const draft = drafts ? new DocumentDraft(folder.document, clock, () => folder.checkInPlace()) : undefined;
  const history = new DocumentHistory(text, draft);
  if (!isThere && writes) folder.write(text);
  const outside = drafts ? new OutsideChange(folder.document, history, clock ?? machineClock, changed) : undefined;
  return { history, outside };
}
