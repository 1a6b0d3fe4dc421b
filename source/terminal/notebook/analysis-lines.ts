/** What an analysis cell shows: its question, the chosen options, and its figures, long ones cut. */
import { drawFigure, figureNotes } from "../../engine/figures/drawing/draw-figure.ts";
import type { ColourOf } from "../../engine/figures/drawing/drawing.ts";
import { inkOf, type Line } from "../../engine/figures/drawing/line.ts";
import type { Figure } from "../../engine/figure.ts";
import { printable, wrap } from "../../engine/text/printable.ts";
import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import { progressTexts } from "../../engine/workbench/table-progress.ts";
import type { CellWarnings } from "../../engine/workbench/warning-marks.ts";
import { plural } from "../drawing/amount.ts";
import type { Theme } from "../drawing/theme.ts";
import { chosenText } from "../figures/chosen-text.ts";
import { problemLines, sourceLines, warningLines } from "./run-lines.ts";

type AnalysisCell = Extract<CellState, { kind: "analysis" }>;

/** Lines of a figure's body shown in the notebook. */
const inline = 12;

type Look = { readonly columns: number; readonly theme: Theme; readonly colourOf: ColourOf };

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
      { text: `  ${chosen}`, style: "code" },
      { text: "  c changes", style: "faint" },
    ]);
  }
  if (warned.said.length > 0) lines.push(...warningLines(warned, columns, theme));
  for (const progress of progressTexts(state)) {
    for (const text of wrap(printable(progress), Math.max(10, columns - 2)))
      lines.push([{ text: `  ${text}`, style: "faint" }]);
  }
  if (missing !== undefined) {
    for (const text of wrap(printable(missing), columns - 2)) lines.push([{ text: `  ${text}`, style: "faint" }]);
  }
  for (const figure of figures) lines.push(...inlineFigure(figure, warned.marks.join(""), look));
  return lines;
}

const drawn = new WeakMap<Figure, { readonly key: string; readonly lines: Line[] }>();

/** Everything in a figure that may be the name of a run: its colours are decided by these. */
function namesIn(figure: Figure): readonly string[] {
  switch (figure.kind) {
    case "table":
      return figure.rows.flatMap((row) => row.flatMap(({ value, text }) => (value === undefined ? [text] : [])));
    case "bars":
      return [figure.title, ...figure.bars.map(({ label }) => label)];
    case "lines":
      return figure.series.map(({ label }) => label);
    case "points":
    case "grid":
      return [figure.title];
    default:
      return figure satisfies never;
  }
}

/** What decides the colours of a figure, to tell whether it must be drawn again: the same function is not given twice. */
export function inksIn(figure: Figure, colourOf: ColourOf): string {
  return namesIn(figure)
    .map((name) => colourOf(name) ?? "")
    .join(" ");
}

/** Cached by figure, as the notebook is drawn many times a second while something runs. */
function inlineFigure(figure: Figure, marks: string, look: Look): Line[] {
  const { columns, theme, colourOf } = look;
  const key = `${columns} ${theme.ascii} ${marks} ${inksIn(figure, colourOf)}`;
  const known = drawn.get(figure);
  if (known?.key === key) return known.lines;
  const lines = drawInline(figure, marks, look);
  drawn.set(figure, { key, lines });
  return lines;
}

/** The marks of the warnings that concern a figure stand beside its title. */
export function titleLine({ title }: Figure, marks: string, colourOf: ColourOf): Line {
  // The name of a run at its end, which may have a colon too.
  let end = title.indexOf(": ") + 2;
  while (end > 1 && colourOf(title.slice(end)) === undefined) end = title.indexOf(": ", end) + 2;
  const name = end > 1 ? title.slice(end) : "";
  return [
    { text: printable(title.slice(0, title.length - name.length)), style: "title" },
    { text: printable(name), ...inkOf(colourOf(name), "title") },
    { text: marks === "" ? "" : ` ${marks}`, style: "warn" },
  ];
}

function drawInline(figure: Figure, marks: string, { columns, theme, colourOf }: Look): Line[] {
  const { head, body, foot } = drawFigure(figure, {
    width: columns,
    ascii: theme.ascii,
    colourOf,
    height: 10,
    window: [0, inline + 2],
  });
  const lines: Line[] = [[], titleLine(figure, marks, colourOf), ...head];
  // Grids of two lines to a row are cut between rows.
  const most = body.length > inline + 2 ? inline : body.length;
  lines.push(...body.slice(0, most));
  if (most < body.length) {
    lines.push([
      { text: `  ${theme.symbols.more} ${plural(body.length - most, "more row")}: Enter opens`, style: "accent" },
    ]);
  }
  const notes = figureNotes(figure, columns, theme.ascii);
  lines.push(...foot, ...notes.slice(0, 4));
  if (notes.length > 4)
    lines.push([{ text: `  ${theme.symbols.more} ${plural(notes.length - 4, "more line")} of notes`, style: "faint" }]);
  return lines;
}
