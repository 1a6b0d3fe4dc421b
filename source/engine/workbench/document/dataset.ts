/**
 * Identifies the tasks and the catalogue of a data folder by the current contents of its files, so that scores of other tasks
 * cannot be mistaken for theirs.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { gunzipSync } from "node:zlib";
import { changedChecksum, checksumOf, checksumSuffix, manifestFile } from "../../files/manifest.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { installationNote } from "../../migration/installed-data.ts";
import type { Suite } from "../../suite.ts";
import type { RunSpec } from "../../types.ts";
import { stampOf } from "../../work/file-stamp.ts";
import { fallback } from "../../work/fallback.ts";

/** Stored metadata about the files, which is not itself one of them. */
const notes = [installationNote, manifestFile];

/** The files of a folder that were read, and the resulting identity. */
type Known = { readonly files: string; readonly identity: string | null };

/**
 * Reads each folder again only if a file changes its path, size, time or inode; with `kept`, also after a new start of the
 * program.
 */
export class DatasetIdentities {
  readonly #kept: string | undefined;
  #known: Record<string, Known> | undefined;

  /** `kept`: path of the cache file. */
  constructor(kept?: string) {
    this.#kept = kept;
  }

  /**
   * Returns an identifier that distinguishes these tasks and their catalogue from others of the same suite. Returns undefined for
   * data that version 0.1.0 included or checked, whose runs name no data set, and for suites without such identifiers.
   */
  of({ generate, data: { known } }: Suite, data: RunSpec["data"], folder: string): string | undefined {
    if (data === "sample") {
      const sample = filesIn(folder).filter((path) => !path.endsWith(".md"));
      return known === undefined
        ? undefined
        : this.#once(folder, sample, () => other(hashOfAll(folder, sample), known.sample));
    }
    const files = filesIn(folder);
    if (generate !== undefined) return this.#once(folder, files, () => hashOfAll(folder, files));
    if (known === undefined) return undefined;
    const named = files.filter((path) => known.files[nameIn(folder, path)] !== undefined);
    const built = files.filter((path) => files.includes(path + checksumSuffix));
    return this.#once(folder, [...named, ...built], () => hashOfChanged(folder, named, known.files, built));
  }

  /** Returns an identifier of the user's own data, which depends on all of their files. */
  ofFolder(folder: string): string | undefined {
    const files = filesIn(folder);
    return this.#once(folder, files, () => hashOfAll(folder, files));
  }

  /** Identifies the data of a user's own suite, whose files are unknown, by their hash. */
  ofOwn({ data: { files } }: Suite, data: RunSpec["data"], folder: string): string {
    const named = new Set(files.map(({ path }) => path));
    const all = filesIn(folder).filter((path) => data === "sample" || named.has(nameIn(folder, path)));
    return this.#once(folder, all, () => hashOfAll(folder, all))!;
  }

  #once(folder: string, files: readonly string[], read: () => string | undefined): string | undefined {
    const seen = hashOf(JSON.stringify(files.map((path) => [path, stampOf(path)])));
    this.#known ??= readKnown(this.#kept);
    const before = this.#known[folder];
    if (before?.files === seen) return before.identity ?? undefined;
    const identity = read();
    this.#known[folder] = { files: seen, identity: identity ?? null };
    this.#keep();
    return identity;
  }

  /** Returns the paths, sizes, times and inodes of a folder's files, which identify the files without reading them. */
  stampsIn(folder: string): string {
    return hashOf(JSON.stringify(filesIn(folder).map((path) => [nameIn(folder, path), stampOf(path)])));
  }

  /** Identifies a user's file, which is read again only if it changed; undefined if it does not exist. */
  ofFile(path: string): string | undefined {
    const stamp = stampOf(path);
    const known = this.#files.get(path);
    if (known !== undefined && known.stamp === stamp) return known.identity;
    const identity = existsSync(path) ? checksumOf(path).slice(0, 16) : undefined;
    this.#files.set(path, { stamp, identity });
    return identity;
  }

  /** Reads what `ofFile` needs, without blocking. */
  async readFile(path: string): Promise<void> {
    const stamp = stampOf(path);
    if (this.#files.get(path)?.stamp === stamp) return;
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    this.#files.set(path, { stamp, identity: hash.digest("hex").slice(0, 16) });
  }
  readonly #files = new Map<string, { readonly stamp: string | undefined; readonly identity: string | undefined }>();

  /** Data that cannot be cached are read again next time. */
  #keep(): void {
    if (this.#kept === undefined) return;
    try {
      replaceFile(this.#kept, JSON.stringify(this.#known), { durable: false });
    } catch {
      // The folder is not writable.
    }
  }
}

function readKnown(path: string | undefined): Record<string, Known> {
  try {
    const value: unknown = path === undefined ? {} : JSON.parse(readFileSync(path, "utf8"));
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, Known>) : {};
  } catch {
    return {};
  }
}

const other = (hash: string, known: string) => (hash === known ? undefined : hash);
const nameIn = (folder: string, path: string) => relative(folder, path).replaceAll("\\", "/");
const hashOf = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Returns the files of a folder, sorted. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !notes.includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Computes the identifier as version 0.1.0 did, so that its runs are found. */
function hashOfAll(folder: string, files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of files) hash.update(relative(folder, path)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex").slice(0, 16);
}

/**
 * Identifies the files that differ from the published files, and those that differ from their build; undefined if none does.
 * Compression makes no difference.
 */
function hashOfChanged(
  folder: string,
  files: readonly string[],
  known: Readonly<Record<string, string>>,
  built: readonly string[],
): string | undefined {
  const changed = files.flatMap((path) => {
    const name = nameIn(folder, path);
    const hash = hashOf(unpacked(path));
    return hash === known[name] ? [] : [[name, hash]];
  });
  for (const path of built) {
    const hash = changedChecksum(path);
    if (hash !== undefined) changed.push([nameIn(folder, path), hash]);
  }
  return changed.length === 0 ? undefined : hashOf(JSON.stringify(changed));
}

/** Unpacks a file. A damaged archive is identified by its bytes; reading its tasks reports the damage. */
function unpacked(path: string): Buffer {
  const bytes = readFileSync(path);
  return path.endsWith(".gz") ? fallback(() => gunzipSync(bytes), bytes) : bytes;
}
