/** Data in a zip archive, such as a Python wheel: nothing in it is run, and only what is asked for is unpacked. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { ArgumentProblem } from "../shell/arguments.ts";

/** Bytes, packed and unpacked: more is no benchmark's, and would be all in memory. */
const most = 1024 ** 3;

/** True for a file, false for a folder and what is not there. */
export function isArchive(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Calls `use` with a folder that holds those of these files the archive has, and removes it. Paths are the suite's, none comes from
 * the archive. Throws `ArgumentProblem` for a file that is no such archive, or too large a one.
 */
export async function withUnpacked<Result>(
  archive: string,
  paths: readonly string[],
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const { unzipSync } = await import("fflate");
  const wanted = new Set(paths);
  let size = statSync(archive).size;
  const mustFit = () => {
    if (size > most) throw new ArgumentProblem(`Expected the data in ${archive} to have at most 1 GB, got more`);
  };
  mustFit();
  const folder = mkdtempSync(join(tmpdir(), "planwright-data-"));
  try {
    const files = read(archive, () =>
      unzipSync(readFileSync(archive), {
        filter({ name, originalSize }) {
          if (!wanted.has(name)) return false;
          size += originalSize;
          mustFit();
          return true;
        },
      }),
    );
    for (const [path, bytes] of Object.entries(files)) {
      makeFolder(dirname(join(folder, path)));
      replaceFile(join(folder, path), bytes);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read<Value>(archive: string, unzip: () => Value): Value {
  try {
    return unzip();
  } catch (error) {
    if (error instanceof ArgumentProblem) throw error;
    throw new ArgumentProblem(`Expected ${archive} to be a whole zip archive: ${(error as Error).message}`);
  }
}
