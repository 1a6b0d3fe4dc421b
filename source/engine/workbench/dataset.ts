/** Which tasks a data folder holds, for suites whose tasks can be generated: scores of other tasks must not pass as theirs. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const file = "dataset.txt";

/** Writes the hash of all files of a folder into it. Called once the folder is complete; `made` where we made all of it. */
export function markDataset(folder: string, made = false): void {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== file)
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of files.sort())
    hash.update(relative(folder, path)).update("\0").update(readFileSync(path)).update("\0");
  writeFileSync(join(folder, file), `${hash.digest("hex").slice(0, 16)}${made ? " made" : ""}\n`);
}

/** The hash written when the folder was completed; undefined for folders brought in before there was one. */
export function datasetOf(folder: string): string | undefined {
  return fields(folder)[0];
}

/** Whether everything in this folder was made by us, so that it may be made anew. */
export function isMade(folder: string): boolean {
  return fields(folder)[1] === "made";
}

function fields(folder: string): readonly string[] {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split(" ") : [];
}
