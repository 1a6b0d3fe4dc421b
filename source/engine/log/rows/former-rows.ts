/**
 * Reads row files of version 6, the last with notes as counts by name and with duplicate usage. Rows of older files are not read
 * but folded again from the log.
 */
import { z } from "zod";
import { recordOf } from "../../text/checked-record.ts";
import type { NoteKind, Row, RowNote } from "../../types.ts";
import { valueOfLine } from "../file/checked-line.ts";
import { sourceOf, type PublicRow } from "./row-notes.ts";
import { rowSchema, rowsHeadSchema } from "./row-schema.ts";

export const formerVersion = 6;

const formerRowSchema = rowSchema.omit({ notes: true }).extend({ counts: recordOf(z.number()) });

const counts = z.array(z.tuple([z.string(), z.number()]));
const formerHeadSchema = rowsHeadSchema.extend({
  version: z.literal(formerVersion),
  summary: rowsHeadSchema.shape.summary
    .omit({ notes: true })
    .extend({ kinds: z.object({ counts, leftOut: counts, calls: z.number() }) }),
});

/** Converts a line of version 6 to a row; undefined for other lines. */
export function formerRow(line: Buffer): Row | undefined {
  const value = valueOfLine(line, formerRowSchema) as PublicRow | undefined;
  if (value === undefined) return undefined;
  const { run, task, question, facets, state, score, failure, counted, judging, spent, from, to } = value;
  const notes = namedNotes(Object.entries(value.counts));
  const row = { run, task, question, facets, state, score, failure, counted, spent, notes, from, to };
  return judging === undefined ? row : { ...row, judging };
}

/** Converts a first line of version 6; undefined for other lines. */
export function formerHead(line: Buffer): object | undefined {
  const value = valueOfLine(line, formerHeadSchema) as z.infer<typeof formerHeadSchema> | undefined;
  if (value === undefined) return undefined;
  const { kinds, ...summary } = value.summary;
  const sent = kinds.leftOut.flatMap(([kind, rows]) => (kind.startsWith("sent:") ? [[kind.slice(5), rows]] : []));
  return { ...value, summary: { ...summary, notes: { notes: namedNotes(kinds.counts), sent, calls: kinds.calls } } };
}

/** Converts counts by name to notes. */
export const namedNotes = (named: readonly (readonly [string, number])[]): readonly RowNote[] =>
  named.map(([name, times]) => ({ ...noteOf(name), times }) as RowNote);

function noteOf(name: string): NoteKind | Record<string, string> {
  const source = sourceOf(name);
  if (source !== undefined) return { type: "answer-from", ...source };
  const [type, first = "", ...rest] = name.split(":");
  const last = rest.join(":");
  switch (type) {
    case "stage":
      return { type, stage: name.slice(6) };
    case "unset":
      return { type, setting: first };
    case "without":
      return { type, field: first, model: last };
    case "adjusted":
      return { type, adjustment: first, model: last };
    case "answered": {
      const models = name.slice(9);
      const end = models.indexOf(" ");
      return { type, model: models.slice(0, end), by: models.slice(end + 1) };
    }
    case "reply":
      return { type, how: first };
    default:
      return { type: "note", kind: name };
  }
}
