/**
 * Ink does not export the context its hooks read keys from, which `ink-select-input` must be given keys by. This plugin, used by
 * the bundle and by the tests, lets it be imported as `ink-stdin-context`; tsconfig.json says the same to the compiler.
 */
import { fileURLToPath } from "node:url";

export const inkStdin = {
  name: "ink-stdin-context",
  resolveId(id: string): string | null {
    if (id !== "ink-stdin-context") return null;
    return fileURLToPath(new URL("components/StdinContext.js", import.meta.resolve("ink")));
  },
};
