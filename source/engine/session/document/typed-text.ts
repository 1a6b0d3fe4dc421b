/** What is being typed in a cell, as it is kept for the case that the program is ended before the cell has it. */
import { field, parseJson } from "../../text/json-record.ts";
import { insertCell, type SessionDocument } from "./session-document.ts";

/** The text in the editor of a cell. */
export type TypedText = { readonly cell: string; readonly text: string };

/** A cell's source once this text was typed in it: the line break at the end of a fence is not shown in the editor. */
export function typedSource(source: string, text: string): string {
  return source.endsWith("\n") && !text.endsWith("\n") ? `${text}\n` : text;
}

/** Blanks at the end are no part of a note, and not worth an editor. */
function hasText({ source }: { readonly source: string }, text: string): boolean {
  return source.trimEnd() === text.trimEnd();
}

/** The text with what the cell is found by in another program; undefined where it is the cell's own, so that nothing is to be kept. */
export function writeTyped({ segments }: SessionDocument, { cell, text }: TypedText): string | undefined {
  const place = segments.findIndex(({ id }) => id === cell);
  if (place < 0) return undefined;
  const { kind, name, source } = segments[place]!;
  return hasText({ source }, text) ? undefined : JSON.stringify({ place, kind, name, source, text });
}

/**
 * Finds the cell a kept text was typed in. Where the document has changed since, so that it is not there, the document
 * returned has a new cell for the text: nobody's change is written over. Undefined where the document has the text already,
 * or `kept` is not what `writeTyped` writes.
 */
export function readTyped(
  document: SessionDocument,
  kept: string,
): { readonly document: SessionDocument; readonly typed: TypedText } | undefined {
  const record = parseJson(kept);
  const [place, kind, name, source, text] = ["place", "kind", "name", "source", "text"].map((key) =>
    field(record, key),
  );
  if (kind !== "front-matter" && kind !== "note" && kind !== "run" && kind !== "analysis") return undefined;
  if (typeof name !== "string" || typeof source !== "string" || typeof text !== "string") return undefined;
  const { segments } = document;
  const alike = segments.filter((segment) => segment.kind === kind && segment.name === name);
  if (alike.some((segment) => hasText(segment, text))) return undefined;
  const there = segments[Number(place)];
  const same = alike.filter((segment) => segment.source === source);
  const found = same.find((segment) => segment === there) ?? same[0];
  if (found !== undefined) return { document, typed: { cell: found.id, text } };
  // Two cells of one name would be one too many, and so would be other front matter.
  const another = kind === "front-matter" && alike.length > 0 ? "note" : kind;
  const added = { kind: another, name: alike.length === 0 ? name : "", source } as const;
  const inserted = insertCell(document, added, segments[Number(place) - 1]?.id ?? segments.at(-1)?.id);
  return { document: inserted.document, typed: { cell: inserted.id, text } };
}
