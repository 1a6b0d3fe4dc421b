/** Inspect AI's log, as an `.eval` archive or as JSON, read as a recording. */
import { DataProblem, readText } from "../../text/json-lines.ts";
import { field, isRecord, type JsonRecord, listAt, textAt } from "../../text/json-record.ts";
import { parsePythonJson } from "../../text/python-json.ts";
import { isZipFile, ZipFile } from "../../text/zip-file.ts";
import type { Json } from "../../types.ts";
import { inspectTask } from "./inspect-sample.ts";
import type { Recording, RecordedTask } from "./recording.ts";

/** A log as an archive or as JSON. Throws `DataProblem` for any other file. */
export async function inspectFile(path: string): Promise<Recording> {
  if (isZipFile(path)) return archivedRecording(path);
  const value = parsePythonJson(await readText(path), path);
  if (isInspectDocument(value)) return recordedDocument(value, path);
  throw new DataProblem(`Expected ${path} to be a log of Inspect AI (.eval or .json), got something else`);
}

/** An archive. Its samples are read one after the other, when they are asked for. Throws `DataProblem`. */
export function archivedRecording(path: string): Recording {
  const zip = new ZipFile(path);
  try {
    // A log that was cut has only its start.
    const name = ["header.json", "_journal/start.json"].find((each) => zip.names.includes(each));
    if (name === undefined) throw new DataProblem(`Expected ${path} to be a log of Inspect AI, found no header in it`);
    const header = parsed(zip, name, path);
    expectSamples(zip.names.some(isSample), path);
    return recordingOf(header, path, (isOurs) => archivedTasks(path, isOurs));
  } finally {
    zip.close();
  }
}

/** A log as one JSON document. */
export function recordedDocument(document: JsonRecord, path: string): Recording {
  const samples = listAt(document, "samples");
  expectSamples(samples.length > 0, path);
  return recordingOf(document, path, (isOurs) =>
    samples
      .values()
      .filter(isRecord)
      .map((sample) => inspectTask(sample, isOurs)),
  );
}

/** Whether a JSON document is such a log. */
export function isInspectDocument(value: Json): value is JsonRecord {
  return isRecord(value) && isRecord(value["eval"]) && "status" in value && Array.isArray(value["samples"]);
}

const isSample = (name: string): boolean => /^samples\/.+\.json$/.test(name);

/** A log of what ended before its first sample has none. */
function expectSamples(areThere: boolean, path: string): void {
  if (!areThere) throw new DataProblem(`Expected samples in ${path}, found none`);
}

function* archivedTasks(path: string, isOurs: boolean): Generator<RecordedTask> {
  const zip = new ZipFile(path);
  try {
    for (const name of zip.names.filter(isSample)) {
      if (/_epoch_\d+\//.test(name))
        throw new DataProblem(`Expected each sample in ${path} to be one file, got \`${name}\`, one that is in pieces`);
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
  return parsePythonJson(zip.read(name)!.toString("utf8"), `\`${name}\` in ${path}`);
}

function recordingOf(header: Json, path: string, tasks: (isOurs: boolean) => Iterable<RecordedTask>): Recording {
  const own = field(header, "eval");
  if (!isRecord(own)) throw new DataProblem(`Expected ${path} to be a log of Inspect AI, found no \`eval\` in it`);
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
