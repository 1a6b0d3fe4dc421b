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

/**
 * Two things that make the program load faster. It is written in ASCII, which the engine keeps in half the memory; a raw template
 * with other characters stops the build, because an escape would be part of its value. Node's own modules are asked for instead
 * of imported, because an import reads all their exports, and some of these load further modules. The first file stays as it is: versions of
 * Node that are too old read it too.
 */
export const lighterChunks: Plugin = {
  name: "lighter-chunks",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk" || chunk.fileName === "cli.js") continue;
      const raw = chunk.code.split("\n").find((line) => line.includes("String.raw`") && /[^\0-\x7f]/.test(line));
      if (raw !== undefined) throw new Error(`Expected only ASCII in a raw template, got: ${raw}`);
      chunk.code = chunk.code
        .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .replaceAll(/^import (.*) from ("node:.*");$/gm, (_line, names: string, module: string) =>
          asked(names, module),
        );
    }
  },
};

/** `names`: a default, all exports, exports by name, or a default and exports by name, as in an import. */
function asked(names: string, module: string): string {
  const [, whole, all, some] = /^([\w$]+)?(?:\* as ([\w$]+))?(?:, )?(?:\{(.*)\})?$/.exec(names)!;
  const taken = [whole, all, some && `{${some.replaceAll(" as ", ": ")}}`].filter((each) => each !== undefined);
  return taken.map((each) => `const ${each} = process.getBuiltinModule(${module});`).join(" ");
}

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
