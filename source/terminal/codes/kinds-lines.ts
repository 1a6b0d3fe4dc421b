/** A kinds cell as lines of the notebook. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { kindDepths } from "../../engine/session/codes/task-codes.ts";
import { fit, pad, printable, width } from "../../engine/text/printable.ts";
import type { CellState } from "../../engine/workbench/workbench.ts";
import { plural } from "../../look/amounts.ts";
import type { Theme } from "../drawing/theme.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import { problemLines } from "../notebook/run-lines.ts";

/** Shows each kind below the kind that contains it. */
export function kindsLines(state: Extract<CellState, { kind: "kinds" }>, columns: number, theme: Theme): Line[] {
  const depths = kindDepths(state.kinds);
  const names = state.kinds.map(({ name }) => `${"  ".repeat(depths.get(name)! + 1)}${printable(name)}`);
  const side = Math.min(columns >> 1, Math.max(0, ...names.map(width)));
  const count =
    state.kinds.length === 0 ? "no kinds yet: Enter adds them (name: meaning)" : plural(state.kinds.length, "kind");
  return [
    [
      { text: "kinds ", style: "accent" },
      { text: ` ${count}`, style: "faint" },
    ],
    ...state.kinds.flatMap(({ meaning = "" }, at) =>
      wrapSpans(
        [
          { text: `${pad(fit(names[at]!, side), side)}  `, style: "strong" },
          { text: printable(meaning), style: "faint" },
        ],
        columns,
        "",
      ),
    ),
    ...problemLines(state.problems, columns, theme),
  ];
}
