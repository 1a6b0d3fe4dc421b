/** The bench's lines in words, and the table of them in the README. */
import type { LeftOut, Measurement, Reference } from "./measurement.ts";

const between = /(<!-- bench: [^\n]*-->\n)([\s\S]*?)(<!-- \/bench -->)/;
const head = "| what | measured | beside it | goal | bound |\n|---|---|---|---|---|\n";

/** A line as it is printed while the bench runs. */
export function lineText(line: Measurement | LeftOut): string {
  if ("leftOut" in line) return `${line.of}: left out, ${line.leftOut}`;
  const { beside, goal, bound } = line;
  return [
    `${line.what}: ${amount(line)}`,
    ...(beside === undefined ? [] : [besideText(line, beside)]),
    ...(goal === undefined ? [] : [`goal ${rounded(goal)}`]),
    ...(bound === undefined ? [] : [`bound: ${besideText(line, bound)}`]),
  ].join("; ");
}

/**
 * The README with these lines in its table, as far as something stands beside them. Where only some measurements were run,
 * the others keep the lines they have. Throws where the README lacks the two marks the table goes between.
 */
export function withTable(readme: string, lines: readonly (Measurement | LeftOut)[], partly: boolean): string {
  const found = between.exec(readme);
  if (found === null) throw new Error("Expected README.md to hold `<!-- bench: ... -->` and `<!-- /bench -->`");
  const kept = partly
    ? found[2]!
        .split("\n")
        .filter((line) => line.startsWith("| "))
        .slice(1)
    : [];
  const rows = new Map(kept.map((line) => [line.split(" | ")[0]!.slice(2), line]));
  for (const line of lines) if (!("leftOut" in line) && line.beside !== undefined) rows.set(line.what, tableRow(line));
  const table = `\n${head}${[...rows.values()].join("\n")}\n\n`;
  return readme.replace(between, (_, before: string, __, after: string) => `${before}${table}${after}`);
}

function tableRow(line: Measurement): string {
  const { what, beside, goal, bound } = line;
  const cells = [
    what,
    amount(line),
    besideText(line, beside),
    goal === undefined ? "" : rounded(goal),
    besideText(line, bound),
  ];
  return `| ${cells.join(" | ")} |`;
}

const amount = ({ ours, unit }: Measurement) => `${rounded(ours)} ${unit}`;

function besideText({ ours }: Measurement, reference: Reference | LeftOut | undefined): string {
  if (reference === undefined) return "";
  if ("leftOut" in reference) return `${reference.of} left out: ${reference.leftOut}`;
  return `${rounded(ours / reference.value)} x ${reference.of}`;
}

/** Two digits that count: no measurement here is good for more. */
const rounded = (value: number) =>
  Number(value.toPrecision(value >= 100 ? 3 : 2)).toLocaleString("en", { maximumFractionDigits: 6 });
