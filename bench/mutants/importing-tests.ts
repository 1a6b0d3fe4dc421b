/** Finds test files that import a file, directly or indirectly. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whoever imports these plays the program in a pseudo-terminal. */
const aside = ["test/stories/pseudo-terminal.ts", "test/stories/shown-program.ts", "test/stories/served-program.ts"];

/** Paths relative to the tree. */
export function importingTests(tree: string, files: ReadonlySet<string>): readonly string[] {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string) => {
    const known = imports.get(file);
    if (known !== undefined) return known;
    const found = [...readFileSync(join(tree, file), "utf8").matchAll(/(?:from|import\(|import) ?"(\.[^"]+\.tsx?)"/g)];
    const own = found.map(([, path]) => join(dirname(file), path!));
    imports.set(file, own);
    return own;
  };
  return globSync("test/**/*.test.{ts,tsx}", { cwd: tree })
    .toSorted()
    .filter((test) => {
      const reached = new Set([test]);
      for (const file of reached) for (const other of importsOf(file)) reached.add(other);
      return !aside.some((file) => reached.has(file)) && [...reached].some((file) => files.has(file));
    });
}
