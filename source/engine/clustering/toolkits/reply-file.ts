/** A file of kept replies, JSON Lines of key and text. It is only ever added to, so that what was read once stays read. */
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";

type Read = { readonly texts: Map<string, string>; bytes: number };

/** By path. Replies are sentences: those of 47,000 APIs are some 10 MB. */
const files = new Map<string, Promise<Read>>();

/** Texts by key as the file has them now; not to be changed. Lines that cannot be read are left out. */
export function keptReplies(path: string): Promise<ReadonlyMap<string, string>> {
  const before = files.get(path) ?? Promise.resolve({ texts: new Map(), bytes: 0 });
  const now = before.then((read) => readOn(path, read));
  files.set(path, now);
  now.catch(() => files.delete(path));
  return now.then(({ texts }) => texts);
}

/** Reads what was added since. A last line without its end is still being written, here or by another program. */
async function readOn(path: string, read: Read): Promise<Read> {
  if (!existsSync(path)) return { texts: new Map(), bytes: 0 };
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // Somebody began it anew.
    const { texts, bytes } = size < read.bytes ? { texts: new Map<string, string>(), bytes: 0 } : read;
    const added = Buffer.alloc(size - bytes);
    const { bytesRead } = await file.read(added, 0, added.length, bytes);
    const end = added.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    for (const line of added.toString("utf8", 0, end).split("\n")) keep(texts, line);
    return { texts, bytes: bytes + end };
  } finally {
    await file.close();
  }
}

function keep(texts: Map<string, string>, line: string): void {
  const kept = keptLine(line);
  if (kept !== undefined) texts.set(kept.key, kept.text);
}

/** Key and text of a line; undefined for one that cannot be read, so that what it held is asked for again. */
export function keptLine(line: string): { readonly key: string; readonly text: string } | undefined {
  try {
    const value = JSON.parse(line) as { key?: unknown; text?: unknown } | null;
    return typeof value?.key === "string" && typeof value.text === "string"
      ? { key: value.key, text: value.text }
      : undefined;
  } catch {
    return undefined;
  }
}
