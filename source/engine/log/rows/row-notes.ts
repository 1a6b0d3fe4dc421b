/** The notes of a row: a record per kind, with the number of occurrences. */
import type { NoteKind, Row, RowCodes, RowNote, TaskUsage } from "../../types.ts";
import { counted } from "../../text/counted.ts";
import { wholeOf } from "../../work/whole-of.ts";

/** Returns the printed name of a note; each kind has a distinct one. */
export function noteName(note: NoteKind): string {
  switch (note.type) {
    case "note":
      return note.kind;
    case "stage":
      return `stage:${note.stage}`;
    case "unset":
      return `unset:${note.setting}`;
    case "without":
      return `without:${note.field}:${note.model}`;
    case "adjusted":
      return `adjusted:${note.adjustment}:${note.model}`;
    case "answered":
      return `answered:${note.model} ${note.by}`;
    case "answer-from":
      return sourceKind(note);
    case "reply":
      return `reply:${note.how}`;
  }
}

/** Adds `by` occurrences of this kind to the notes. */
export function withNote(notes: readonly RowNote[], note: NoteKind, by = 1): readonly RowNote[] {
  const name = noteName(note);
  const at = notes.findIndex((each) => noteName(each) === name);
  return at < 0 ? [...notes, { ...note, times: by }] : notes.with(at, { ...notes[at]!, times: notes[at]!.times + by });
}

/** Counts the replies of this kind in a row. */
export const repliesOf = ({ notes }: Row, how: Extract<NoteKind, { type: "reply" }>["how"]): number =>
  notes.find((note) => note.type === "reply" && note.how === how)?.times ?? 0;

/** Counts the `note` steps of this kind in a row. */
export const stepsNoted = ({ notes }: Row, kind: string): number =>
  notes.find((note) => note.type === "note" && note.kind === kind)?.times ?? 0;

/** A row for users' own files, which also has the usage and note names of version 0.1.0. */
export type PublicRow = Row &
  TaskUsage & {
    /** Occurrences by note name: `KIND` of `note` steps, `stage:NAME`, `reply:cut` and so on. */
    readonly counts: Readonly<Record<string, number>>;
  };

export function publicRow(given: Row): PublicRow {
  const { counted, spent, notes, from, to, judging, ...row } = wholeOf(given);
  const counts = Object.fromEntries(notes.map((note) => [noteName(note), note.times]));
  return { ...row, ...counted, counted, spent, counts, notes, from, to, ...(judging !== undefined && { judging }) };
}

/** Returns a row in the form that `--json` prints. */
export function printedRow(row: Row): object {
  const { notes: _, codes, ...printed } = publicRow(row);
  return { ...printed, ...codeFields(codes) };
}

/** Returns the codes of a row as fields for other programs: as one text, and by kind. */
export function codeFields(codes: Row["codes"]): { readonly codes?: string; readonly code?: RowCodes["has"] } {
  return codes === undefined ? {} : { codes: codesText(codes.given), code: codes.has };
}

/** Returns kinds as one text. */
export const codesText = (given: readonly string[]): string => given.join("|");

/** Kind of the note that precedes the steps of the picked sample, which are the only steps that are scored. */
export const pickedNote = "picked";

/** Replaces the name of a check in the source of an answer that is scored alike. */
export const otherTasks = "other choice of tasks";

/** `scoring` names the check of a suite with several checks, or states that the run differs only in its tasks. */
export type AnswerSource = {
  readonly run: string;
  readonly judge: string | undefined;
  readonly scoring?: string | undefined;
};

const lacking = "lacking:";

/** Returns the note kind of a task that ended because the answer to a stage named no requested item. */
export const lackingNote = (stage: string, what: string): string => `${lacking}${stage}:${what}`;

/** Returns a text on how many tasks had a stage whose answer contained no requested item; undefined for notes of other kinds. */
export function lackingText(kind: string, times: number): string | undefined {
  const [stage, what] = kind.startsWith(lacking) ? kind.slice(lacking.length).split(":") : [];
  return what === undefined
    ? undefined
    : `Stage \`${stage}\` named no ${what} in ${counted(times, "task")}, which ended at this stage`;
}

const prefix = "answer-from:";

/** Returns the kind of the note that begins a reused answer. */
export const sourceKind = ({ run, judge = "none", scoring }: AnswerSource): string =>
  `${prefix}${run} ${judge}${scoring === undefined ? "" : `\t${scoring}`}`;

/** Returns the run that a note of this kind names; undefined for other kinds. */
export function sourceOf(kind: string): AnswerSource | undefined {
  if (!kind.startsWith(prefix)) return undefined;
  const [runAndJudge = "", scoring] = kind.slice(prefix.length).split("\t");
  const [run = "", ...judge] = runAndJudge.split(" ");
  const name = judge.join(" ");
  return { run, judge: name === "none" ? undefined : name, ...(scoring !== undefined && { scoring }) };
}

/** Returns the run from which an answer was reused; undefined for a run's own answer. */
export function originOf({ notes }: Pick<Row, "notes">): string | undefined {
  return notes.find((note) => note.type === "answer-from")?.run;
}

/** Describes a run by its id and by how it was scored, which distinguishes it from the run that reuses its answers. */
export function sourceText({ run, judge, scoring }: AnswerSource): string {
  const byJudge = judge === undefined ? undefined : `judge ${judge}`;
  const how = [scoring, byJudge].filter((text) => text !== undefined).join(", ");
  return `run ${run} (${how === "" ? "no judge" : how})`;
}

/** Answers of one run that another run reuses. */
export type TakenAnswers = { readonly source: AnswerSource; readonly answers: number };

/** Describes reused answers beside the results. */
export const takenText = ({ source, answers }: TakenAnswers): string =>
  `${counted(answers, "answer")} reused from ${sourceText(source)}, not requested again`;

/** Kind of the note that contains what a side of a conversation can always see; `data.side` names the side. */
export const seenNote = "seen";
