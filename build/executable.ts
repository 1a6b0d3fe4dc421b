/** Makes the built program executable, because `npx` does not set the mode of a package it linked before. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";

/** Everybody may read and execute it. */
const mode = 0o755;

export function executable(file: string): Plugin {
  return {
    name: "executable",
    writeBundle({ dir }) {
      chmodSync(join(dir!, file), mode);
    },
  };
}
