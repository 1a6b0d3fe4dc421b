/** Finds out whether a file is a recording of another program, by what stands in it. */
import { parseJsonLines, readText } from "../../text/json-lines.ts";
import { parsePythonJson } from "../../text/python-json.ts";
import { isZipFile } from "../../text/zip-file.ts";
import { atifRecording, isAtifDocument } from "./atif-recording.ts";
import { archivedRecording, recordedDocument, isInspectDocument } from "./inspect-recording.ts";
import type { Recording } from "./recording.ts";

/**
 * Inspect AI's log as an archive or as JSON, or documents of ATIF, one as JSON or several as JSON Lines (plain or `.gz`). Undefined
 * for any other file. Throws `DataProblem` where it is one and cannot be read.
 */
export async function recordingAt(path: string): Promise<Recording | undefined> {
  if (isZipFile(path)) return archivedRecording(path);
  if (/\.atif\.jsonl(\.gz)?$/.test(path)) return atifRecording(parseJsonLines(await readText(path), path), path);
  if (!/\.json(\.gz)?$/.test(path)) return undefined;
  const text = await readText(path);
  // Any other JSON is read, and refused where it is none, by who asked.
  if (!/"(eval|schema_version)"/.test(text.slice(0, 4096))) return undefined;
  const value = parsePythonJson(text, path);
  if (isInspectDocument(value)) return recordedDocument(value, path);
  return isAtifDocument(value) ? atifRecording([{ number: 1, value }], path) : undefined;
}
