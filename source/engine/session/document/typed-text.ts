/** Text being typed in a cell, stored in case the program ends before the cell contains it. */
import { field, parseJson } from "../../text/json-record.ts";
import { insertCell, type SessionDocument } from "./session-document.ts";

/** The text in the editor of a cell. */
export type TypedText = { readonly cell: string; readonly text: string };

/** Returns a cell's source with this text; the editor does not show the line break at the end of a fence. */
export const typedSource = (source: string, text: string): string =>
  source.endsWith("\n") && !text.endsWith("\n") ? `${text}\n` : text;

/** Returns true if a note contains text. Trailing blanks are not part of a note. */
const hasText = ({ source }: { readonly source: string }, text: string): boolean => source.trimEnd() === text.trimEnd();

/**
 * Returns the text with data by which another program finds its cell; undefined if it equals the cell's source, so that it need
 * not be stored.
 */
export function writeTyped({ segments }: SessionDocument, { cell, text }: TypedText): string | undefined {
  const place = segments.findIndex(({ id }) => id === cell);
  if (place < 0) return undefined;
  const { kind, name, source } = segments[place]!;
  return hasText({ source }, text) ? undefined : JSON.stringify({ place, kind, name, source, text });
}

/**
 * Finds the cell of a stored text. If the document has changed so that the cell is missing, the returned document has a new cell
 * for the text, so that no change is overwritten. Undefined if the document contains the text already, or `kept` is not the
 * output of `writeTyped`.
 */
export function readTyped(document: SessionDocument, kept: string) {
  const record = parseJson(kept);
  const [place, kind, name, source, text] = ["place", "kind", "name", "source", "text"].map((key) =>
    field(record, key),
  );
  const isNote = kind === "front-matter" || kind === "note";
  if (!isNote && kind !== "run" && kind !== "analysis" && kind !== "kinds") return undefined;
  if (typeof name !== "string" || typeof source !== "string" || typeof text !== "string") return undefined;
  const { segments } = document;
  const alike = segments.filter((segment) => segment.kind === kind && segment.name === name);
  if (alike.some((segment) => hasText(segment, text))) return undefined;
  const there = segments[Number(place)];
  const same = alike.filter((segment) => segment.source === source);
  const found = same.find((segment) => segment === there) ?? same[0];
  if (found !== undefined) return { document, typed: { cell: found.id, text } };
  // Avoids a second front matter or cell of the same name.
  const another = kind === "front-matter" && alike.length > 0 ? "note" : kind;
  const added = { kind: another, name: alike.length === 0 ? name : "", source } as const;
  const inserted = insertCell(document, added, segments[Number(place) - 1]?.id ?? segments.at(-1)?.id);
  return { document: inserted.document, typed: { cell: inserted.id, text } };
}
