/** Reads data from a zip archive, such as a Python wheel, or a tar archive. Nothing in it is executed, and only requested files are unpacked. */
import { closeSync, createReadStream, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { ParsedTarEntry } from "modern-tar";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile, replaceFileAsItComes } from "../../engine/files/replace-file.ts";
import { ArgumentProblem } from "../shell/arguments.ts";

/**
 * Maximum size in bytes of the unpacked files, and of a zip archive. No benchmark needs more, and a zip archive is read into
 * memory.
 */
const most = 1024 ** 3;
/** Maximum size in bytes of a tar archive after gunzipping, including ignored files. */
const mostPassed = 16 * most;

/** Paths to unpack, relative to the data: files, and folders with everything below them. */
export type Wanted = { readonly files: readonly string[]; readonly folders: readonly string[] };

/** Returns true for a file, false for a folder or a missing path. */
export const isArchive = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/**
 * Calls `use` with a folder that contains the requested files of the archive, and removes the folder afterwards. The files may be
 * below one folder of the archive. No path can lead out of the folder. Throws `ArgumentProblem` if the file is not a zip or tar
 * archive or is too large.
 */
export async function withUnpacked<Result>(
  archive: string,
  wanted: Wanted,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const place = placesOf(wanted);
  const folder = mkdtempSync(join(tmpdir(), "planwright-data-"));
  let size = 0;
  const take = (bytes: number) => {
    size += bytes;
    if (size > most) throw new ArgumentProblem(`Expected the data in ${archive} to be at most 1 GB, got more`);
  };
  const kind = kindOf(archive);
  try {
    await (kind === "zip" ? unzip : untar)(archive, { folder, place, take });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (error instanceof ArgumentProblem) throw error;
    // A web stream wraps the error of an incomplete gzip file.
    const { message, cause } = error as Error;
    const reason = message === "" ? (cause as Error).message : message;
    throw new ArgumentProblem(`Expected ${archive} to be a complete ${kind} archive: ${reason}`);
  }
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Unpacking = {
  readonly folder: string;
  /** Returns the path of an entry relative to the data; undefined for an entry that was not requested. */
  place(name: string): string | undefined;
  /** Counts bytes before they are unpacked. Throws at the limit. */
  take(bytes: number): void;
};

function placesOf({ files, folders }: Wanted): Unpacking["place"] {
  const known = new Set(files);
  const isWanted = (path: string) => known.has(path) || folders.some((folder) => path.startsWith(`${folder}/`));
  const isPlain = (part: string) => part !== "" && part !== "." && part !== ".." && !/[\\\0:]/.test(part);
  return (name) => {
    const parts = name.replace(/^\.\//, "").split("/");
    if (!parts.every(isPlain)) return undefined;
    return [parts.join("/"), parts.slice(1).join("/")].find(isWanted);
  };
}

/** Detects the kind from the first bytes, because publishers' archives can have any name. */
function kindOf(archive: string): "zip" | "tar" {
  const start = Buffer.alloc(262);
  const file = openSync(archive, "r");
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return isGzip(start) || start.toString("latin1", 257, 262) === "ustar" ? "tar" : "zip";
}

const isGzip = (start: Buffer) => start[0] === 0x1f && start[1] === 0x8b;

async function unzip(archive: string, { folder, place, take }: Unpacking): Promise<void> {
  const { unzipSync } = await import("fflate");
  take(statSync(archive).size);
  const files = unzipSync(readFileSync(archive), {
    filter({ name, originalSize }) {
      if (place(name) === undefined) return false;
      take(originalSize);
      return true;
    },
  });
  for (const [name, bytes] of Object.entries(files)) {
    const path = place(name)!;
    if (path !== name && files[path] !== undefined) continue;
    makeFolder(dirname(join(folder, path)));
    replaceFile(join(folder, path), bytes);
  }
}

async function untar(archive: string, { folder, place, take }: Unpacking): Promise<void> {
  const { createTarDecoder } = await import("modern-tar");
  const entries = (Readable.toWeb(Readable.from(tarBytes(archive))) as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }),
  );
  for await (const { header, body } of entries as unknown as AsyncIterable<ParsedTarEntry>) {
    const path = header.type === "file" ? place(header.name) : undefined;
    if (path === undefined) {
      // A cancelled body that is not empty stops the archive.
      for await (const _ of body as unknown as AsyncIterable<Uint8Array>);
      continue;
    }
    take(header.size);
    makeFolder(dirname(join(folder, path)));
    await replaceFileAsItComes(join(folder, path), body as unknown as AsyncIterable<Uint8Array>);
  }
}

async function* tarBytes(archive: string): AsyncIterable<Uint8Array> {
  const packed = createReadStream(archive);
  const start = Buffer.alloc(2);
  const file = openSync(archive, "r");
  readSync(file, start, 0, 2, 0);
  closeSync(file);
  let passed = 0;
  const unpacked = createGunzip();
  packed.on("error", (error) => unpacked.destroy(error));
  for await (const chunk of (isGzip(start) ? packed.pipe(unpacked) : packed) as AsyncIterable<Buffer>) {
    passed += chunk.length;
    if (passed > mostPassed)
      throw new ArgumentProblem(`Expected ${archive} to be at most 16 GB when unpacked, got more`);
    yield chunk;
  }
}
