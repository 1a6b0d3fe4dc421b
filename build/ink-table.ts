/**
 * ink-table is CommonJS and requires Ink, whose modules use top-level await, so Node cannot `require` it. This plugin, used
 * by the bundle and by the tests, turns its file into an ES module: its `require` calls become imports.
 */
import { readFileSync } from "node:fs";

const file = /ink-table[\\/]dist[\\/]index\.js$/;

export const inkTable = {
  name: "ink-table-as-module",
  load(id: string): string | null {
    if (!file.test(id)) return null;
    const source = readFileSync(id, "utf8");
    return [
      `import * as ink from "ink";`,
      `import react from "react";`,
      `import objectHash from "object-hash";`,
      `const modules = {ink, react, "object-hash": objectHash};`,
      `const require = (name) => modules[name];`,
      `const exports = {};`,
      source,
      `export default exports.default;`,
    ].join("\n");
  },
};
