/** Finds the records of a large file of questions without keeping any: their places, their facets, and whether ids are repeated. */
import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import { isRecord, type JsonRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { CsvPlaces, csvValues } from "./csv-places.ts";
import { JsonPlaces } from "./json-places.ts";
import type { Question, QuestionKind } from "./question.ts";
import { addRecordFacets, ownFields, questionFields, questionOf, questionTexts } from "./question-record.ts";
import { readsAsNumber, recordId } from "./question-record.ts";
import { RecordIds } from "./record-ids.ts";

/** What a thread gives another one, besides the bytes. */
export type QuestionIndex = {
  /** `csv` and `json`: records as the file has them. `question`: questions as JSON, because the file was of another form. */
  readonly form: "csv" | "json" | "question";
  readonly kind: QuestionKind;
  /** The columns of CSV; empty for JSON. */
  readonly header: readonly string[];
  /** Columns of facets; true for those that contain only numbers. */
  readonly facets: ReadonlyMap<string, boolean>;
  /** Starts and exclusive ends of the records in the file's bytes. */
  readonly places: Uint32Array<ArrayBuffer>;
  /** True if the ids are the numbers of the records. */
  readonly isNumbered: boolean;
};

/**
 * Checks all records. Returns undefined for anything that needs the other reader: an error, which it reports, a list, values of
 * CSV that only the package reads.
 */
export function indexQuestions(bytes: Buffer, name: string, kind: QuestionKind): QuestionIndex | undefined {
  if (!isUtf8(bytes)) return undefined;
  const first = bytes.subarray(0, 3).toString("latin1") === "\u00ef\u00bb\u00bf" ? 3 : 0;
  const form = extname(name).toLowerCase();
  if (form === ".csv") return kind === "questions" ? indexCsv(bytes, first) : undefined;
  return form === ".jsonl" ? indexJson(bytes, first, name, kind) : undefined;
}

/** Returns the question of a record, whose number is counted from 0. */
export function indexedQuestion(
  { form, kind, header, facets }: Omit<QuestionIndex, "places" | "isNumbered">,
  text: string,
  at: number,
): Question {
  if (form === "question") return JSON.parse(text) as Question;
  return questionOf({ value: recordIn(form, header, text), at }, String(at + 1), { facets, kind, where: () => "" });
}

function recordIn(form: "csv" | "json", header: readonly string[], text: string): JsonRecord {
  if (form === "json") return JSON.parse(text) as JsonRecord;
  const values = csvValues(text);
  return Object.fromEntries(header.map((column, index) => [column, values[index]!]));
}

/** The fewest bytes of a record, such as `1,2` in a line. */
const shortest = 4;
/** Number of records for which there is room at first. */
const atFirst = 1_024;
/** Bytes of the places of a record. */
const placeBytes = 8;

/** Places of records, and their ids. */
class Records {
  /** Grows in place: copies of a growing array would stay in the memory of the program. */
  readonly #places: Uint32Array<ArrayBuffer>;
  #length = 0;
  readonly #ids: RecordIds;

  constructor(bytes: Buffer, idIn: (text: string) => string | undefined) {
    const maxByteLength = placeBytes * Math.ceil((bytes.length + 1) / shortest);
    this.#places = new Uint32Array(new ArrayBuffer(0, { maxByteLength }));
    this.#ids = new RecordIds((at) => idIn(bytes.toString("utf8", this.#places[2 * at], this.#places[2 * at + 1])));
  }

  /** Adds a record; returns false if an earlier one has its id. */
  add(from: number, to: number, id: string | undefined): boolean {
    const at = 2 * this.#length;
    const { buffer } = this.#places;
    if (at === this.#places.length)
      buffer.resize(Math.min(buffer.maxByteLength, 2 * buffer.byteLength + placeBytes * atFirst));
    this.#places[at] = from;
    this.#places[at + 1] = to;
    return this.#ids.isNew(id, this.#length++);
  }

  index(given: Omit<QuestionIndex, "places" | "isNumbered">): QuestionIndex | undefined {
    if (this.#length === 0) return undefined;
    this.#places.buffer.resize(placeBytes * this.#length);
    return { ...given, places: this.#places, isNumbered: this.#ids.areNumbers };
  }
}

function indexJson(bytes: Buffer, first: number, name: string, kind: QuestionKind): QuestionIndex | undefined {
  const own = ownFields(kind);
  const facets = new Map<string, boolean>();
  const records = new Records(bytes, (text) => recordId(JSON.parse(text) as JsonRecord));
  const line = new JsonPlaces(bytes);
  try {
    for (let [from, to] = [first, 0]; from < bytes.length; from = to + 1) {
      to = endOfLine(bytes, from);
      if (kind === "questions" && line.read(from, to) && isComplete(line)) {
        for (const [at, name] of line.names.entries())
          if (line.values[at] === "text" && facets.has(name)) facets.set(name, false);
        const id = line.names.indexOf("id");
        const hasId = id >= 0 && line.values[id] !== undefined && line.values[id] !== "empty";
        if (!records.add(from, to, hasId ? line.text(id) : undefined)) return undefined;
        continue;
      }
      const text = bytes.toString("utf8", from, to);
      if (text.trim() === "") continue;
      const value = JSON.parse(text) as Json;
      if (!isRecord(value)) return undefined;
      for (const name of Object.keys(value)) line.add(name);
      addRecordFacets(facets, value, own, (facet) => typeof facet === "number");
      questionTexts(value, kind, () => name);
      if (!records.add(from, to, recordId(value))) return undefined;
    }
  } catch {
    return undefined;
  }
  return records.index({ form: "json", kind, header: [], facets });
}

/** Returns true if the line has a question and an answer. */
function isComplete({ names, values }: JsonPlaces): boolean {
  const has = (name: string) => {
    const value = values[names.indexOf(name)];
    return value !== undefined && value !== "empty";
  };
  return has("question") && has("answer");
}

/** Reads the columns of CSV; see `csv-places.ts`. */
function indexCsv(bytes: Buffer, first: number): QuestionIndex | undefined {
  const lines = new CsvPlaces(bytes, first);
  if (!lines.next()) return undefined;
  const header = lines.texts();
  if (header.includes("__proto__") || header.includes("") || new Set(header).size < header.length) return undefined;
  if (!header.includes("question") || !header.includes("answer")) return undefined;
  const facets = new Map<string, boolean>(
    header.flatMap((column) => (questionFields.includes(column) ? [] : [[column, true] as const])),
  );
  const records = new Records(bytes, (text) => recordId(recordIn("csv", header, text)));
  const isGiven = (column: number) => !lines.isEmpty(column);
  const ofId = header.indexOf("id");
  while (lines.next()) {
    if (lines.columns !== header.length) return undefined;
    for (let column = 0; column < header.length; column++) {
      const known = header[column]!;
      if ((known === "question" || known === "answer") && !isGiven(column)) return undefined;
      if (facets.get(known) === true && isGiven(column) && !readsAsNumber(lines.text(column))) facets.set(known, false);
    }
    const id = ofId >= 0 && isGiven(ofId) ? lines.text(ofId) : undefined;
    if (!records.add(lines.from, lines.to, id)) return undefined;
  }
  return lines.isOdd ? undefined : records.index({ form: "csv", kind: "questions", header, facets });
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(10, from);
  return end < 0 ? bytes.length : end;
}
