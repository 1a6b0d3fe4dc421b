/** Lists the lines that differ between the prompts of two runs. */
import type { RunRows } from "../source/engine/analysis.ts";
import { type TableFigure, tableColumns } from "../source/engine/figure.ts";
import { textCell } from "../source/engine/measures/measure-cell.ts";
import { promptsOf } from "../source/engine/settings/prompt-template.ts";
import { counted } from "../source/engine/text/counted.ts";

type Line = { readonly sign: "-" | "+"; readonly text: string };

/** Returns a table of the lines that only one of two runs has, by prompt; undefined if there are no such lines. */
export function promptDifferences(before: RunRows, after: RunRows): TableFigure | undefined {
  const names = new Set([...ownPrompts(before), ...ownPrompts(after)].map(([name]) => name));
  const rows = [...names].flatMap((name) =>
    differingLines(textOf(before, name), textOf(after, name)).map(({ sign, text }) => [
      textCell(name),
      textCell(sign),
      textCell(text === "" ? "(an empty line)" : text),
    ]),
  );
  if (rows.length === 0) return undefined;
  return {
    kind: "table",
    title: `Prompts: ${before.label} against ${after.label}`,
    columns: tableColumns(
      ["Prompt"],
      [
        { title: "", align: "left" },
        { title: "Line", align: "left" },
      ],
    ),
    rows,
    notes: [`${counted(rows.length, "line")}; -: only in ${before.label}, +: only in ${after.label}`],
  };
}

const ownPrompts = ({ spec }: RunRows) => Object.entries({ ...spec.prompts, ...spec.judgePrompts });

/** Returns the prompt text of a run: the run's own text, or the benchmark's. */
function textOf({ spec, suite }: RunRows, name: string): string {
  const own = spec.prompts?.[name] ?? spec.judgePrompts?.[name];
  if (own !== undefined) return own;
  const strategy = suite.strategies.find((each) => each.name === spec.strategy);
  const published = strategy && promptsOf(suite, strategy, { ...spec.options, split: spec.split });
  return published?.find((each) => each.name === name)?.text ?? "";
}

/** Longer texts are not compared, because the time grows with the product of their numbers of lines. */
const mostLines = 1000;

/** Returns the lines outside of the longest common sequence of lines, in their order. */
function differingLines(before: string, after: string): readonly Line[] {
  if (before === after) return [];
  const [one, other] = [before.split("\n"), after.split("\n")];
  if (one.length > mostLines || other.length > mostLines)
    return [{ sign: "+", text: `(more than ${mostLines} lines, which differ)` }];
  /** Lengths of the common sequences of the remaining lines. */
  const common = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let row = one.length - 1; row >= 0; row--)
    for (let column = other.length - 1; column >= 0; column--)
      common[row]![column] =
        one[row] === other[column]
          ? common[row + 1]![column + 1]! + 1
          : Math.max(common[row + 1]![column]!, common[row]![column + 1]!);
  const lines: Line[] = [];
  for (let row = 0, column = 0; row < one.length || column < other.length;) {
    if (row < one.length && column < other.length && one[row] === other[column]) {
      row += 1;
      column += 1;
    } else if (column === other.length || (row < one.length && common[row + 1]![column]! >= common[row]![column + 1]!))
      lines.push({ sign: "-", text: one[row++]! });
    else lines.push({ sign: "+", text: other[column++]! });
  }
  return lines;
}
