/** Reads JSON and JSON Lines, also gzipped, with errors that name file and line. */
import { constants } from "node:buffer";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Json } from "../types.ts";

const unzip = promisify(gunzip);

/** A missing or invalid file; the message explains what to do. */
export class DataProblem extends Error {
  override readonly name = "DataProblem";
}

/** A missing file of a data set. */
export class MissingFile extends DataProblem {}

/** Limit in bytes: longer lines of JSON Lines are refused before they are decoded. */
export const longestLine = 64 * 1024 * 1024;

/** Returns the path of a data file that may be gzipped: `path` itself if it exists, otherwise `path` with `.gz`. */
export const plainOrGzipped = (path: string): string => (existsSync(path) ? path : `${path}.gz`);

/**
 * Reads the text of a file, unzipped if its name ends in `.gz`. Throws `DataProblem` with the file and, for JSON Lines, the line
 * that is too long.
 */
export async function readText(path: string): Promise<string> {
  if (!existsSync(path)) throw new MissingFile(`Expected a file at ${path}, found none`);
  const bytes = await unpacked(path);
  if (/\.jsonl(\.gz)?$/.test(path)) refuseLongLine(bytes, path);
  try {
    return bytes.toString("utf8");
  } catch {
    throw new DataProblem(
      `Expected ${path} to have at most ${megabytes(constants.MAX_STRING_LENGTH)}, got ${megabytes(bytes.length)}`,
    );
  }
}

async function unpacked(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ERR_FS_FILE_TOO_LARGE" ? new DataProblem(`${path}: ${error.message}`) : error;
  });
  if (!path.endsWith(".gz")) return bytes;
  try {
    return await unzip(bytes);
  } catch (error) {
    throw new DataProblem(`Expected ${path} to be a complete gzip file: ${(error as Error).message}`);
  }
}

function refuseLongLine(bytes: Buffer, path: string): void {
  if (bytes.length <= longestLine) return;
  let number = 1;
  for (let from = 0; from < bytes.length; number++) {
    const end = bytes.indexOf(10, from);
    const length = (end === -1 ? bytes.length : end) - from;
    if (length > longestLine)
      throw new DataProblem(
        `Expected line ${number} of ${path} to have at most ${megabytes(longestLine)}, got ${megabytes(length)}`,
      );
    from += length + 1;
  }
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;

/** Reads one JSON value. Throws `DataProblem` naming the file. */
export async function readJson(path: string): Promise<Json> {
  const text = await readText(path);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new DataProblem(`Expected ${path} to be JSON: ${(error as Error).message}`);
  }
}

type Line = { readonly number: number; readonly value: Json; readonly text: string };

/** Returns parsed lines with their 1-based numbers; `name` is used in errors. */
export const parseJsonLines = (text: string, name: string): Line[] => [...parsedLines(text, name)];

/** Yields records one at a time, so that a file is only parsed as far as it is read. */
export function* parsedLines(text: string, name: string): Generator<Line> {
  let number = 0;
  for (const line of text.split("\n")) {
    number += 1;
    if (line.trim() === "") continue;
    try {
      yield { number, value: JSON.parse(line) as Json, text: line };
    } catch (error) {
      throw new DataProblem(`Expected line ${number} of ${name} to be JSON: ${(error as Error).message}`);
    }
  }
}
