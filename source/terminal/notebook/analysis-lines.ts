/** What an analysis cell shows: its question, the chosen options, and its figures. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { fit, printable, width, wrap } from "../../engine/text/printable.ts";
import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import { progressTexts } from "../../engine/workbench/figures/table-progress.ts";
import type { CellWarnings } from "../../engine/workbench/figures/warning-marks.ts";
import { chosenText } from "../figures/chosen-text.ts";
import { type Look, inlineFigures } from "./inline-figures.ts";
import { problemLines, sourceLines, warningLines } from "./run-lines.ts";

type AnalysisCell = Extract<CellState, { kind: "analysis" }>;

/** Behind the options, however many there are. */
const chooses = "  c changes";

export function analysisLines(cell: SessionCell, state: AnalysisCell, warned: CellWarnings, look: Look): Line[] {
  const { columns, theme } = look;
  const { analysis, problems, missing, figures } = state;
  const head: Line = [
    { text: "analysis ", style: "accent" },
    { text: printable(cell.name), style: "strong" },
    {
      text: analysis === undefined ? "" : `  ${printable(analysis.title)}: ${printable(analysis.question)}`,
      style: "faint",
    },
  ];
  const lines: Line[] = [head];
  if (problems.length > 0 || analysis === undefined) lines.push(...sourceLines(cell.source, 8, theme));
  lines.push(...problemLines(problems, columns, theme));
  const chosen = chosenText(state);
  if (chosen !== "") {
    lines.push([
      { text: fit(`  ${chosen}`, columns - width(chooses)), style: "code" },
      { text: chooses, style: "faint" },
    ]);
  }
  lines.push(...warningLines(warned, columns, theme));
  for (const progress of progressTexts(state)) {
    for (const text of wrap(printable(progress), Math.max(10, columns - 2)))
      lines.push([{ text: `  ${text}`, style: "faint" }]);
  }
  if (missing !== undefined) {
    for (const text of wrap(printable(missing), columns - 2)) lines.push([{ text: `  ${text}`, style: "faint" }]);
  }
  lines.push(...inlineFigures(figures, warned.marks, look));
  return lines;
}
