/** Tells folders of generated tasks from published ones, whose files are never overwritten. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { knownData } from "../migration.ts";

/** Instructions for installing generated tasks, used in messages. */
export const installing =
  "make some with `planwright generate planningarena --count 100 --seed 1 --out DIR`, then `planwright data add planningarena --from DIR`";

const generatedFiles = ["apps.json", "apis.json", "profiles.json", "tasks.jsonl"];

/** Bytes read from a file to see the origin of its tasks. */
const head = 4096;

/** Reports whether a folder contains generated tasks and no published ones. */
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

function hashOf(path: string): string | undefined {
  return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16) : undefined;
}

/** Throws if generating into this folder would overwrite files that were not generated. */
export function refuseOtherFiles(folder: string): void {
  const found = generatedFiles.filter((name) => existsSync(join(folder, name)));
  if (found.length === 0 || isGenerated(folder)) return;
  throw new DataProblem(
    `Expected \`${folder}\` to be a new folder or one of generated tasks, got one whose ${found.join(", ")} would be lost; ${installing}`,
  );
}
