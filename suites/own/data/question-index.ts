/** Finds the records of a large file of questions without keeping any: their places, their facets, and whether ids are repeated. */
import { extname } from "node:path";
import { isRecord, type JsonRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { CsvPlaces, csvValues } from "./csv-places.ts";
import { JsonPlaces } from "./json-places.ts";
import { FilePieces, type PackedBytes } from "./packed-file.ts";
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

/** The bytes of a large file with the places of its questions, as one thread gives them to another. */
export type IndexedQuestions = { readonly bytes: PackedBytes; readonly index: QuestionIndex };

/**
 * Checks all records of a file of `size` bytes. Returns undefined for anything that needs the other reader: an error, which it
 * reports, a list, values of CSV that only the package reads.
 */
export function indexQuestions(path: string, size: number, kind: QuestionKind): IndexedQuestions | undefined {
  const form = extname(path).toLowerCase();
  if (form !== ".jsonl" && (form !== ".csv" || kind !== "questions")) return undefined;
  using file = new FilePieces(path, size);
  try {
    file.next(0);
    const first = file.bytes.toString("latin1", 0, 3) === "\u00ef\u00bb\u00bf" ? 3 : 0;
    const index = form === ".csv" ? indexCsv(file, size, first) : indexJson(file, size, first, kind);
    return index && { bytes: file.blocks.whole(), index };
  } catch {
    return undefined;
  }
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
  readonly #file: FilePieces;
  /** Grows in place: copies of a growing array would stay in the memory of the program. */
  readonly #places: Uint32Array<ArrayBuffer>;
  #length = 0;
  readonly #ids: RecordIds;

  constructor(file: FilePieces, size: number, idIn: (text: string) => string | undefined) {
    this.#file = file;
    const maxByteLength = placeBytes * Math.ceil((size + 1) / shortest);
    this.#places = new Uint32Array(new ArrayBuffer(0, { maxByteLength }));
    this.#ids = new RecordIds((at) => idIn(file.text(this.#places[2 * at]!, this.#places[2 * at + 1]!)));
  }

  /** Adds a record of the piece in memory; returns false if an earlier one has its id. */
  add(from: number, to: number, id: string | undefined): boolean {
    const at = 2 * this.#length;
    const { buffer } = this.#places;
    if (at === this.#places.length)
      buffer.resize(Math.min(buffer.maxByteLength, 2 * buffer.byteLength + placeBytes * atFirst));
    this.#places[at] = this.#file.from + from;
    this.#places[at + 1] = this.#file.from + to;
    return this.#ids.isNew(id, this.#length++);
  }

  index(given: Omit<QuestionIndex, "places" | "isNumbered">): QuestionIndex | undefined {
    if (this.#length === 0) return undefined;
    this.#places.buffer.resize(placeBytes * this.#length);
    return { ...given, places: this.#places, isNumbered: this.#ids.areNumbers };
  }
}

function indexJson(file: FilePieces, size: number, first: number, kind: QuestionKind): QuestionIndex | undefined {
  const own = ownFields(kind);
  const facets = new Map<string, boolean>();
  const records = new Records(file, size, (text) => recordId(JSON.parse(text) as JsonRecord));
  const line = new JsonPlaces(file.bytes);
  const add = (from: number, to: number): boolean => {
    if (kind === "questions" && line.read(from, to) && isComplete(line)) {
      for (const [at, name] of line.names.entries())
        if (line.values[at] === "text" && facets.has(name)) facets.set(name, false);
      const id = line.names.indexOf("id");
      const hasId = id >= 0 && line.values[id] !== undefined && line.values[id] !== "empty";
      return records.add(from, to, hasId ? line.text(id) : undefined);
    }
    const text = file.bytes.toString("utf8", from, to);
    if (text.trim() === "") return true;
    const value = JSON.parse(text) as Json;
    if (!isRecord(value)) return false;
    for (const name of Object.keys(value)) line.add(name);
    addRecordFacets(facets, value, own, (facet) => typeof facet === "number");
    questionTexts(value, kind, () => "");
    return records.add(from, to, recordId(value));
  };
  for (let from = first; ;) {
    const to = file.bytes.indexOf(10, from);
    if (to < 0 && file.next(from)) {
      line.bytes = file.bytes;
      from = 0;
      continue;
    }
    if (!add(from, to < 0 ? file.bytes.length : to)) return undefined;
    if (to < 0) return records.index({ form: "json", kind, header: [], facets });
    from = to + 1;
  }
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
function indexCsv(file: FilePieces, size: number, first: number): QuestionIndex | undefined {
  const lines = new CsvPlaces(file.bytes, first);
  if (!nextRecord(lines, file)) return undefined;
  const header = lines.texts();
  if (header.includes("__proto__") || header.includes("") || new Set(header).size < header.length) return undefined;
  if (!header.includes("question") || !header.includes("answer")) return undefined;
  const facets = new Map<string, boolean>(
    header.flatMap((column) => (questionFields.includes(column) ? [] : [[column, true] as const])),
  );
  const records = new Records(file, size, (text) => recordId(recordIn("csv", header, text)));
  const isGiven = (column: number) => !lines.isEmpty(column);
  const ofId = header.indexOf("id");
  while (nextRecord(lines, file)) {
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

/** Goes to the next record, and reads on in the file if the piece in memory may end within it. */
function nextRecord(lines: CsvPlaces, file: FilePieces): boolean {
  for (let start = lines.end; ; start = 0) {
    const found = lines.next();
    if ((found && lines.to < file.bytes.length) || !file.next(start)) return found;
    lines.continue(file.bytes);
  }
}
