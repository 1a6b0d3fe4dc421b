/** Reads data from a zip archive, such as a Python wheel. Nothing in it is executed, and only requested files are unpacked. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { ArgumentProblem } from "../shell/arguments.ts";

/** Limits in bytes, packed and unpacked. No benchmark needs more, and all of it is held in memory. */
const most = 1024 ** 3;

/** Returns true for a file, false for a folder or a missing path. */
export const isArchive = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/**
 * Calls `use` with a folder that contains those of these files the archive has, below one folder or not, and removes it
 * afterwards. Paths come from the suite, never from the archive. Throws `ArgumentProblem` if the file is not such an archive or is too large.
 */
export async function withUnpacked<Result>(
  archive: string,
  paths: readonly string[],
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const { unzipSync } = await import("fflate");
  const wanted = new Set(paths);
  const inner = (name: string) => (wanted.has(name) ? name : name.slice(name.indexOf("/") + 1));
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
          if (!wanted.has(inner(name))) return false;
          size += originalSize;
          mustFit();
          return true;
        },
      }),
    );
    for (const [name, bytes] of Object.entries(files)) {
      const path = inner(name);
      if (path !== name && files[path] !== undefined) continue;
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
    throw new ArgumentProblem(`Expected ${archive} to be a complete zip archive: ${(error as Error).message}`);
  }
}
