/** Reads Inspect AI's log, as an `.eval` archive or as JSON, as a recording. */
import { boundedBytes, textOf } from "../../text/bounded-text.ts";
import { DataProblem } from "../../text/json-lines.ts";
import { field, isRecord, type JsonRecord, listAt, textAt } from "../../text/json-record.ts";
import { parsePythonJson } from "../../text/python-json.ts";
import { declaredSize, type ReadBounds } from "../../text/read-bounds.ts";
import { SplitDocument } from "../../text/split-document.ts";
import { isZipFile, ZipFile } from "../../text/zip-file.ts";
import type { Json } from "../../types.ts";
import { inspectTask } from "./inspect-sample.ts";
import type { Recording, RecordedTask } from "./recording.ts";

/** Reads a log as an archive or as JSON. Throws `DataProblem` for any other file, and for a file over the bounds. */
export async function inspectFile(path: string, bounds: ReadBounds): Promise<Recording> {
  if (isZipFile(path)) return archivedRecording(path, bounds);
  const read = await readDocument(path, bounds);
  if (isRecord(read?.document) && isInspectDocument(read.document)) return recordedDocument(read, path, bounds);
  throw new DataProblem(`Expected ${path} to be a log of Inspect AI (.eval or .json), got something else`);
}

/**
 * Reads an archive. Its samples are read one by one on demand. Throws `DataProblem`, before unpacking, for an archive whose
 * declared file sizes exceed the limits.
 */
export function archivedRecording(path: string, bounds: ReadBounds): Recording {
  bounds.expect(path, declaredLog(path));
  const zip = new ZipFile(path);
  try {
    // A truncated log has only its start.
    const name = heads.find((each) => zip.names.includes(each));
    if (name === undefined) throw new DataProblem(`Expected ${path} to be a log of Inspect AI, found no header`);
    const header = parsed(zip, name, path);
    expectSamples(zip.names.some(isSample), path);
    return recordingOf(header, path, (isOurs) => archivedTasks(path, isOurs, bounds));
  } finally {
    zip.close();
  }
}

/** Returns the declared unpacked size of a log in bytes, without unpacking. Throws `DataProblem` for a broken archive. */
export function declaredLog(path: string): number {
  if (!isZipFile(path)) return declaredSize(path);
  const zip = new ZipFile(path);
  try {
    return zip.sizeOf(zip.names.filter((name) => isSample(name) || heads.includes(name)));
  } finally {
    zip.close();
  }
}

const heads = ["header.json", "_journal/start.json"];

/** A JSON object without its samples, and their number. */
export type ReadDocument = { readonly document: JsonRecord; readonly samples: number };

/**
 * Reads a whole JSON object without keeping its samples; undefined if the file is not an object. Throws `DataProblem` for a
 * truncated object or an object over the limits.
 */
export async function readDocument(path: string, bounds: ReadBounds): Promise<ReadDocument | undefined> {
  const split = new SplitDocument<never>("samples");
  for await (const part of boundedBytes(path, bounds)) {
    split.take(part);
    if (split.isOther) return undefined;
  }
  const { rest, isWhole } = split.end();
  if (!isWhole) throw new DataProblem(`Expected ${path} to be JSON`);
  const document = parsePythonJson(rest, path);
  return isRecord(document) ? { document, samples: split.count } : undefined;
}

/** Reads a log in one JSON document; its samples are read one by one, as in an archive. */
export function recordedDocument({ document, samples }: ReadDocument, path: string, bounds: ReadBounds): Recording {
  expectSamples(samples > 0, path);
  return recordingOf(document, path, async function* (isOurs) {
    const split = new SplitDocument("samples", (text, number) => parsePythonJson(text, `sample ${number} of ${path}`));
    for await (const part of boundedBytes(path, bounds))
      for (const sample of split.take(part)) if (isRecord(sample)) yield inspectTask(sample, isOurs);
  });
}

/** Returns true if a JSON document is a log of Inspect AI. */
export const isInspectDocument = (value: JsonRecord): boolean =>
  isRecord(value["eval"]) && "status" in value && Array.isArray(value["samples"]);

const isSample = (name: string): boolean => /^samples\/.+\.json$/.test(name);

/** Rejects a log without samples, which a run leaves if it ends before its first sample. */
function expectSamples(areThere: boolean, path: string): void {
  if (!areThere) throw new DataProblem(`Expected samples in ${path}, found none`);
}

async function* archivedTasks(path: string, isOurs: boolean, bounds: ReadBounds): AsyncGenerator<RecordedTask> {
  const zip = new ZipFile(path);
  const take = bounds.begin(path);
  try {
    for (const name of zip.names.filter(isSample)) {
      if (/_epoch_\d+\//.test(name))
        throw new DataProblem(`Expected each sample in ${path} to be one file, got the partial file \`${name}\``);
      take(zip.sizeOf([name]));
      const sample = parsed(zip, name, path);
      if (!isRecord(sample))
        throw new DataProblem(`Expected \`${name}\` in ${path} to be a sample, got something else`);
      yield inspectTask(sample, isOurs);
    }
  } finally {
    zip.close();
  }
}

function parsed(zip: ZipFile, name: string, path: string): Json {
  const place = `\`${name}\` in ${path}`;
  return parsePythonJson(textOf(zip.read(name)!, place), place);
}

function recordingOf(header: Json, path: string, tasks: (isOurs: boolean) => AsyncIterable<RecordedTask>): Recording {
  const own = field(header, "eval");
  if (!isRecord(own)) throw new DataProblem(`Expected ${path} to be a log of Inspect AI, found no \`eval\``);
  const ours = field(field(own, "metadata"), "planwright");
  const spec = field(ours, "spec");
  return {
    source: `Inspect AI's log of ${textAt(own, "task") || "a task"}`,
    spec,
    warnings: listAt(ours, "warnings").filter((each) => typeof each === "string"),
    model: textAt(own, "model") || undefined,
    tasks: () => tasks(spec !== undefined),
  };
}
