/**
 * Finds generated tasks in a data folder. Distinguishes their folders from those of published tasks, which are never overwritten.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { StandIn } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { knownData } from "../migration.ts";

/** Instructions for installing generated tasks, used in messages. */
export const installing =
  "make tasks with `planwright generate planningarena --count 100 --seed 1 --out DIR`, then `planwright data add planningarena --from DIR`";

const generatedFiles = ["apps.json", "apis.json", "profiles.json", "tasks.jsonl"];

/** Number of bytes read from a file to detect the origin of its tasks. */
const head = 4096;

/** Returns the folder of the generated tasks: `generated/` in the data folder, or else the data folder itself. */
export function generatedFolder(folder: string): string {
  const inner = join(folder, "generated");
  return existsSync(join(inner, "tasks.jsonl")) ? inner : folder;
}

/** Returns the sample as the data of a run whose split this folder lacks. */
export function sampleFor({ split }: RunSpec, folder: string): StandIn | undefined {
  const file = split === "examples" ? join(folder, "example-tasks.json") : join(generatedFolder(folder), "tasks.jsonl");
  if (existsSync(file)) return undefined;
  const because =
    split === "examples"
      ? "the installed data lack the published examples: add them with `planwright data add planningarena --from DIR`"
      : `the installed data have no generated tasks: ${installing}`;
  return { field: "data", value: "sample", because };
}

/** Returns whether a folder contains generated tasks and no published tasks. */
export function isGenerated(folder: string): boolean {
  const tasks = join(folder, "tasks.jsonl");
  if (existsSync(join(folder, "example-tasks.json")) || !existsSync(tasks)) return false;
  if (Object.entries(knownData.files).some(([name, hash]) => hashOf(join(folder, name)) === hash)) return false;
  const file = openSync(tasks, "r");
  try {
    const buffer = Buffer.alloc(head);
    const text = buffer.toString("utf8", 0, readSync(file, buffer, 0, head, 0));
    return text === "" || /"origin":\s*"generated"/.test(text);
  } finally {
    closeSync(file);
  }
}

const hashOf = (path: string): string | undefined =>
  existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16) : undefined;

/** Throws if generating into this folder would overwrite files that were not generated. */
export function refuseOtherFiles(folder: string): void {
  const found = generatedFiles.filter((name) => existsSync(join(folder, name)));
  if (found.length === 0 || isGenerated(folder)) return;
  throw new DataProblem(
    `Expected \`${folder}\` to be a new folder or a folder of generated tasks, because its ${found.join(", ")} would be lost; ${installing}`,
  );
}
