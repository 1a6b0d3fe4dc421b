/** Reads the user's questions from CSV, JSON or JSON Lines. */
import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { DataProblem, parseJsonLines } from "../../../source/engine/text/json-lines.ts";
import { isRecord, type JsonRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { eventLoopYielder } from "../../../source/engine/work/event-loop.ts";
import { holdNewSpace } from "../../../source/engine/work/lean-heap.ts";
import type { Question, QuestionFile, QuestionKind } from "./question.ts";
import { PackedBlocks } from "./packed-file.ts";
import { type IndexedQuestions, indexQuestions } from "./question-index.ts";
import { questionsInLines } from "./question-lines.ts";
import { facetColumns, ownFields, questionOf, type QuestionRecord, readsAsNumber } from "./question-record.ts";

/**
 * Reads a file of questions. Every record needs `question` and `answer`; `id` defaults to the record's number, from 1. Any other
 * column is a facet, except `tools`, `check` and `rubric` of tasks. Throws `DataProblem` with file, record and field. Executes no
 * content of the file.
 */
export function readQuestions(path: string, kind: QuestionKind = "questions"): QuestionFile {
  const name = basename(path);
  const size = sizeOf(path);
  const found = size < largeFile ? undefined : indexQuestions(path, size, kind);
  if (found === undefined) return parseQuestions(textIn(readFileSync(path), name), name, kind);
  const { bytes, index } = found;
  const questionAt = questionsInLines(bytes, index);
  const count = index.places.length / 2;
  const release = holdNewSpace(count);
  const tasks = Array.from({ length: count }, (_, at) => questionAt(at));
  release();
  return { tasks, facets: [...index.facets.keys()] };
}

/**
 * Reads a large file of any form into packed bytes with places, which are quickly given to another thread. A form without places becomes
 * questions as JSON. Throws as `readQuestions` does.
 */
export function indexedQuestions(path: string, kind: QuestionKind): IndexedQuestions {
  const found = indexQuestions(path, sizeOf(path), kind);
  if (found !== undefined) return found;
  const name = basename(path);
  const { tasks, facets } = parseQuestions(textIn(readFileSync(path), name), name, kind);
  const places = new Uint32Array(2 * tasks.length);
  const pieces: Buffer[] = [];
  let end = 0;
  for (const [at, task] of tasks.entries()) {
    const piece = Buffer.from(JSON.stringify(task));
    pieces.push(piece);
    places.set([end, (end += piece.length)], 2 * at);
  }
  const isNumbered = tasks.every(({ id }, at) => id === String(at + 1));
  const columns = new Map(facets.map((facet) => [facet, false]));
  const form = { form: "question", kind, header: [], facets: columns } as const;
  const blocks = new PackedBlocks();
  blocks.add(Buffer.concat(pieces));
  return { bytes: blocks.whole(), index: { ...form, places, isNumbered } };
}

/** Lists the questions of such bytes in turns, because a million of them would block a screen for a tenth of a second. */
export async function listedInTurns({ bytes, index }: IndexedQuestions): Promise<QuestionFile> {
  const yieldIfDue = eventLoopYielder();
  const questionAt = questionsInLines(bytes, index);
  const count = index.places.length / 2;
  const release = holdNewSpace(count);
  // An array that grows would leave as much garbage again.
  const tasks: Question[] = Array.from({ length: count });
  for (let at = 0; at < tasks.length; at++) {
    tasks[at] = questionAt(at);
    if (at % 1000 === 0) await yieldIfDue();
  }
  release();
  return { tasks, facets: [...index.facets.keys()] };
}

/** Bytes of the largest file, and of a file whose questions are read on demand. */
const largestFile = 256 * 1024 * 1024;
export const largeFile = 512 * 1024;

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new DataProblem(`Expected a file of questions at ${path}, found ${found === undefined ? "none" : "no file"}`);
  const { size } = found;
  if (size > largestFile)
    throw new DataProblem(`Expected ${basename(path)} to have at most 256 MB, got ${Math.ceil(size / 1024 / 1024)} MB`);
  return size;
}

/** Decodes UTF-8. Throws `DataProblem` with the line for other encodings, which would lose letters. */
function textIn(bytes: Uint8Array, name: string): string {
  const text = Buffer.from(bytes).toString("utf8");
  if (isUtf8(bytes)) return text;
  // Undecodable bytes became the replacement character, which a valid text may also contain.
  const line = text.split("\n").findIndex((each) => each.includes("\uFFFD")) + 1;
  throw new DataProblem(`Expected ${name} to be UTF-8, but line ${line} is not: save the file as UTF-8`);
}

/** Parses questions from the text of a file; the extension of `name` selects the format. */
export function parseQuestions(text: string, name: string, kind: QuestionKind = "questions"): QuestionFile {
  const records = recordsOf(text.replace(/^\uFEFF/, ""), name);
  if (records.length === 0) throw new DataProblem(`Expected questions in ${name}, found none`);
  const facets = facetColumns(
    records,
    ownFields(kind),
    isCsv(name) ? readsAsNumber : (value) => typeof value === "number",
  );
  const where = (at: number) => placeIn(name, at);
  const tasks = records.map((record, index) => questionOf(record, String(index + 1), { facets, kind, where }));
  const ids = new Set<string>();
  for (const [index, { id }] of tasks.entries()) {
    if (ids.has(id))
      throw new DataProblem(
        `Expected each \`id\` to occur once in ${name}, found \`${id}\` again in ${where(records[index]!.at)}`,
      );
    ids.add(id);
  }
  return { tasks, facets: [...facets.keys()] };
}

const isCsv = (name: string) => extname(name).toLowerCase() === ".csv";

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
  throw new DataProblem(`Expected each column to occur once in ${name}, found \`${again}\` twice`);
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
