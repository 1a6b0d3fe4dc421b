/** Reads the user's questions from CSV, JSON or JSON Lines. */
import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { largestQuestionFile } from "../../../source/engine/session/file-suite.ts";
import { DataProblem, parseJsonLines } from "../../../source/engine/text/json-lines.ts";
import { isRecord, type JsonRecord } from "../../../source/engine/text/json-record.ts";
import type { Facets, Json } from "../../../source/engine/types.ts";
import { checkNames } from "../score/checks.ts";
import type { Question, QuestionFile, QuestionKind } from "./question.ts";

/**
 * Reads a file of questions. Every record needs `question` and `answer`; `id` defaults to the record's number, from 1.
 * Any other column is a facet, except `tools`, `check` and `rubric` of tasks. Throws `DataProblem` with file, record
 * and field. Executes nothing in the file.
 */
export function readQuestions(path: string, kind: QuestionKind = "questions"): QuestionFile {
  const name = basename(path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new DataProblem(`Expected a file of questions at ${path}, found ${found === undefined ? "none" : "no file"}`);
  const { size } = found;
  if (size > largestQuestionFile)
    throw new DataProblem(`Expected ${name} to have at most 20 MB, got ${Math.ceil(size / 1024 / 1024)} MB`);
  return parseQuestions(textIn(readFileSync(path), name), name, kind);
}

/** Decodes UTF-8. Throws `DataProblem` with the line for other encodings, which would lose letters. */
function textIn(bytes: Uint8Array, name: string): string {
  const text = Buffer.from(bytes).toString("utf8");
  if (isUtf8(bytes)) return text;
  // Undecodable bytes became the replacement character, which a valid text may also contain.
  const line = text.split("\n").findIndex((each) => each.includes("\uFFFD")) + 1;
  throw new DataProblem(`Expected ${name} to be UTF-8, got other letters in line ${line}: save it as UTF-8`);
}

/** Parses questions from the text of a file; the extension of `name` selects the format. */
export function parseQuestions(text: string, name: string, kind: QuestionKind = "questions"): QuestionFile {
  const records = recordsOf(text.replace(/^\uFEFF/, ""), name);
  if (records.length === 0) throw new DataProblem(`Expected questions in ${name}, found none`);
  const own = kind === "tasks" ? [...fields, ...taskFields] : fields;
  const facets = facetsOf(
    records.map(({ value }) => value),
    own,
    isCsv(name) ? readsAsNumber : (value) => typeof value === "number",
  );
  const tasks = records.map((record, index) => questionOf(record, String(index + 1), facets, kind));
  const ids = new Set<string>();
  for (const [index, { id }] of tasks.entries()) {
    if (ids.has(id))
      throw new DataProblem(`Expected each \`id\` once in ${name}, got \`${id}\` again in ${records[index]!.where}`);
    ids.add(id);
  }
  return { tasks, facets: [...facets.keys()] };
}

const isCsv = (name: string) => extname(name).toLowerCase() === ".csv";

type QuestionRecord = { readonly value: JsonRecord; readonly where: string };

function recordsOf(text: string, name: string): readonly QuestionRecord[] {
  switch (extname(name).toLowerCase()) {
    case ".csv":
      return csvRecords(text, name);
    case ".jsonl":
      return parseJsonLines(text, name).map(({ number, value }) => checked(value, `${name} line ${number}`));
    case ".json":
      return jsonRecords(text, name);
    default:
      throw new DataProblem(`Expected a file that ends in .csv, .jsonl or .json, got ${name}`);
  }
}

function csvRecords(text: string, name: string): readonly QuestionRecord[] {
  type Parsed = { readonly record: Record<string, string>; readonly info: { readonly lines: number } };
  try {
    // The package's types cover `columns` and `info` separately, but not together.
    const parsed = parse(text, {
      columns: (header: readonly string[]) => onceEach(header, name),
      skip_empty_lines: true,
      trim: true,
      info: true,
    }) as unknown as Parsed[];
    return parsed.map(({ record, info }) => ({ value: record, where: `${name} line ${info.lines}` }));
  } catch (error) {
    if (error instanceof CsvError) throw new DataProblem(`Expected ${name} to be CSV with a header: ${error.message}`);
    throw error;
  }
}

/** Returns the columns of a header. Throws `DataProblem` for a duplicate, because its first values would be lost. */
function onceEach(header: readonly string[], name: string): string[] {
  const again = header.find((column, index) => header.indexOf(column) !== index);
  if (again === undefined) return [...header];
  throw new DataProblem(`Expected each column once in ${name}, got \`${again}\` again`);
}

function jsonRecords(text: string, name: string): readonly QuestionRecord[] {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw new DataProblem(`Expected ${name} to be JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(value)) throw new DataProblem(`Expected ${name} to be a list of questions`);
  return (value as readonly Json[]).map((each, index) => checked(each, `${name} item ${index}`));
}

function checked(value: Json, where: string): QuestionRecord {
  if (isRecord(value)) return { value, where };
  throw new DataProblem(
    `Expected ${where} to be an object with \`question\` and \`answer\`, got \`${JSON.stringify(value)}\``,
  );
}

const fields = ["id", "question", "answer"];
const taskFields = ["tools", "check", "rubric"];

/**
 * Returns the facet columns, those not in `own`, with true for columns that contain only numbers. CSV values are all
 * text; JSON numbers are numbers.
 */
function facetsOf(
  records: readonly JsonRecord[],
  own: readonly string[],
  isNumber: (value: Json) => boolean,
): ReadonlyMap<string, boolean> {
  const names = new Set(records.flatMap((record) => Object.keys(record)).filter((field) => !own.includes(field)));
  return new Map(
    [...names].map((name) => {
      const values = records.map((record) => given(record, name)).filter((value) => value !== undefined);
      return [name, values.every(isNumber)] as const;
    }),
  );
}

const readsAsNumber = (value: Json) => String(value).trim() !== "" && Number.isFinite(Number(value));

function questionOf(
  { value, where }: QuestionRecord,
  number: string,
  facets: ReadonlyMap<string, boolean>,
  kind: QuestionKind,
): Question {
  const question = field(value, "question", where);
  const more = kind === "tasks" ? taskFieldsOf(value, where) : {};
  // A judge with a rubric may need no reference answer.
  const needsNone = more.check === "judge" && more.rubric !== undefined && given(value, "answer") === undefined;
  return {
    id: value["id"] === undefined || value["id"] === "" ? number : textOf(value["id"]),
    question,
    ...more,
    answer: needsNone ? "" : field(value, "answer", where),
    facets: Object.fromEntries(
      [...facets].flatMap(([name, isNumber]): [string, Facets[string]][] => {
        const facet = given(value, name);
        return facet === undefined ? [] : [[name, isNumber ? Number(facet) : textOf(facet)]];
      }),
    ),
  };
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

function field(record: JsonRecord, name: string, where: string): string {
  const value = given(record, name);
  if (value === undefined)
    throw new DataProblem(
      `Expected \`${name}\` in ${where}, got ${Object.hasOwn(record, name) ? "nothing" : `no such column (${Object.keys(record).join(", ").slice(0, 200)})`}`,
    );
  return textOf(value);
}

function given(record: JsonRecord, name: string): Json | undefined {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return value === null || value === "" ? undefined : value;
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
