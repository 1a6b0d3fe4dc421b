/** The bench's lines in words, and the table of them in the README. */
import type { Bound, Compared, LeftOut, Measurement, Reference } from "./measurement.ts";

const between = /(<!-- bench: [^\n]*-->\n)([\s\S]*?)(<!-- \/bench -->)/;
const head = "| bench | what | measured | beside it | goal | bound |\n|---|---|---|---|---|---|\n";

/** The lines of each bench that was run, by its name. */
export type Results = ReadonlyMap<string, readonly (Measurement | LeftOut)[]>;

/** A line as it is printed while the bench runs. */
export function lineText(line: Measurement | LeftOut): string {
  if ("leftOut" in line) return `${line.of}: left out, ${line.leftOut}`;
  const { beside, goal, bound } = line;
  return [
    `${line.what}: ${amount(line)}`,
    ...(beside === undefined ? [] : [besideText(line, beside)]),
    ...(goal === undefined ? [] : [`goal ${rounded(goal)}`]),
    ...(bound === undefined ? [] : [`bound: ${boundText(line, bound)}`]),
  ].join("; ");
}

/**
 * The README with these results in its table: of each bench what has something beside it, and what was left out. Those that were
 * not run keep the lines they have; lines stand in the order of all benches, `names`. Throws where the README lacks the two marks the
 * table goes between.
 */
export function withTable(readme: string, results: Results, names: readonly string[]): string {
  const found = between.exec(readme);
  if (found === null) throw new Error("Expected README.md to hold `<!-- bench: ... -->` and `<!-- /bench -->`");
  const before = Map.groupBy(found[2]!.split("\n"), (line) => /^\| (\S+) \|/.exec(line)?.[1]);
  const rows = names.flatMap((name) => {
    const lines = results.get(name);
    return lines === undefined ? (before.get(name) ?? []) : lines.flatMap((line) => tableRow(name, line));
  });
  const table = `\n${head}${rows.map((row) => `${row}\n`).join("")}\n`;
  return readme.replace(between, (_, start: string, __, end: string) => `${start}${table}${end}`);
}

function tableRow(bench: string, line: Measurement | LeftOut): string | readonly [] {
  if ("leftOut" in line) return rowOf([bench, line.of, `left out: ${line.leftOut}`, "", "", ""]);
  if (line.beside === undefined) return [];
  const { what, beside, goal, bound }: Compared = line;
  const aim = goal === undefined ? "" : rounded(goal);
  return rowOf([bench, what, amount(line), besideText(line, beside), aim, boundText(line, bound)]);
}

const rowOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

const amount = ({ ours, unit }: Measurement) => `${rounded(ours)} ${unit}`;

function besideText({ ours }: Measurement, reference: Reference | LeftOut): string {
  if ("leftOut" in reference) return `${reference.of} left out: ${reference.leftOut}`;
  return `${rounded(ours / reference.value)} x ${reference.of}`;
}

const boundText = (line: Measurement, bound: Bound) =>
  "unknown" in bound ? `none known: ${bound.unknown}` : besideText(line, bound);

/** Two digits that count: no measurement here is good for more. */
const rounded = (value: number) =>
  Number(value.toPrecision(value >= 100 ? 3 : 2)).toLocaleString("en", { maximumFractionDigits: 6 });
