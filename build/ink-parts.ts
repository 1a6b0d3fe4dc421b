/**
 * Two parts of Ink's world that do not load as published; the bundle and the tests use this plugin.
 *
 * `ink-table` is CommonJS and requires Ink, whose modules use top-level await, so Node cannot `require` it: its file becomes an
 * ES module whose `require` calls are imports.
 *
 * `ink-select-input` takes keys from a context that Ink does not export: it can be imported as `ink-stdin-context`, which
 * tsconfig.json declares to the compiler.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const inkParts = {
  name: "ink-parts",
  resolveId(id: string): string | null {
    if (id !== "ink-stdin-context") return null;
    return fileURLToPath(new URL("components/StdinContext.js", import.meta.resolve("ink")));
  },
  load(id: string): string | null {
    if (!/ink-table[\\/]dist[\\/]index\.js$/.test(id)) return null;
    return [
      `import * as ink from "ink";`,
      `import react from "react";`,
      `import objectHash from "object-hash";`,
      `const modules = {ink, react, "object-hash": objectHash};`,
      `const require = (name) => modules[name];`,
      `const exports = {};`,
      readFileSync(id, "utf8"),
      `export default exports.default;`,
    ].join("\n");
  },
};
