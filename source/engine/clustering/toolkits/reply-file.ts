/** A file of cached replies, JSON Lines of key and text. It is append-only, so that only new lines have to be read. */
import { existsSync } from "node:fs";
import { open, appendFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";

type FileState = { readonly texts: Map<string, string>; bytes: number };

/** Open files by path. Replies are sentences: replies for 47,000 APIs take about 10 MB. */
const files = new Map<string, Promise<FileState>>();

/** Returns the texts of the file by key, not to be modified. Lines that cannot be parsed are left out. */
export function readReplies(path: string): Promise<ReadonlyMap<string, string>> {
  const before = files.get(path) ?? Promise.resolve({ texts: new Map(), bytes: 0 });
  const now = before.then((read) => readNew(path, read));
  files.set(path, now);
  now.catch(() => files.delete(path));
  return now.then(({ texts }) => texts);
}

/**
 * Reads the lines added since the last call. A last line without a line break is still being written, by this or another program.
 */
async function readNew(path: string, read: FileState): Promise<FileState> {
  if (!existsSync(path)) return { texts: new Map(), bytes: 0 };
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // The file was replaced.
    const { texts, bytes } = size < read.bytes ? { texts: new Map<string, string>(), bytes: 0 } : read;
    const added = Buffer.alloc(size - bytes);
    const { bytesRead } = await file.read(added, 0, added.length, bytes);
    const end = added.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    for (const line of added.toString("utf8", 0, end).split("\n")) add(texts, line);
    return { texts, bytes: bytes + end };
  } finally {
    await file.close();
  }
}

function add(texts: Map<string, string>, line: string): void {
  const reply = parseReply(line);
  if (reply !== undefined) texts.set(reply.key, reply.text);
}

/** Returns key and text of a line; undefined if it cannot be parsed, in which case the text is requested again. */
export function parseReply(line: string): { readonly key: string; readonly text: string } | undefined {
  try {
    const value = JSON.parse(line) as { key?: unknown; text?: unknown } | null;
    return typeof value?.key === "string" && typeof value.text === "string"
      ? { key: value.key, text: value.text }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Appends whole lines, and makes the folder if necessary. Never rejects, because a full disk or a read-only folder must not fail
 * a run.
 */
export async function appendToCache(path: string, lines: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    await appendFile(path, lines);
  } catch {
    // Readers skip a truncated line.
  }
}
