/**
 * The manifest of a folder of generated tasks: the number of records in each file, and its hash. Without it, a truncated file
 * would not be detected.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, closeSync, openSync, readSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { replaceFiles, replaceFile } from "./replace-file.ts";
import { fallback } from "../work/fallback.ts";

export const manifestFile = "manifest.json";

/** `records`: lines that are not blank, in files with one record per line. */
type Entry = { readonly sha256: string; readonly records?: number };

/**
 * Writes files into an existing folder, with their manifest. The manifest is replaced first, so that the files of a killed
 * program do not match it. Throws `Problem` with the name of the file.
 */
export function writeWithManifest(folder: string, files: readonly (readonly [string, string])[]): void {
  const entries = files.map(([name, text]) => [name, entryOf(name, Buffer.from(text, "utf8"))] as const);
  const manifest = `${JSON.stringify({ files: Object.fromEntries(entries) }, null, 1)}\n`;
  replaceFiles(
    [[manifestFile, manifest] as const, ...files].map(([name, text]) => [join(folder, name), text] as const),
  );
}

export const hasManifest = (folder: string): boolean => existsSync(join(folder, manifestFile));

/**
 * Returns, as a sentence, how a folder differs from its manifest; undefined if it matches, or if Planwright wrote no manifest for
 * it.
 */
export function manifestProblem(folder: string): string | undefined {
  for (const [name, { sha256, records }] of entriesIn(join(folder, manifestFile))) {
    const file = join(folder, name);
    if (!existsSync(file)) return `${name}: listed in ${manifestFile}, but missing from ${folder}`;
    const found = entryOf(name, readFileSync(file));
    if (found.sha256 === sha256) continue;
    if (records !== undefined && records !== found.records)
      return `${name}: expected ${records} records according to ${manifestFile}, got ${found.records} (truncated?)`;
    return `${name}: its SHA-256 is not ${sha256.slice(0, 12)}..., as in ${manifestFile}`;
  }
  return undefined;
}

function entryOf(name: string, bytes: Buffer): Entry {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (!name.endsWith(".jsonl")) return { sha256 };
  const lines = bytes.toString("utf8").split("\n");
  return { sha256, records: lines.filter((line) => line.trim() !== "").length };
}

/** Empty if the file is missing, or belongs to another program. */
function entriesIn(path: string): readonly (readonly [string, Entry])[] {
  if (!existsSync(path)) return [];
  const files = filesOf(readFileSync(path, "utf8"));
  const entries = typeof files === "object" && files !== null ? Object.entries(files) : [];
  const isEntry = ([name, entry]: [string, Partial<Entry> | null]) =>
    basename(name) === name && typeof entry?.sha256 === "string";
  return entries.every(isEntry) ? (entries as [string, Entry][]) : [];
}

const filesOf = (manifest: string): unknown =>
  fallback(() => (JSON.parse(manifest) as { readonly files?: unknown } | null)?.files);

/** The suffix of a checksum file. */
export const checksumSuffix = ".sha256";

const PIECE = 1 << 20;

/**
 * Returns hexadecimal digits. Reads the file in parts, because it may be larger than memory. Throws if the file cannot be read.
 */
export function checksumOf(path: string): string {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(PIECE);
  const file = openSync(path, "r");
  try {
    for (let length = 0; (length = readSync(file, piece)) > 0;) hash.update(piece.subarray(0, length));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

/** Saves the checksum of a complete file next to it. */
export function noteChecksum(path: string): void {
  replaceFile(path + checksumSuffix, `${checksumOf(path)}  ${basename(path)}\n`);
}

/** Called before a file is replaced, because the saved checksum is not the new file's. */
export function forgetChecksum(path: string): void {
  rmSync(path + checksumSuffix, { force: true });
}

/** Returns the file's checksum if it differs from the saved one. */
export function changedChecksum(path: string): string | undefined {
  const found = checksumOf(path);
  return readFileSync(path + checksumSuffix, "utf8").split(" ")[0] === found ? undefined : found;
}
