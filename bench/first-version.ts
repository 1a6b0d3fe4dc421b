/** The sources of version 0.1.0, to measure beside it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const commit = "e897784";

/** A new folder with them, which the caller removes; undefined where the history is not there. */
export function firstVersion(): string | undefined {
  const archive = spawnSync("git", ["archive", commit, "source"], { maxBuffer: 64 * 1024 * 1024 });
  if (archive.status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "planwright-0.1.0-"));
  return spawnSync("tar", ["-x", "-C", folder], { input: archive.stdout }).status === 0 ? folder : undefined;
}
