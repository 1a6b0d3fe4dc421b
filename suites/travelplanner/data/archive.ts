/** Streams a file that is plain, gzipped, or the only entry of a zip archive. */
import { createReadStream } from "node:fs";
import { type Readable, type Transform, pipeline } from "node:stream";
import { createGunzip, createInflateRaw } from "node:zlib";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { ZipFile } from "../../../source/engine/text/zip-file.ts";

const CHUNK = 1 << 18;

/** Streams the content of `path`, chosen by its extension. Throws `DataProblem` with the file name if it is damaged. */
export async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* sourceOf(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof DataProblem || (error as Error).name === "AbortError") throw error;
    throw new DataProblem(`Expected ${path} to be a complete, readable file: ${(error as Error).message}`);
  }
}

function sourceOf(path: string): Readable {
  const settings = { highWaterMark: CHUNK };
  if (path.endsWith(".gz")) return through(createReadStream(path, settings), createGunzip({ chunkSize: CHUNK }));
  if (!path.endsWith(".zip")) return createReadStream(path, settings);
  const { method, start, packed } = onlyEntry(path);
  const data = createReadStream(path, { ...settings, start, end: start + packed - 1 });
  return method === 0 ? data : through(data, createInflateRaw({ chunkSize: CHUNK }));
}

/** Pipes the file into the unpacker, so that its errors reach the reader of the unpacked stream. */
const through = (file: Readable, unpack: Transform): Readable => pipeline(file, unpack, () => {});

/** Returns the byte range of the archive's only file, ignoring macOS's metadata files. */
function onlyEntry(path: string): { method: number; start: number; packed: number } {
  const archive = new ZipFile(path);
  try {
    const [name, ...more] = archive.names.filter((each) => !each.endsWith("/") && !each.startsWith("__MACOSX/"));
    if (name === undefined || more.length > 0)
      throw new DataProblem(`Expected one file in ${path}, found ${name === undefined ? 0 : more.length + 1}`);
    const place = archive.placeOf(name)!;
    if (place.method === 0 || place.method === 8) return place;
    throw new DataProblem(
      `Expected ${path} to be compressed by method 8 (deflate) or 0 (none), got method ${place.method}`,
    );
  } finally {
    archive.close();
  }
}
