/** Unpacks a notebook that another person has bundled. No part of it is executed. */
import { createReadStream, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { dirname, join, resolve, sep } from "node:path";
import { createGunzip } from "node:zlib";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { makeFolder } from "../../files/make-folder.ts";
import { replaceFileAsItComes } from "../../files/replace-file.ts";
import { Problem } from "../../problem.ts";
import { DataProblem } from "../../text/json-lines.ts";
import { ReadBounds, type ReadLimits } from "../../text/read-bounds.ts";
import { type BundleContents, bundleFile, readContents } from "./bundle-contents.ts";

/** Most files of a bundle. */
const mostFiles = 100_000;

/**
 * Unpacks a bundle into a folder that is empty or does not exist. Only plain files inside it are written, each path once. Throws
 * `Problem` or `DataProblem` if the file is not such an archive, is truncated, leads out of the folder or unpacks to more than
 * the limit; the folder is then unchanged.
 */
export async function readBundle(archive: string, folder: string, limits: ReadLimits = {}): Promise<BundleContents> {
  if (existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0))
    throw new Problem("tool", `Expected a new or empty folder, got ${folder}`);
  if (statSync(archive, { throwIfNoEntry: false })?.isFile() !== true)
    throw new DataProblem(`Expected a bundle at ${archive}, found none`);
  const isNew = !existsSync(folder);
  makeFolder(folder);
  try {
    await unpack(archive, folder, new ReadBounds({ remedy: (size) => `\`--most ${size}\` allows more`, ...limits }));
    const contents = join(folder, bundleFile);
    if (!existsSync(contents) || !existsSync(join(folder, "session.md")))
      throw new DataProblem(`Expected ${archive} to contain session.md and ${bundleFile}`);
    return readContents(readFileSync(contents, "utf8"));
  } catch (error) {
    if (isNew) rmSync(folder, { recursive: true, force: true });
    else for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

async function unpack(archive: string, folder: string, bounds: ReadBounds): Promise<void> {
  const take = bounds.begin(archive);
  const bytes = createReadStream(archive).pipe(createGunzip());
  const counted = async function* () {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      take(chunk.length);
      yield chunk;
    }
  };
  const entries = (Readable.toWeb(Readable.from(counted())) as ReadableStream<Uint8Array>).pipeThrough(
    createTarDecoder({ strict: true }),
  );
  const known = new Set<string>();
  try {
    for await (const entry of entries as unknown as AsyncIterable<ParsedTarEntry>) {
      if (entry.header.type === "directory") {
        await entry.body.cancel();
        continue;
      }
      const path = placeOf(entry, folder);
      if (known.has(path)) throw new DataProblem(`Expected each file once, got \`${entry.header.name}\` twice`);
      if (known.add(path).size > mostFiles) throw new DataProblem(`Expected at most ${mostFiles} files`);
      makeFolder(dirname(path));
      await replaceFileAsItComes(path, entry.body as unknown as AsyncIterable<Uint8Array>);
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof DataProblem) throw error;
    throw new DataProblem(`Expected ${archive} to be a complete bundle (.tgz): ${(error as Error).message}`);
  }
}

/** Returns the place of a file without the folder that the archive begins with. Throws `DataProblem` for all but plain files inside. */
function placeOf({ header: { name, type } }: ParsedTarEntry, folder: string): string {
  if (type !== "file") throw new DataProblem(`Expected plain files, got \`${name}\` (${type ?? "unknown"})`);
  const parts = name.split("/").slice(1);
  const isPlain = (part: string) => part !== "" && part !== "." && part !== ".." && !/[\\\0:]/.test(part);
  const path = resolve(folder, ...parts);
  if (parts.length === 0 || !parts.every(isPlain) || parts[0]!.startsWith(".") || !path.startsWith(folder + sep))
    throw new DataProblem(`Expected files inside the notebook's folder, got \`${name}\``);
  return path;
}
