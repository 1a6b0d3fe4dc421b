/** What `npm install` of the program leaves on disk, beside version 0.1.0: both from their archives, with what they need from the registry. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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
      { what: "installed package", ours: ours.size, unit: "MB", beside: beside(theirs?.size), goal: 15 / 93 },
      {
        what: "number of packages installed",
        ours: ours.packages,
        unit: "in all",
        beside: beside(theirs?.packages),
        goal: 10 / 71,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** In MB, and how many packages, its own among them; undefined where it cannot be installed. */
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
  const files = readdirSync(join(folder, "node_modules"), { recursive: true, withFileTypes: true });
  const bytes = files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  // The folder it is installed in is in the lock as well.
  return { size: bytes / 1e6, packages: Object.keys(packages).length - 1 };
}
