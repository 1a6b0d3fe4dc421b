import { proseColumns } from "../../look/spacing.ts";
import { type Line, lineText } from "../../engine/figures/drawing/line.ts";
import type { CellState, RunStatus, SessionCell } from "../../engine/workbench/workbench.ts";
import { type CellWarnings, warningText } from "../../engine/workbench/figures/warning-marks.ts";
import { colouringOf, isSameColours } from "../../engine/workbench/runs/run-colours.ts";
import type { Suite } from "../../engine/suite.ts";
import type { Theme } from "../drawing/theme.ts";
import { noteLines } from "./note-lines.ts";
import {
  frontMatterLines,
  runLines,
  type RunSurroundings,
  problemLines,
  sourceLines,
  warningLines,
} from "./run-lines.ts";
import { fit, printable } from "../../engine/text/printable.ts";
import { progressTexts } from "../../engine/workbench/figures/table-progress.ts";
import { readCellMap } from "../form/form-values.ts";
import { chosenText } from "../figures/cell-texts.ts";
import { type Look, inlineFigures } from "./inline-figures.ts";
import { hangingLines } from "../drawing/wrapped-spans.ts";
import { kindsLines } from "../codes/kinds-lines.ts";

type Drawn = {
  readonly cell: SessionCell;
  readonly columns: number;
  readonly theme: Theme;
  readonly frame: number;
  readonly warned: CellWarnings;
  readonly colours: ReadonlyMap<string, number>;
  readonly settings: readonly Line[] | undefined;
  readonly lines: Line[];
};
/** Drawn cells by state, which is a new object after every change; all notes have the same state, so they are keyed by cell. */
const known = new WeakMap<object, Drawn>();

/**
 * The inputs from the notebook on which a cell's lines depend: warnings, the colours of runs (see `runColours`), and all settings
 * if the cell shows them.
 */
type Surroundings = {
  readonly warned?: CellWarnings | undefined;
  readonly colours?: ReadonlyMap<string, number>;
  readonly suites?: readonly Suite[];
  readonly settings?: readonly Line[] | undefined;
};

/** Draws a cell as lines of at most `columns`; `frame` is the spinner's frame. Cached while nothing changes. */
export function cellLines(
  cell: SessionCell,
  state: CellState,
  columns: number,
  theme: Theme,
  frame: number,
  { warned = nothingWarned, colours = noColours, suites = [], settings }: Surroundings = {},
): Line[] {
  const key = state.kind === "note" && state.problems.length === 0 ? cell : state;
  const drawn = known.get(key);
  const same =
    drawn?.cell === cell &&
    drawn.columns === columns &&
    drawn.theme === theme &&
    isSameWarning(drawn.warned, warned) &&
    isSameColours(drawn.colours, colours) &&
    textOf(drawn.settings) === textOf(settings);
  if (same && (drawn.frame === frame || !spins(state))) return drawn.lines;
  const lines = laidOut(cell, state, { warned, colours, suites, settings }, columns, theme, frame);
  known.set(key, { cell, columns, theme, frame, warned, colours, settings, lines });
  return lines;
}

const textOf = (lines: readonly Line[] = []): string => lines.map(lineText).join("\n");

/** Returns true if the cell shows a spinner. */
export const spins = (state: CellState): boolean =>
  state.kind === "run" && state.runs.some(({ status }) => spinning.has(status));

const spinning: ReadonlySet<RunStatus> = new Set(["reading", "loading", "running", "stopping"]);

const nothingWarned: CellWarnings = { said: [], marks: [] };
const noColours: ReadonlyMap<string, number> = new Map();

/** Warnings are collected again in every frame. */
function isSameWarning(one: CellWarnings, other: CellWarnings): boolean {
  const text = ({ said, marks }: CellWarnings) => [...said.map(warningText), ...marks].join("\n");
  return one === other || text(one) === text(other);
}

function laidOut(
  cell: SessionCell,
  state: CellState,
  around: RunSurroundings,
  columns: number,
  theme: Theme,
  frame: number,
): Line[] {
  const { colours } = around;
  switch (state.kind) {
    case "note": {
      const lines = noteLines(cell.source, Math.min(columns, proseColumns), theme.symbols);
      if (lines.length === 0) lines.push([{ text: "(an empty note: Enter edits it)", style: "faint" }]);
      return [...lines, ...problemLines(state.problems, columns, theme)];
    }
    case "front-matter":
      return frontMatterLines(cell, state, columns, theme);
    case "kinds":
      return kindsLines(state, columns, theme);
    case "run":
      return runLines(cell, state, around, columns, theme, frame);
    case "analysis":
      return analysisLines(cell, state, around, { columns, theme, colourOf: colouringOf(state, colours) });
  }
}

type AnalysisCell = Extract<CellState, { kind: "analysis" }>;

function analysisLines(
  cell: SessionCell,
  state: AnalysisCell,
  { warned, settings }: RunSurroundings,
  look: Look,
): Line[] {
  const { columns, theme } = look;
  const { analysis, problems, missing, figures } = state;
  const head: Line = [
    { text: "analysis ", style: "accent" },
    { text: printable(cell.name), style: "strong" },
    {
      text: analysis === undefined ? "" : `  ${printable(analysis.question)}`,
      style: "faint",
    },
  ];
  const lines: Line[] = [head];
  if (problems.length > 0 || analysis === undefined) lines.push(...sourceLines(cell.source, 8, theme));
  lines.push(...problemLines(problems, columns, theme));
  const given = readCellMap(cell.source);
  // Figures say in their titles what they were chosen to show.
  const chosen = figures.length > 0 ? "" : chosenText(state, (name) => Object.hasOwn(given, name));
  if (settings !== undefined) lines.push(...settings);
  else if (chosen !== "") lines.push([{ text: fit(`  ${chosen}`, columns), style: "faint" }]);
  lines.push(...warningLines(warned, columns, theme));
  for (const text of [...progressTexts(state), ...(missing === undefined ? [] : [missing])])
    lines.push(...hangingLines("  ", text, columns, "faint"));
  lines.push(...inlineFigures(figures, warned.marks, look));
  return lines;
}
