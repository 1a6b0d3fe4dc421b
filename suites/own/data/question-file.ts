/** Reads the user's questions from CSV, JSON or JSON Lines. */
import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { DataProblem, parseJsonLines } from "../../../source/engine/text/json-lines.ts";
import { isRecord, type JsonRecord } from "../../../source/engine/text/json-record.ts";
import type { Facets, Json } from "../../../source/engine/types.ts";
import { checkNames } from "../score/checks.ts";
import type { Question, QuestionFile, QuestionKind } from "./question.ts";
import { CsvPlaces, csvValues } from "./csv-places.ts";
import { JsonPlaces } from "./json-places.ts";
import { questionsInLines, RecordPlaces } from "./question-lines.ts";

/**
 * Reads a file of questions. Every record needs `question` and `answer`; `id` defaults to the record's number, from 1. Any other
 * column is a facet, except `tools`, `check` and `rubric` of tasks. Throws `DataProblem` with file, record and field. Executes no
 * content of the file.
 */
export function readQuestions(path: string, kind: QuestionKind = "questions"): QuestionFile {
  const name = basename(path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new DataProblem(`Expected a file of questions at ${path}, found ${found === undefined ? "none" : "no file"}`);
  const { size } = found;
  if (size > largest)
    throw new DataProblem(`Expected ${name} to have at most 256 MB, got ${Math.ceil(size / 1024 / 1024)} MB`);
  const bytes = readFileSync(path);
  const inLines = size < large ? undefined : readInLines(bytes, name, kind);
  return inLines ?? parseQuestions(textIn(bytes, name), name, kind);
}

/** Bytes of the largest file, and of a file whose questions are read on demand. */
const largest = 256 * 1024 * 1024;
const large = 512 * 1024;

/**
 * Checks all records without keeping any. Returns undefined for content that needs the other reader: an error, which it reports,
 * a list, spaces around the values of CSV.
 */
function readInLines(bytes: Buffer, name: string, kind: QuestionKind): QuestionFile | undefined {
  if (!isUtf8(bytes)) return undefined;
  const first = bytes.subarray(0, 3).toString("latin1") === "\u00ef\u00bb\u00bf" ? 3 : 0;
  if (isCsv(name)) return kind === "questions" ? csvLines(bytes, first) : undefined;
  return extname(name).toLowerCase() === ".jsonl" ? jsonLines(bytes, first, name, kind) : undefined;
}

function jsonLines(bytes: Buffer, first: number, name: string, kind: QuestionKind): QuestionFile | undefined {
  const own = kind === "tasks" ? [...fields, ...taskFields] : fields;
  const [places, facets, ids] = [new RecordPlaces(), new Map<string, boolean>(), new Ids()];
  const file = { facets, kind, where: () => name };
  const read = (text: string, at: number) =>
    questionOf({ value: JSON.parse(text) as JsonRecord, at }, String(at + 1), file);
  const line = new JsonPlaces(bytes);
  try {
    for (let [from, to] = [first, 0]; from < bytes.length; from = to + 1) {
      to = endOfLine(bytes, from);
      if (kind === "questions" && line.read(from, to) && isComplete(line)) {
        for (const [at, name] of line.names.entries())
          if (line.values[at] === "text" && facets.has(name)) facets.set(name, false);
        const id = line.names.indexOf("id");
        const hasId = id >= 0 && line.values[id] !== undefined && line.values[id] !== "empty";
        if (!ids.isNew(hasId ? line.text(id) : undefined, places.length)) return undefined;
        places.add(from, to);
        continue;
      }
      const text = bytes.toString("utf8", from, to);
      if (text.trim() === "") continue;
      const value = JSON.parse(text) as Json;
      if (!isRecord(value)) return undefined;
      for (const name of Object.keys(value)) line.add(name);
      addFacets(facets, value, own, (facet) => typeof facet === "number");
      textsOf(value, kind, file.where);
      if (!ids.isNew(idOf(value), places.length)) return undefined;
      places.add(from, to);
    }
  } catch {
    return undefined;
  }
  return places.length === 0
    ? undefined
    : { tasks: questionsInLines({ bytes, places, isNumbered: ids.areNumbers, read }), facets: [...facets.keys()] };
}

/** Returns true if the line has a question and an answer. */
function isComplete({ names, values }: JsonPlaces): boolean {
  const has = (name: string) => {
    const value = values[names.indexOf(name)];
    return value !== undefined && value !== "empty";
  };
  return has("question") && has("answer");
}

/** Reads the columns of a CSV with line feeds; see `csv-places.ts`. */
function csvLines(bytes: Buffer, first: number): QuestionFile | undefined {
  const records = new CsvPlaces(bytes, first);
  if (!records.next()) return undefined;
  const header = records.texts();
  const isOdd = header.includes("__proto__") || new Set(header).size < header.length;
  if (isOdd || header.some((column) => column === "" || column.trim() !== column)) return undefined;
  if (!header.includes("question") || !header.includes("answer")) return undefined;
  const facets = new Map<string, boolean>(
    header.flatMap((column) => (fields.includes(column) ? [] : [[column, true] as const])),
  );
  const [places, ids] = [new RecordPlaces(), new Ids()];
  const isGiven = (column: number) => !records.isEmpty(column);
  while (records.next()) {
    if (records.columns !== header.length) return undefined;
    for (let column = 0; column < header.length; column++) {
      const known = header[column]!;
      if ((known === "question" || known === "answer") && !isGiven(column)) return undefined;
      if (facets.get(known) === true && isGiven(column) && !readsAsNumber(records.text(column)))
        facets.set(known, false);
      if (known === "id" && !ids.isNew(isGiven(column) ? records.text(column) : undefined, places.length))
        return undefined;
    }
    places.add(records.from, records.to);
  }
  if (places.length === 0 || records.isOdd) return undefined;
  const file = { facets, kind: "questions", where: () => "" } as const;
  const read = (text: string, at: number) => {
    const values = csvValues(text);
    const value = Object.fromEntries(header.map((column, index) => [column, values[index]!]));
    return questionOf({ value, at }, String(at + 1), file);
  };
  return { tasks: questionsInLines({ bytes, places, isNumbered: ids.areNumbers, read }), facets: [...facets.keys()] };
}

/** The ids of records: their own ids, otherwise their numbers. */
class Ids {
  #known: Set<string> | undefined;

  get areNumbers(): boolean {
    return this.#known === undefined;
  }

  /** Records the id of the record at this index; returns whether no earlier record has it. */
  isNew(id: string | undefined, at: number): boolean {
    if (id === undefined && this.#known === undefined) return true;
    // Numbers of the records before are kept from the first other id on.
    this.#known ??= new Set(Array.from({ length: at }, (_, before) => String(before + 1)));
    const { size } = this.#known;
    return this.#known.add(id ?? String(at + 1)).size > size;
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(10, from);
  return end < 0 ? bytes.length : end;
}

/** Decodes UTF-8. Throws `DataProblem` with the line for other encodings, which would lose letters. */
function textIn(bytes: Uint8Array, name: string): string {
  const text = Buffer.from(bytes).toString("utf8");
  if (isUtf8(bytes)) return text;
  // Undecodable bytes became the replacement character, which a valid text may also contain.
  const line = text.split("\n").findIndex((each) => each.includes("\uFFFD")) + 1;
  throw new DataProblem(`Expected ${name} to be UTF-8, got other bytes in line ${line}: save it as UTF-8`);
}

/** Parses questions from the text of a file; the extension of `name` selects the format. */
export function parseQuestions(text: string, name: string, kind: QuestionKind = "questions"): QuestionFile {
  const records = recordsOf(text.replace(/^\uFEFF/, ""), name);
  if (records.length === 0) throw new DataProblem(`Expected questions in ${name}, found none`);
  const own = kind === "tasks" ? [...fields, ...taskFields] : fields;
  const facets = facetsOf(records, own, isCsv(name) ? readsAsNumber : (value) => typeof value === "number");
  const where = (at: number) => placeIn(name, at);
  const tasks = records.map((record, index) => questionOf(record, String(index + 1), { facets, kind, where }));
  const ids = new Set<string>();
  for (const [index, { id }] of tasks.entries()) {
    if (ids.has(id))
      throw new DataProblem(
        `Expected each \`id\` once in ${name}, got \`${id}\` again in ${where(records[index]!.at)}`,
      );
    ids.add(id);
  }
  return { tasks, facets: [...facets.keys()] };
}

const isCsv = (name: string) => extname(name).toLowerCase() === ".csv";

/** `at` is the line of the record, or its index in a list. */
type QuestionRecord = { readonly value: JsonRecord; readonly at: number };

const placeIn = (name: string, at: number) =>
  `${name} ${extname(name).toLowerCase() === ".json" ? "item" : "line"} ${at}`;

function recordsOf(text: string, name: string): readonly QuestionRecord[] {
  switch (extname(name).toLowerCase()) {
    case ".csv":
      return csvRecords(text, name);
    case ".jsonl":
      return parseJsonLines(text, name).map(({ number, value }) => checked(value, name, number));
    case ".json":
      return jsonRecords(text, name);
    default:
      throw new DataProblem(`Expected a file that ends in .csv, .jsonl or .json, got ${name}`);
  }
}

function csvRecords(text: string, name: string): readonly QuestionRecord[] {
  const records: QuestionRecord[] = plainRecords(text, name) ?? [];
  if (records.length > 0) return records;
  try {
    parse(text, {
      columns: (header: readonly string[]) => onceEach(header, name),
      skip_empty_lines: true,
      trim: true,
      // Kept one by one, because a list of the package's own records takes as much memory again.
      on_record: (value: JsonRecord, { lines }) => void records.push({ value, at: lines }),
    });
    return records;
  } catch (error) {
    if (error instanceof CsvError) throw new DataProblem(`Expected ${name} to be CSV with a header: ${error.message}`);
    throw error;
  }
}

/**
 * Splits CSV without quotes at its commas, which takes a fifth of the package's time. Returns undefined for content that needs
 * the package, such as another line ending, a line with other columns than the header, or spaces around a value.
 */
function plainRecords(text: string, name: string): QuestionRecord[] | undefined {
  if (/["\r]|[ \t\f](?:,|\n|$)|(?:^|,|\n)[ \t\f]/.test(text)) return undefined;
  const records: QuestionRecord[] = [];
  let header: readonly string[] | undefined;
  for (let [from, at] = [0, 1]; from < text.length; at++) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    const values = text.slice(from, end).split(",");
    const isEmpty = end === from;
    from = end + 1;
    if (isEmpty) continue;
    if (header === undefined) {
      header = onceEach(values, name);
      if (header.includes("__proto__")) return undefined;
      continue;
    }
    if (values.length !== header.length) return undefined;
    const value: Record<string, Json> = {};
    for (const [index, column] of header.entries()) value[column] = values[index]!;
    records.push({ value, at });
  }
  return records;
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
  return (value as readonly Json[]).map((each, index) => checked(each, name, index));
}

function checked(value: Json, name: string, at: number): QuestionRecord {
  if (isRecord(value)) return { value, at };
  throw new DataProblem(
    `Expected ${placeIn(name, at)} to be an object with \`question\` and \`answer\`, got \`${JSON.stringify(value)}\``,
  );
}

const fields = ["id", "question", "answer"];
const taskFields = ["tools", "check", "rubric"];

/**
 * Returns the facet columns, which are those not in `own`, with true for columns that contain only numbers. CSV values are all
 * text; JSON numbers are numbers.
 */
function facetsOf(
  records: readonly QuestionRecord[],
  own: readonly string[],
  isNumber: (value: Json) => boolean,
): ReadonlyMap<string, boolean> {
  const numeric = new Map<string, boolean>();
  for (const { value } of records) addFacets(numeric, value, own, isNumber);
  return numeric;
}

function addFacets(
  numeric: Map<string, boolean>,
  record: JsonRecord,
  own: readonly string[],
  isNumber: (value: Json) => boolean,
): void {
  for (const name of Object.keys(record)) {
    if (own.includes(name)) continue;
    const known = numeric.get(name) ?? true;
    const facet = known ? given(record, name) : undefined;
    numeric.set(name, known && (facet === undefined || isNumber(facet)));
  }
}

const readsAsNumber = (value: Json) => String(value).trim() !== "" && Number.isFinite(Number(value));

function questionOf(
  { value, at }: QuestionRecord,
  number: string,
  file: {
    readonly facets: ReadonlyMap<string, boolean>;
    readonly kind: QuestionKind;
    readonly where: (at: number) => string;
  },
): Question {
  const where = () => file.where(at);
  const texts = textsOf(value, file.kind, where);
  const facets: [string, Facets[string]][] = [];
  for (const [name, isNumber] of file.facets) {
    const facet = given(value, name);
    if (facet !== undefined) facets.push([name, isNumber ? Number(facet) : textOf(facet)]);
  }
  return { id: idOf(value) ?? number, ...texts, facets: Object.fromEntries(facets) };
}

/** Returns the id of a record; undefined if the record is identified by its number. */
const idOf = ({ id }: JsonRecord): string | undefined => (id === undefined || id === "" ? undefined : textOf(id));

/** Returns the fields that are not facets. Throws `DataProblem` if one is missing. */
function textsOf(value: JsonRecord, kind: QuestionKind, where: () => string) {
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
      `Expected \`${name}\` in ${where()}, got ${Object.hasOwn(record, name) ? "nothing" : `no such column (${Object.keys(record).join(", ").slice(0, 200)})`}`,
    );
  return textOf(value);
}

function given(record: JsonRecord, name: string): Json | undefined {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return value === null || value === "" ? undefined : value;
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
