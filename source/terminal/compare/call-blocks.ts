/** The tool calls of a task in two to four runs, aligned step by step. */
import { signs } from "../../look/signs.ts";
import type { Line, Style } from "../../engine/figures/drawing/line.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { alignedCalls, changeAt, type StepChange } from "../../engine/measures/aligned-calls.ts";
import { callTexts } from "../../engine/workbench/runs/answer-texts.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import { rowBeside } from "../live/lanes.ts";
import { type Block, blockOf } from "../trajectory/block.ts";
import type { View } from "../trajectory/view.ts";

/** Runs that are compared at once. */
export const mostBeside = 4;

/** Minimum number of columns for each run. In narrower windows, the calls of one run are below the calls of the other. */
const leastColumns = 24;

const changeSigns: Readonly<Record<StepChange, string>> = {
  same: " ",
  changed: signs.differs,
  inserted: signs.extra,
  removed: signs.missing,
};

/** Lays out the calls; all other runs are compared with the first. A run without the task has no trajectory. */
export function callsBeside(trajectories: readonly (Trajectory | undefined)[], view: View): Block[] {
  const calls = trajectories.map((trajectory) => (trajectory === undefined ? [] : callTexts(trajectory)));
  const steps = alignedCalls(calls);
  const changes = steps.map(changeAt);
  const first = changes.findIndex((change) => change !== "same");
  if (steps.length === 0)
    return [blockOf("no calls", [[{ text: "  No run calls a tool here: Tab shows plans and steps", style: "faint" }]])];
  const head = `  ${first < 0 ? "The calls are equal" : `The runs diverge at step ${first + 1} of ${steps.length}`}`;
  const legend =
    first < 0 ? "" : `  ${signs.differs} changed  ${signs.extra} not in run 1  ${signs.missing} missing in a run`;
  return [
    blockOf("calls", [[{ text: head, style: "strong" }], [{ text: legend, style: "faint" }], []]),
    ...steps.map((step, at): Block => {
      const change = changes[at]!;
      const lines = stepLines(step, { view, style: change === "same" ? "plain" : "warn" });
      const sign = change === "same" ? String(at + 1) : `${changeSigns[change]} ${at + 1}`;
      const marked = lines.map((line, index): Line => [
        { text: (index === 0 ? sign : "").padStart(5), style: change === "same" ? "faint" : "warn" },
        { text: " " },
        ...line,
      ]);
      return blockOf(`call ${at}`, marked, { error: change !== "same" });
    }),
  ];
}

/** Columns before a call: the sign and the number of its step. */
const lead = 6;

function stepLines(
  step: readonly (string | undefined)[],
  { view, style }: { readonly view: View; readonly style: Style },
): readonly Line[] {
  const columns = Math.floor((view.columns - lead - 3 * (step.length - 1)) / step.length);
  if (columns >= leastColumns) {
    const cells = step.map((call) => callLines(call ?? "", columns, style));
    const rows = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: rows }, (_, row) =>
      rowBeside(
        cells.map((cell) => cell[row]),
        columns,
        view.symbols.bar,
      ),
    );
  }
  return step.flatMap((call, run) =>
    callLines(call ?? "no call", view.columns - lead - 2, call === undefined ? "faint" : style).map(
      (line, index): Line => [{ text: index === 0 ? `${run + 1} ` : "  ", style: "faint" }, ...line],
    ),
  );
}

function callLines(call: string, columns: number, style: Style): readonly Line[] {
  const end = call.indexOf(" ");
  const name = end < 0 ? call : call.slice(0, end);
  return wrapSpans(
    [
      { text: name, style: style === "plain" ? "strong" : style },
      { text: call.slice(name.length), style },
    ],
    columns,
    "",
  );
}
