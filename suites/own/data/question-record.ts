/** A record of a file of questions: its fields, its facets and its question. */
import { deepestEvent } from "../../../source/engine/log/file/event-schema.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { type JsonRecord, nestsDeeper } from "../../../source/engine/text/json-record.ts";
import type { Facets, Json } from "../../../source/engine/types.ts";
import { checkNames } from "../score/checks.ts";
import type { Question, QuestionKind } from "./question.ts";

/** `at`: the line of the record, or its place in a list. */
export type QuestionRecord = { readonly value: JsonRecord; readonly at: number };

export const questionFields = ["id", "question", "answer"];
const taskFields = ["tools", "check", "rubric"];

/** Returns the fields that are not facets. */
export const ownFields = (kind: QuestionKind): readonly string[] =>
  kind === "tasks" ? [...questionFields, ...taskFields] : questionFields;

/**
 * Returns the facet columns, those not in `own`, with true for columns that contain only numbers. CSV values are all
 * text; JSON numbers are numbers.
 */
export function facetColumns(
  records: readonly QuestionRecord[],
  own: readonly string[],
  isNumber: (value: Json) => boolean,
): ReadonlyMap<string, boolean> {
  const numeric = new Map<string, boolean>();
  for (const { value } of records) addRecordFacets(numeric, value, own, isNumber);
  return numeric;
}

/** Throws `DataProblem` for a record that a log cannot contain. */
export function addRecordFacets(
  numeric: Map<string, boolean>,
  record: JsonRecord,
  own: readonly string[],
  isNumber: (value: Json) => boolean,
): void {
  for (const name of Object.keys(record)) {
    if (name === "__proto__")
      throw new DataProblem("Expected questions without a column `__proto__`, found this column");
    if (nestsDeeper(record[name], deepestEvent))
      throw new DataProblem(
        `Expected \`${name}\` of each question to have at most ${deepestEvent} nested levels, got more`,
      );
    if (own.includes(name)) continue;
    const known = numeric.get(name) ?? true;
    const facet = known ? given(record, name) : undefined;
    numeric.set(name, known && (facet === undefined || isNumber(facet)));
  }
}

export const readsAsNumber = (value: Json) => String(value).trim() !== "" && Number.isFinite(Number(value));

export function questionOf(
  { value, at }: QuestionRecord,
  number: string,
  file: {
    readonly facets: ReadonlyMap<string, boolean>;
    readonly kind: QuestionKind;
    readonly where: (at: number) => string;
  },
): Question {
  const where = () => file.where(at);
  const texts = questionTexts(value, file.kind, where);
  const facets: [string, Facets[string]][] = [];
  for (const [name, isNumber] of file.facets) {
    const facet = given(value, name);
    if (facet !== undefined) facets.push([name, isNumber ? Number(facet) : textOf(facet)]);
  }
  return { id: recordId(value) ?? number, ...texts, facets: Object.fromEntries(facets) };
}

/** Returns the id of a record; undefined if it is its number. */
export const recordId = ({ id }: JsonRecord): string | undefined =>
  id === undefined || id === "" ? undefined : textOf(id);

/** Returns the fields that are not facets. Throws `DataProblem` if one is missing. */
export function questionTexts(value: JsonRecord, kind: QuestionKind, where: () => string) {
  const question = field(value, "question", where);
  const more = kind === "tasks" ? taskFieldsOf(value, where()) : {};
  // A judge with a rubric may need no reference answer.
  const needsNone = more.check === "judge" && more.rubric !== undefined && given(value, "answer") === undefined;
  return { question, ...more, answer: needsNone ? "" : field(value, "answer", where) };
}

/** Reads a task's tools (a list, or names separated by `|`), and the check and rubric that replace the run's. */
function taskFieldsOf(record: JsonRecord, where: string): Pick<Question, "tools" | "check" | "rubric"> {
  const [tools, check, rubric] = taskFields.map((name) => given(record, name));
  const names = typeof tools === "string" ? tools.split("|").map((name) => name.trim()) : tools;
  if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === "string")))
    throw new DataProblem(`Expected \`tools\` in ${where} to be a list of names, got ${JSON.stringify(tools)}`);
  const known = checkNames.find((name) => name === check);
  if (check !== undefined && known === undefined)
    throw new DataProblem(
      `Expected \`check\` in ${where} to be one of ${checkNames.join(", ")}, got ${JSON.stringify(check)}`,
    );
  return {
    ...(names === undefined ? {} : { tools: names as readonly string[] }),
    ...(known === undefined ? {} : { check: known }),
    ...(rubric === undefined ? {} : { rubric: textOf(rubric) }),
  };
}

function field(record: JsonRecord, name: string, where: () => string): string {
  const value = given(record, name);
  if (value === undefined)
    throw new DataProblem(
      `Expected \`${name}\` in ${where()}, ${Object.hasOwn(record, name) ? "got nothing" : `found only the columns ${Object.keys(record).join(", ").slice(0, 200)}`}`,
    );
  return textOf(value);
}

function given(record: JsonRecord, name: string): Json | undefined {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return value === null || value === "" ? undefined : value;
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
