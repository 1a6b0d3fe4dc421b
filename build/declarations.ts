/**
 * Writes the types of the public API to `dist/types`: those of `source/kit.ts` and of what they are made of, and no other. Who
 * uses them needs no package but this one.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join("dist", "types");
const compiler = fileURLToPath(import.meta.resolve("typescript/package.json"));

rmSync(folder, { recursive: true, force: true });
execFileSync(process.execPath, [join(dirname(compiler), "bin", "tsc"), "-p", "tsconfig.declarations.json"], {
  stdio: "inherit",
});

/** By path, `.ts` for `.d.ts`, as imports name them. */
const reached = new Set<string>();
const open = [join(folder, "source", "kit.ts")];
for (let path = open.pop(); path !== undefined; path = open.pop()) {
  if (reached.has(path)) continue;
  reached.add(path);
  const text = readFileSync(path.replace(/\.ts$/, ".d.ts"), "utf8");
  for (const [, fixed, inPlace] of text.matchAll(
    /^(?:import|export)\b[^"';]*\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/gm,
  )) {
    const name = (fixed ?? inPlace)!;
    if (!name.startsWith("."))
      throw new Error(`Expected the types of the public API to import nothing else, got ${name} in ${path}`);
    open.push(normalize(join(dirname(path), name)));
  }
}

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && !reached.has(path.replace(/\.d\.ts$/, ".ts"))) rmSync(path);
}
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).toReversed()) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true });
}
