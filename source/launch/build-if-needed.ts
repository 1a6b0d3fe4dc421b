/**
 * Builds `dist/` when a source file is newer than the last build, and lets `npx planwright` find the program in a clone. Run by
 * `npm start` and `npm ci`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync, symlinkSync } from "node:fs";
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
  execFileSync("npx", ["--no", "--", "rolldown", "-c", "rolldown.config.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

const commands = join("node_modules", ".bin");
const command = join(commands, "planwright");
// `npx` links the package in its cache once. If that was before the first build, only this link leads to the program. On Windows
// a command is no link.
if (process.platform !== "win32" && existsSync(commands) && !existsSync(command))
  symlinkSync(join("..", "..", "dist", "cli.js"), command);
