/** Notes in a build what it was built from: a program executed from its sources finds out whether that build is the same program. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";
import { builtFromFile, sourcesHash } from "../source/engine/settings/program-hash.ts";

export const builtFrom: Plugin = {
  name: "built-from",
  writeBundle({ dir }) {
    writeFileSync(join(dir!, builtFromFile), `${sourcesHash(join(import.meta.dirname, ".."))}\n`);
  },
};
