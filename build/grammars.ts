/** The two WebAssembly files the program reads when it runs: the parser's core and Python's grammar, copied beside the bundle. */
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "rolldown";

const files = ["web-tree-sitter/tree-sitter.wasm", "tree-sitter-wasms/out/tree-sitter-python.wasm"] as const;

export const grammars: Plugin = {
  name: "grammars",
  writeBundle({ dir }) {
    const find = createRequire(import.meta.url);
    for (const file of files) copyFileSync(find.resolve(file), join(dir!, file.split("/").at(-1)!));
  },
};
