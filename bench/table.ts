/** The bench's lines in words, the table of them in the documentation, and the few in the README. */
import type { Bound, Compared, LeftOut, Measurement, Reference } from "./measurement.ts";

const between = /(<!-- bench: [^\n]*-->\n)([\s\S]*?)(<!-- \/bench -->)/;
const short = /(<!-- speed: [^\n]*-->\n)[\s\S]*?(<!-- \/speed -->)/;
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
 * The page with these results in its table: of each bench what has something beside it, and what was left out. Those that were
 * not run keep the lines they have; lines stand in the order of all benches, `names`. Throws if the page lacks the two marks the
 * table goes between.
 */
export function withTable(page: string, results: Results, names: readonly string[]): string {
  const found = between.exec(page);
  if (found === null) throw new Error("Expected the page to hold `<!-- bench: ... -->` and `<!-- /bench -->`");
  const before = Map.groupBy(found[2]!.split("\n"), (line) => /^\| (\S+) \|/.exec(line)?.[1]);
  const rows = names.flatMap((name) => {
    const lines = results.get(name);
    return lines === undefined ? (before.get(name) ?? []) : lines.flatMap((line) => tableRow(name, line));
  });
  const table = `\n${head}${rows.map((row) => `${row}\n`).join("")}\n`;
  return page.replace(between, (_, start: string, __, end: string) => `${start}${table}${end}`);
}

/** Lines of the README, by what they measure. */
const chosen = [
  "1000 streamed calls of AppBench, 50 in flight, whole process, log on disk",
  "first frame",
  "key to changed place, p95, live with 32 streams of 100 tokens/s at 200x60",
  "two runs compared, 14000 tasks",
  "installed package",
];

/** The README with the chosen lines of a page's table. Throws if one of them, or the two marks around them, is missing. */
export function withChosenLines(readme: string, page: string): string {
  const rows = page.split("\n").map((line) => line.split(" | "));
  const lines = chosen.map((what) => {
    const [, , measured, beside] = rows.find((cells) => cells[1] === what) ?? [];
    if (measured === undefined) throw new Error(`Expected the table of the bench to have the line \`${what}\``);
    return `${rowOf([what, measured, beside!])}\n`;
  });
  if (!short.test(readme)) throw new Error("Expected README.md to hold `<!-- speed: ... -->` and `<!-- /speed -->`");
  const table = `\n| what | measured | beside it |\n|---|---|---|\n${lines.join("")}\n`;
  return readme.replace(short, (_, start: string, end: string) => `${start}${table}${end}`);
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
