/** Reads a kinds cell: a line for each kind, `name: meaning`, indented below the kind that contains it. */
import type { CodeKind } from "../../analysis.ts";
import type { CellProblem } from "../cell.ts";

/** Limits in characters and kinds: a codebook is read by people. */
const longestName = 60;
const longestMeaning = 1_000;
const mostKinds = 500;

/** Returns why a kind cannot have this name; undefined if it can. */
export function kindProblem(name: string): string | undefined {
  if (name === "") return "Expected a name";
  if (name !== name.trim() || name.startsWith("#"))
    return "Expected a name that begins without # and has no blanks around it";
  if (name === "__proto__") return "Expected a name other than __proto__";
  if (name.length > longestName) return `Expected at most ${longestName} characters, got ${name.length}`;
  if (/[|:\p{Cc}\p{Cf}]/u.test(name)) return "Expected a name without `|`, `:` and control characters";
  return undefined;
}

export type KindsCell = { readonly kinds: readonly CodeKind[]; readonly problems: readonly CellProblem[] };

/**
 * Reads the lines of a kinds cell. Never throws. Ignores blank lines and lines that start with `#`; omits a line with a problem.
 */
export function readKindsCell(source: string): KindsCell {
  const kinds: CodeKind[] = [];
  const problems: CellProblem[] = [];
  const above: { readonly indent: number; readonly name: string }[] = [];
  const names = new Set<string>();
  for (const [index, text] of source.split(/\r?\n/).entries()) {
    const line = text.trimEnd();
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    const indent = columnsOf(/^[ \t]*/.exec(line)![0]);
    const colon = line.indexOf(":");
    const name = (colon < 0 ? line : line.slice(0, colon)).trim();
    const meaning = colon < 0 ? "" : line.slice(colon + 1).trim();
    const problem = lineProblem(name, meaning, names, kinds.length);
    if (problem !== undefined) {
      problems.push({ message: problem, line: index + 1 });
      continue;
    }
    while (above.length > 0 && above.at(-1)!.indent >= indent) above.pop();
    const parent = above.at(-1)?.name;
    kinds.push({ name, ...(meaning !== "" && { meaning }), ...(parent !== undefined && { parent }) });
    names.add(name);
    above.push({ indent, name });
  }
  return { kinds, problems };
}

function lineProblem(name: string, meaning: string, names: ReadonlySet<string>, count: number): string | undefined {
  const problem = kindProblem(name);
  if (problem !== undefined) return `Expected \`name: meaning\`: ${problem}, got \`${name}\``;
  if (names.has(name)) return `Expected each kind once, got \`${name}\` again`;
  if (meaning.length > longestMeaning)
    return `Expected a meaning of at most ${longestMeaning} characters, got ${meaning.length}`;
  return count < mostKinds ? undefined : `Expected at most ${mostKinds} kinds, got more`;
}

/** A tab reaches to the next multiple of four columns. */
function columnsOf(blanks: string): number {
  let columns = 0;
  for (const blank of blanks) columns += blank === "\t" ? 4 - (columns % 4) : 1;
  return columns;
}
