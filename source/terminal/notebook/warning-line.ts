/** The warnings of a figure in one line; the run cell, the screen of the figure and exports have them in full. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { printable, width } from "../../engine/text/printable.ts";
import { plural } from "../drawing/amount.ts";
import type { Theme } from "../drawing/theme.ts";

/** No line where there are no warnings. Models that read the answer key come first, then sample data. */
export function warningLine(warnings: readonly string[], columns: number, { symbols }: Theme): readonly Line[] {
  if (warnings.length === 0) return [];
  const oracles = warnings.filter((text) => text.includes("answer key"));
  const sample = warnings.filter((text) => /^sample\b/i.test(text));
  const more = warnings.length - oracles.length - sample.length;
  const rest = [
    ...(sample.length > 0 ? ["sample data"] : []),
    ...(more > 0 ? [`${plural(more, "more note")}: open the figure`] : []),
  ];
  // The run cell names the models: here their number is enough where their names leave no space for the rest.
  const many = oracles.length > 1 ? `${oracles.length} models read the answer key` : "a model reads the answer key";
  const lines = [oracles, oracles.length > 0 ? [many] : []].map(
    (own) => `  ${symbols.failed} ${[...own, ...rest].map(printable).join("; ")}`,
  );
  const text = lines.find((line) => width(line) <= columns) ?? lines.at(-1)!;
  return [[{ text, style: "warn" }]];
}
