/** Makes the built program executable: `npx` does not set the mode where it has linked the package before. */
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
