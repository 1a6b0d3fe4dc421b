/**
 * Measures the disk space of `npm install` for this version and 0.1.0, both from their archives, with dependencies from the
 * registry.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundledEmptyApp, emptyBundle } from "./empty-bundle.ts";
import { builtFirstVersion } from "./first-version.ts";
import type { Bench, LeftOut } from "./measurement.ts";

const registry: LeftOut = { of: "the installed package", leftOut: "its packages cannot be had from the registry" };

export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-installed-"));
  try {
    const ours = installed(dirname(import.meta.dirname), join(folder, "ours"));
    if (ours === undefined) return [registry];
    const first = builtFirstVersion();
    const theirs = "leftOut" in first ? undefined : installed(first.folder, join(folder, "first"));
    const beside = (value: number | undefined) =>
      value === undefined ? ("leftOut" in first ? first : registry) : { of: first.of, value };
    return [
      {
        what: "installed package",
        ours: ours.size,
        unit: "MB",
        beside: beside(theirs?.size),
        goal: 15 / 93,
        bound: { of: emptyBundle, value: sizeOf(dirname(await bundledEmptyApp(join(folder, "empty")))) },
      },
      {
        what: "number of packages installed",
        ours: ours.packages,
        unit: "in all",
        beside: beside(theirs?.packages),
        goal: 10 / 71,
        bound: { of: "itself alone", value: 1 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Returns the size in MB and the number of packages, including its own; undefined if it cannot be installed. */
function installed(version: string, folder: string): { readonly size: number; readonly packages: number } | undefined {
  mkdirSync(folder);
  const npm = (...args: readonly string[]) =>
    execFileSync("npm", [...args, "--ignore-scripts", "--loglevel", "silent"], { cwd: folder, stdio: "ignore" });
  try {
    npm("pack", version);
    const [archive = ""] = readdirSync(folder);
    npm("install", `./${archive}`, "--no-audit", "--no-fund");
  } catch {
    return undefined;
  }
  const lock: unknown = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const { packages } = lock as { packages: Readonly<Record<string, unknown>> };
  // The folder it is installed in is in the lock as well.
  return { size: sizeOf(join(folder, "node_modules")), packages: Object.keys(packages).length - 1 };
}

/** All files of a folder, in MB. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0) / 1e6;
}
