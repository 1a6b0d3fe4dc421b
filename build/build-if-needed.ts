/**
 * Builds `dist/` if it was not built from the sources that are here, and lets `npx planwright` find the program in a clone. Run by
 * `npm start` and `npm ci`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { builtFromFile, sourcesHash } from "../source/engine/settings/program-hash.ts";
import { fallback } from "../source/engine/work/fallback.ts";

// Times of files say nothing: Git gives a file of another commit the time of the checkout.
const builtFrom = fallback(() => readFileSync(join("dist", builtFromFile), "utf8").trim());
if (builtFrom !== sourcesHash(".") || !existsSync(join("dist", "cli.js"))) {
  execFileSync("npx", ["--no", "--", "rolldown", "-c", "rolldown.config.ts", "--logLevel", "silent"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

const commands = join("node_modules", ".bin");
const command = join(commands, "planwright");
// `npx` links the package in its cache once. If that was before the first build, only this link leads to the program. On Windows
// a command is no link.
if (process.platform !== "win32" && existsSync(commands) && !existsSync(command))
  symlinkSync(join("..", "..", "dist", "cli.js"), command);
