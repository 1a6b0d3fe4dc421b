/** Reads untrusted files part by part, within limits: only a line, or a part of a document, is in memory at a time. */
import { constants } from "node:buffer";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { DataProblem, longestLine } from "./json-lines.ts";
import { declaredSize, type ReadBounds } from "./read-bounds.ts";
import { longBytes, releaseBytes, releaseText } from "../work/release-bytes.ts";

const chunk = 256 * 1024;

/**
 * Yields the bytes of a file, unpacked when its name ends in `.gz`; a part is valid until the next one is requested. Throws
 * `DataProblem` naming the file, for example if the file exceeds the limits.
 */
export async function* boundedBytes(path: string, bounds: ReadBounds): AsyncGenerator<Buffer> {
  bounds.expect(path, declaredSize(path));
  const take = bounds.begin(path);
  for await (const part of path.endsWith(".gz") ? unpackedParts(path) : plainParts(path)) {
    take(part.length);
    yield part;
  }
}

/** Yields parts that all use the same memory, because separate memory would accumulate until garbage is collected. */
async function* plainParts(path: string): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(chunk);
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunk);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* unpackedParts(path: string): AsyncGenerator<Buffer> {
  const unpacked = pipeline(createReadStream(path), createGunzip({ chunkSize: chunk }), () => {});
  try {
    yield* unpacked as AsyncIterable<Buffer>;
  } catch (error) {
    throw new DataProblem(`Expected ${path} to be a complete gzip file: ${(error as Error).message}`);
  }
}

/** Resolves to the whole text of a file. Throws the same errors. */
export async function boundedText(path: string, bounds: ReadBounds): Promise<string> {
  const text = new GrowingText(path);
  for await (const part of boundedBytes(path, bounds)) text.add(part);
  return text.take();
}

/**
 * Yields the result of `read` for each non-blank line of a file and its 1-based number: the line itself is released before the
 * next step. Throws `DataProblem` naming file and line.
 */
export async function* boundedLines<Read>(
  path: string,
  bounds: ReadBounds,
  read: (text: string, number: number) => Read,
): AsyncGenerator<Read> {
  const line = new GrowingText(`a line of ${path}`);
  let number = 1;
  const ended = () => {
    const { length } = line;
    const found = readLine(line, number, read);
    releaseText(length);
    return found;
  };
  for await (const part of boundedBytes(path, bounds)) {
    for (let from = 0; from <= part.length;) {
      const end = part.indexOf(10, from);
      line.add(part.subarray(from, end === -1 ? part.length : end));
      if (line.length > longestLine)
        throw new DataProblem(
          `Expected line ${number} of ${path} to have at most ${longestLine / 1024 / 1024} MB, got more`,
        );
      if (end === -1) break;
      yield* ended();
      number += 1;
      from = end + 1;
    }
  }
  yield* ended();
}

/**
 * Processes the text in a separate function, because the caller's frame would keep it in memory while the result is processed.
 */
function readLine<Read>(line: GrowingText, number: number, read: (text: string, number: number) => Read) {
  const text = line.take();
  return text.trim() === "" ? [] : [read(text, number)];
}

/** Collects bytes that arrive in parts, as one text. */
export class GrowingText {
  readonly #name: string;
  #bytes = Buffer.alloc(0);
  length = 0;

  /** `name` is used in errors. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Throws `DataProblem` if the text exceeds the length of a string. */
  add(part: Uint8Array): void {
    const length = this.length + part.length;
    if (length > constants.MAX_STRING_LENGTH) throw tooLong(this.#name, length);
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, Math.ceil(this.#bytes.length * 1.5)));
      grown.set(this.#bytes.subarray(0, this.length));
      releaseBytes(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(part, this.length);
    this.length = length;
  }

  /** Returns the text and starts again. */
  take(): string {
    const bytes = this.#bytes.subarray(0, this.length);
    this.length = 0;
    // Short texts do not keep the memory of an earlier long one.
    const isLong = this.#bytes.length > longBytes;
    if (isLong) this.#bytes = Buffer.alloc(0);
    return textOf(bytes, this.#name, isLong);
  }
}

const tooLong = (name: string, length: number) =>
  new DataProblem(`Expected ${name} to have at most 512 MB, got ${Math.ceil(length / 1024 / 1024)} MB or more`);

/**
 * Returns the text of bytes. After their last use (`isLast`), their memory is released at once. Throws `DataProblem` naming
 * `name` if the text exceeds the length of a string.
 */
export function textOf(bytes: Buffer, name: string, isLast = true): string {
  const { length } = bytes;
  try {
    return bytes.toString("utf8");
  } catch {
    throw tooLong(name, length);
  } finally {
    if (isLast) releaseBytes(bytes);
  }
}
