/** Detects by its contents whether a file is a recording of another program. */
import { boundedBytes, boundedLines } from "../../text/bounded-text.ts";
import { ReadBounds, type ReadLimits } from "../../text/read-bounds.ts";
import { isZipFile } from "../../text/zip-file.ts";
import { atifLines, atifRecording, isAtifDocument } from "./atif-recording.ts";
import { claudeCodeRecording } from "./claude-code-recording.ts";
import { otelRecording } from "./otel-recording.ts";
import { archivedRecording, readDocument, recordedDocument, isInspectDocument } from "./inspect-recording.ts";
import type { Recording } from "./recording.ts";
import { annotatedLogsEnding, annotatedRecording } from "./who-and-when-recording.ts";

/**
 * Reads Inspect AI's log as an archive or as JSON, or documents of ATIF, one as JSON or several as JSON Lines (plain or `.gz`), and
 * imported logs of Claude Code and spans.
 * Returns undefined for any other file. Throws `DataProblem` for a recording that is unreadable or over the limits.
 */
export async function recordingAt(path: string, limits?: ReadLimits): Promise<Recording | undefined> {
  const bounds = new ReadBounds(limits);
  if (isZipFile(path)) return archivedRecording(path, bounds);
  if (path.endsWith(annotatedLogsEnding)) return annotatedRecording(path, bounds);
  if (/\.atif\.jsonl(\.gz)?$/.test(path)) return atifRecording(() => atifLines(path, bounds), path);
  const lines = () => boundedLines(path, bounds, (text) => text);
  if (/\.claude-code\.jsonl(\.gz)?$/.test(path)) return claudeCodeRecording(lines, path);
  if (/\.otlp\.jsonl(\.gz)?$/.test(path)) return otelRecording(lines, path);
  if (!/\.json(\.gz)?$/.test(path)) return undefined;
  // Parses any other JSON; the caller rejects it if it is not a recording.
  if (!(await isLikelyRecording(path))) return undefined;
  const read = await readDocument(path, bounds);
  if (read === undefined) return undefined;
  const { document } = read;
  if (isInspectDocument(document)) return recordedDocument(read, path, bounds);
  if (!isAtifDocument(document)) return undefined;
  return atifRecording(async function* () {
    yield { number: 1, document };
  }, path);
}

/** Detects the format by the first bytes, to which no bound applies. */
async function isLikelyRecording(path: string): Promise<boolean> {
  for await (const part of boundedBytes(path, new ReadBounds({ most: Infinity })))
    return /"(eval|schema_version)"/.test(part.toString("utf8", 0, 4096));
  return false;
}
