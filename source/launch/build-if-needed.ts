/** Builds `dist/` when a source file is newer than the last build. Run by `npm start`. */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

function newest(folder: string): number {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

function built(): number {
  try {
    return statSync(join("dist", "cli.js")).mtimeMs;
  } catch {
    return 0;
  }
}

const sources = ["source", "suites", "analyses", "build"].map(newest);
if (Math.max(...sources, statSync("package.json").mtimeMs, statSync("rolldown.config.ts").mtimeMs) > built()) {
  execFileSync("npx", ["rolldown", "-c", "rolldown.config.ts"], { stdio: ["ignore", "ignore", "inherit"] });
}
