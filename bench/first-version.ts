/** Version 0.1.0, to measure beside it: made once from history and kept in the user's cache folder. */
import { spawnSync, type SpawnSyncOptions } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { LeftOut } from "./measurement.ts";

const commit = "e897784";
const of = "version 0.1.0";
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "planwright-bench");

/** The folder of a version, or why it is not there. */
export type FirstVersion = { readonly of: string; readonly folder: string } | LeftOut;

/** Its sources, which import what they measure without any package. Nobody may change or remove them. */
export const firstVersion = (): FirstVersion => made(`${commit}-sources`, unpack);

/** Its sources, its packages from the registry, and its program as `dist/cli.js`. */
export const builtFirstVersion = (): FirstVersion =>
  made(commit, (folder) => {
    const missing = unpack(folder);
    if (missing !== undefined) return missing;
    const quietly: SpawnSyncOptions = { cwd: folder, stdio: "ignore" };
    if (spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], quietly).status !== 0)
      return "its packages cannot be had from the registry";
    const rolldown = join("node_modules", "rolldown", "bin", "cli.mjs");
    const built = spawnSync(process.execPath, [rolldown, "-c", "rolldown.config.ts"], quietly);
    return built.status === 0 ? undefined : "it could not be built";
  });

/** Made in a folder of its own first: one that was interrupted is not taken for a whole one. */
function made(name: string, make: (folder: string) => string | undefined): FirstVersion {
  const folder = join(cache, name);
  if (existsSync(folder)) return { of, folder };
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, "unfinished-"));
  try {
    const leftOut = make(unfinished);
    if (leftOut !== undefined) return { of, leftOut };
    renameSync(unfinished, folder);
    return { of, folder };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Says what is missing, if anything is. */
function unpack(folder: string): string | undefined {
  const from = dirname(import.meta.dirname);
  const archive = spawnSync("git", ["archive", commit], { cwd: from, maxBuffer: 256 * 1024 * 1024 });
  if (archive.status !== 0) return "its history is not here";
  const unpacked = spawnSync("tar", ["-x", "-C", folder], { input: archive.stdout });
  return unpacked.status === 0 ? undefined : "it could not be unpacked";
}
