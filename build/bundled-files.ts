/** Plugins for files of a build that the bundler does not write as they have to be. */
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "rolldown";
import { builtFromFile, sourcesHash } from "../source/engine/settings/program-hash.ts";

/** Notes the hash of the sources, by which a program executed from its sources recognizes a build of the same program. */
export const builtFrom: Plugin = {
  name: "built-from",
  writeBundle({ dir }) {
    writeFileSync(join(dir!, builtFromFile), `${sourcesHash(join(import.meta.dirname, ".."))}\n`);
  },
};

/** Everybody may read and execute it. */
const mode = 0o755;

/** Makes the built program executable, because `npx` does not set the mode of a package that it linked before. */
export function executable(file: string): Plugin {
  return {
    name: "executable",
    writeBundle({ dir }) {
      chmodSync(join(dir!, file), mode);
    },
  };
}

const files = ["web-tree-sitter/tree-sitter.wasm", "tree-sitter-wasms/out/tree-sitter-python.wasm"] as const;

/** Copies the two WebAssembly files that the program reads when it runs: the parser's core and Python's grammar. */
export const grammars: Plugin = {
  name: "grammars",
  writeBundle({ dir }) {
    const find = createRequire(import.meta.url);
    for (const file of files) copyFileSync(find.resolve(file), join(dir!, file.split("/").at(-1)!));
  },
};
