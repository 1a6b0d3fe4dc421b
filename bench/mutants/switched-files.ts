/** Puts all mutants into one copy of the tree: each can be switched on, and reports whether it would have been executed. */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { type Mutation, mutationsOf } from "./mutations.ts";

export type Mutant = Mutation & {
  readonly number: number;
  /** Relative to the tree. */
  readonly file: string;
  /** From 1, both. */
  readonly line: number;
  readonly column: number;
  /** The original text, and its first line. */
  readonly was: string;
  readonly within: string;
};

/** Files that determine numbers: scorers, measures, strategies, log, statistics. */
const mutated = [
  "suites/*/score/**/*.ts",
  "source/engine/strategies/**/*.ts",
  "source/engine/log/**/*.ts",
  "source/engine/statistics/**/*.ts",
  "source/engine/measures/**/*.ts",
];

/**
 * Draws this number of mutants of a tree, none within another; the same for the same seed and files. Only some files are mutated if
 * `among` names files, or the folders and files `below` which they lie, both relative to the tree.
 */
export function chooseMutants(
  tree: string,
  count: number,
  seed: number | string,
  among: { readonly files?: ReadonlySet<string>; readonly below?: readonly string[] | undefined } = {},
): readonly Mutant[] {
  const isBelow = (file: string) => among.below?.some((path) => `${file}/`.startsWith(join(path, "/"))) !== false;
  const files = mutated
    .flatMap((pattern) => globSync(pattern, { cwd: tree }))
    .filter((file) => among.files?.has(file) !== false && isBelow(file))
    .toSorted();
  const all = files.flatMap((file) => {
    const text = readFileSync(join(tree, file), "utf8");
    return mutationsOf(text, file).map((mutation) => {
      const { start, end } = mutation;
      const before = text.slice(0, start).split("\n");
      const column = before.at(-1)!.length + 1;
      const within = text.split("\n")[before.length - 1]!.trim();
      return { ...mutation, file, line: before.length, column, was: text.slice(start, end), within };
    });
  });
  const random = randomFrom(`mutants ${seed}`);
  const chosen: Omit<Mutant, "number">[] = [];
  for (const { one } of all.map((one) => ({ one, at: random() })).toSorted((a, b) => a.at - b.at)) {
    if (chosen.length === count) break;
    const crosses = ({ file, start, end }: typeof one) => file === one.file && start < one.end && one.start < end;
    if (!chosen.some(crosses)) chosen.push(one);
  }
  return chosen
    .toSorted((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1))
    .map((one, number) => ({ ...one, number }));
}

/** Copies what git knows of the tree, and puts the mutants in. They are switched by `isActive` of the `switch.ts` there. */
export function writeSwitched(tree: string, copy: string, mutants: readonly Mutant[]): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: tree,
    encoding: "utf8",
  });
  for (const file of listed.split("\0").filter((name) => name !== "")) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(tree, file), join(copy, file), { dereference: true });
  }
  symlinkSync(realpathSync(join(tree, "node_modules")), join(copy, "node_modules"));
  const path = join(copy, "bench", "mutants", "switch.ts");
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    let text = readFileSync(join(copy, file), "utf8");
    for (const { start, end, becomes, kind, was, number } of own.toReversed()) {
      const test = `isActive(${number})`;
      const both = kind === "removed" ? `{ if (!${test}) { ${was} } }` : `(${test} ? (${becomes}) : (${was}))`;
      text = text.slice(0, start) + both + text.slice(end);
    }
    writeFileSync(join(copy, file), `import { isActive } from ${JSON.stringify(path)};${text}`);
  }
}
