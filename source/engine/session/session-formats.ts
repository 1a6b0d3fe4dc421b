/** Rejects a session with a file in a newer format, before any of its files is read or written. */
import { basename, join } from "node:path";
import { indexName } from "../log/file/indexed-log.ts";
import { logLines } from "../log/file/log-lines.ts";
import { requireFormat } from "../settings/format.ts";
import { parseJson } from "../text/json-record.ts";
import { fallback } from "../work/fallback.ts";
import { readSession } from "./document/session-document.ts";
import { readCellText } from "./cell-text.ts";
import type { SessionFolder } from "./session-folder.ts";

const files = ["events.jsonl", indexName, "rows.jsonl"];

/**
 * Throws `Problem` with the file and the version that reads it. Unreadable files are left to their readers, which do not check
 * the format again.
 */
export function requireReadable(folder: SessionFolder): void {
  if (!folder.exists()) return;
  requireFormat("notebook", folder.document, frontMatterOf(folder));
  for (const run of fallback(() => folder.runs(), [])) requireReadableRun(join(folder.path, "runs", run));
}

/** Does so for the run in this folder. */
export function requireReadableRun(folder: string): void {
  for (const file of files) requireFormat("run", join(basename(folder), file), firstValue(join(folder, file)));
}

/** Returns the fields of a notebook's front matter, which names a format only above 1. */
function frontMatterOf(folder: SessionFolder): unknown {
  const text = fallback(() => folder.read(), "");
  if (!text.startsWith("---") || !text.includes("format:")) return undefined;
  const [front] = readSession(text).segments;
  if (front?.kind !== "front-matter") return undefined;
  return readCellText(
    front.source,
    ({ fields }) => fields,
    () => undefined,
  );
}

/** Returns the value in the first line of a file, which may start with a checksum. */
function firstValue(path: string): unknown {
  return fallback(() => {
    for (const line of logLines(path)) {
      const text = line.toString("utf8");
      return parseJson(text.slice(Math.max(0, text.indexOf("{"))));
    }
    return undefined;
  }, undefined);
}
