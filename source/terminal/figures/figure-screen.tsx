/** A figure over the whole window: a cursor on its values, their details, and their tasks. */
import { Box } from "ink";
import { useLayoutEffect, useState, type ReactNode } from "react";
import { drawFigure, drawnSigns, rowSpan, signTexts, textsOnScreen } from "../../engine/figures/drawing/draw-figure.ts";
import type { At, ColourOf, Drawing, DrawOptions, Stop } from "../../engine/figures/drawing/drawing.ts";
import { mostBars, type OtherForm, otherForm } from "../../engine/figures/chart-of.ts";
import type { StopRows } from "../../engine/figures/drawing/stops.ts";
import { prepared } from "../../engine/figures/prepared-figure.ts";
import { wantedColumns } from "../../engine/figures/drawing/wanted-columns.ts";
import { brieflyNamed } from "../../engine/figures/drawing/brief-names.ts";
import { type Line, lineText, lineWidth, styled } from "../../engine/figures/drawing/line.ts";
import { factOf } from "../../engine/work/fact.ts";
import type { Figure, Cell } from "../../engine/figure.ts";
import { fit, printable, width as textWidth } from "../../engine/text/printable.ts";
import { colouringOf, runColours } from "../../engine/workbench/runs/run-colours.ts";
import { isAboutAnswerKey, marksOf, remarksOf } from "../../engine/workbench/figures/warning-marks.ts";
import type { CellState, Workbench } from "../../engine/workbench/workbench.ts";
import { plural } from "../../look/amounts.ts";
import { AskedChoice, type ListRequest, listRows } from "../input/choice-list.tsx";
import { chosenText, notesText } from "./cell-texts.ts";
import { type ChartPicture, isPictured, placedChart, reservedLines, useChartPicture } from "./figure-picture.ts";
import { mostBeside } from "../compare/call-blocks.ts";
import { exportCommands } from "../frame/exports.ts";
import { titleLine } from "../notebook/figure-title.ts";
import { figuresThatFit } from "../notebook/inline-figures.ts";
import { askChoice } from "../notebook/notebook-commands.ts";
import { type Searched, useFind } from "../editor/use-find.tsx";
import { copyText } from "../frame/copy.ts";
import { jumpToPane } from "../frame/navigation.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import { activeRuns, cellOfRun } from "../frame/runs.ts";
import type { Screen, ScreenOf, ScreenProps, TaskSource } from "../frame/screen.ts";
import type { Commands } from "../input/keys.ts";
import { useTerminal, useWorkbench, useLayer } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import type { TaskRef } from "../../engine/types.ts";

export function FigureScreen(props: ScreenProps<"figure">): ReactNode {
  const { screen, active, focused, leadTo, width, height } = props;
  const shown = useFigure(screen, active);
  const { terminal, workbench, state, figure, stops, at, setAt, chart, next } = shown;
  const [asking, ask] = useState<ListRequest>();
  // The cursor and the edge take two columns more.
  const columns =
    figure === undefined || chart !== undefined
      ? 0
      : wantedColumns(figure, terminal.theme.ascii, shown.hasIntervals ? "below" : "none") + 2;
  // Beside its notebook it leads to tasks only while nothing runs, because they would be gathered again in every frame.
  const leads = focused ? stops.hasTasks : !isEmpty(next) && activeRuns(workbench) === 0;
  useLayoutEffect(() => leadTo(leads ? next : undefined, columns));
  const colourOf = state?.kind === "analysis" ? colouringOf(state, runColours(workbench)) : noColours;
  // While a run executes, its figures change too often.
  const isPicture = active && figure !== undefined && isPictured(figure) && activeRuns(workbench) === 0;
  const picture = useChartPicture(terminal, isPicture && chart === undefined ? figure : undefined, colourOf);
  const find = useFind(width);
  useLayer(focused, { scope: "figure", commands: figureCommands(shown, ask, find.open) });
  if (!active) return null;
  if (figure === undefined || state?.kind !== "analysis") {
    const why = state?.kind === "analysis" ? (state.missing ?? "No figures yet") : "This cell was removed";
    return <Rows lines={[styled("faint", ` ${printable(why)}`)]} columns={width} height={height} />;
  }
  const listed = asking === undefined ? find.rows : listRows(asking.choices, height);
  // Constant for all values, so that the figure above does not move.
  const detailRows = width < narrow && height >= 20 ? 2 : 1;
  // In the lowest windows the count in the title and the key `n` suffice.
  const warned =
    height < lowest || shown.warnings.length === 0 ? [] : [warningRow(shown.warnings, width, terminal.theme)];
  const room = height - listed - 1 - warned.length - detailRows;
  return (
    <Box flexDirection="column" height={height}>
      <TextRow line={headingOf(shown, figure, state, colourOf, width)} columns={width} />
      <Rows lines={warned} columns={width} height={warned.length} />
      {figureBody({ ...shown, picture }, figure, colourOf, focused, width, room)}
      <Rows lines={focused ? stopLines(shown.stop, width, detailRows) : []} columns={width} height={detailRows} />
      {asking === undefined ? (
        find.field(searchedStops(stops, at, setAt))
      ) : (
        <AskedChoice asking={asking} columns={width} height={listed} close={() => ask(undefined)} />
      )}
    </Box>
  );
}

type ShownFigure = ReturnType<typeof useFigure>;
type AnalysisState = Extract<CellState, { readonly kind: "analysis" }>;

/** Returns the figure of the cell, the cursor on its values, and the tasks that the cursor opens. */
function useFigure({ cell, figure: first }: ScreenOf<"figure">, active: boolean) {
  const terminal = useTerminal();
  const workbench = useWorkbench(active);
  const [wantedIndex, setIndex] = useState(first);
  const [wanted, setAt] = useState<At>();
  const [isTurned, setTurned] = useState(false);
  const [hasIntervals, setHasIntervals] = useState(true);
  const exists = workbench.cells().some(({ id }) => id === cell);
  const state = exists ? workbench.state(cell) : undefined;
  const figures = state?.kind === "analysis" ? state.figures : [];
  const marks = exists ? marksOf(workbench).get(cell) : undefined;
  const remarks = remarksOf(workbench);
  const all = state?.kind === "analysis" ? state.warnings : [];
  const warnings = all.filter((text) => !remarks.has(text) && !isAboutAnswerKey(text));
  const index = Math.min(wantedIndex, figures.length - 1);
  const figure = figures[index];
  const stops = prepared(figure ?? nothing).stops;
  const at = clamp(wanted ?? firstNumber(stops), stops);
  const stop = stops.row(at.row)[at.column];
  const chart = isTurned && figure !== undefined ? otherForm(figure, at) : undefined;
  const { label, tasks } = tasksAt(stops.row(at.row), at.column);
  const none = whyNoTasks(stop);
  const next = { kind: "tasks", title: `${figure?.title ?? ""}: ${label}`, tasks, none } as const;
  const turnTo = (other: number | Figure) => {
    setIndex(typeof other === "number" ? other : figures.indexOf(other));
    setAt(undefined);
  };
  return {
    terminal,
    workbench,
    cell,
    state,
    figures,
    index,
    figure,
    marks,
    warnings,
    stops,
    at,
    setAt,
    stop,
    isTurned,
    setTurned,
    hasIntervals,
    setHasIntervals,
    chart,
    next,
    turnTo,
  };
}

const isEmpty = ({ tasks }: ShownFigure["next"]): boolean => "length" in tasks && tasks.length === 0;

function figureCommands(shown: ShownFigure, ask: (asking: ListRequest) => void, find: () => void): Commands<"figure"> {
  const { terminal, cell, state, figures, index, figure, at, setAt, stop, chart, next } = shown;
  const { navigation, notices } = terminal;
  const along = (by: number) =>
    setAt(chart === undefined ? { ...at, row: at.row + by } : (movedIn(chart, at, by) ?? at));
  const across = (by: number) =>
    setAt(
      chart === undefined || figure?.kind === "table" ? { ...at, column: at.column + by } : { ...at, row: at.row + by },
    );
  const cycle = (by: number) => {
    if (figures.length > 1) return shown.turnTo((index + by + figures.length) % figures.length);
    notices.say("This cell has only one figure");
    setAt(undefined);
  };
  return {
    up: () => along(-1),
    down: () => along(1),
    left: () => across(-1),
    right: () => across(1),
    first: () => along(-Infinity),
    last: () => along(Infinity),
    "page-up": () => along(-10),
    "page-down": () => along(10),
    ...exportCommands(terminal, cell),
    next: () => cycle(1),
    previous: () => cycle(-1),
    find,
    pane: (digit) => jumpToPane(terminal, digit),
    copy: () => copyText(terminal, stop?.cell?.text),
    back: navigation.pop,
    bars: () => turn(shown),
    intervals: () => toggleIntervals(shown),
    notes() {
      if (figure === undefined || state?.kind !== "analysis") return notices.say(noFigure);
      navigation.push({ kind: "text", title: figure.title, text: notesText(state, figure) });
    },
    open() {
      if (isEmpty(next)) notices.say(next.none);
      else navigation.push(besideOriginal(shown.workbench, next.tasks) ?? next);
    },
    choose: () => askChoice(terminal, cell, state, ask),
    beside() {
      const screen = callsOfRow(shown.stops, at.row);
      if (typeof screen === "string") notices.say(screen);
      else navigation.push(screen);
    },
  };
}

/** Returns the place that is `by` rows further in the other form of a figure. */
function movedIn({ places }: OtherForm, at: At, by: number): At | undefined {
  const exact = placeIn(places, at);
  // A value that no bar shows is between two bars.
  const row = exact >= 0 ? exact : places.findLastIndex((place) => isBefore(place, at));
  return places[Math.max(0, Math.min(places.length - 1, row + by))];
}

const placeIn = (places: readonly At[], { row, column }: At): number =>
  places.findIndex((place) => place.row === row && place.column === column);

const isBefore = (one: At, other: At): boolean =>
  one.row < other.row || (one.row === other.row && one.column < other.column);

function turn({ terminal, figure, at, isTurned, setTurned }: ShownFigure): void {
  const { notices } = terminal;
  if (figure === undefined) notices.say(noFigure);
  else if (isTurned || otherForm(figure, at) !== undefined) setTurned(!isTurned);
  else notices.say(`Bars need numbers of at least 0, in at most ${mostBars} rows`);
}

function toggleIntervals({ terminal, figure, hasIntervals, setHasIntervals }: ShownFigure): void {
  const isTold = figure?.kind === "table" && prepared(figure).look.outline.hasIntervals;
  if (isTold) setHasIntervals(!hasIntervals);
  else terminal.notices.say("No table here has intervals");
}

/** The title, the number of the figure, and the chosen options if there is room. */
function headingOf(
  { figures, index, chart, marks }: ShownFigure,
  figure: Figure,
  state: AnalysisState,
  colourOf: ColourOf,
  width: number,
): Line {
  const place = figures.length > 1 ? `  ${index + 1} of ${figures.length}` : "";
  const title: Line = [
    { text: " " },
    ...titleLine(chart?.figure ?? figure, marks?.marks ?? [], colourOf, width - 1 - place.length),
    { text: place, style: "faint" },
  ];
  const left = width - lineWidth(title) - 2;
  // A few letters of the options are useless, and `c` shows them all.
  const chosen = left < leastOfChoices ? "" : fit(chosenText(state), left);
  return chosen === "" ? title : [...title, { text: `  ${chosen}`, style: "faint" }];
}

/** Returns the figure to draw, its cursor, and the figures below it; a chart has its own cursor. */
function bodyOf({ figures, index, at, setAt, chart }: ShownFigure, figure: Figure) {
  const others = [...figures.slice(index + 1), ...figures.slice(0, index)];
  if (chart === undefined) return { figure, others, at, go: setAt };
  const go = (to: At) => setAt(chart.places[to.row] ?? to);
  return { figure: chart.figure, others, at: { row: placeIn(chart.places, at), column: chart.column }, go };
}

const noFigure = "There is no figure yet";

const whyNoTasks = (stop: Stop | undefined): string =>
  stop?.cell?.reported === true
    ? "Reported by the paper: there are no tasks for this value"
    : "There are no tasks for this value";

const indented = (line: Line): Line => (line.length === 0 ? line : [{ text: " " }, ...line]);

/** Number of columns below which a value and its details do not fit on one line. */
const narrow = 100;

/** In fewer rows, the figure takes the row of the warnings. */
const lowest = 10;
/** In fewer rows, only a few rows explain signs. */
const low = 12;

/** Fewest columns for the chosen options in the heading. */
const leastOfChoices = 16;

/**
 * Shows the warnings that affect how every number is read; if they do not fit on a line, also the key that shows all of them. The
 * head of the session shows which models read the answer key.
 */
function warningRow(warnings: readonly string[], width: number, { symbols }: Theme): Line {
  const text = warnings.map((each) => `${symbols.failed} ${printable(each)}`).join("  ");
  const more = "  n: all notes";
  if (textWidth(text) < width) return styled("faint", ` ${text}`);
  return styled("faint", ` ${fit(text, width - more.length - 2)}${more}`);
}

const noColours: ColourOf = () => undefined;

/** Draws the figure, and below it the figures to which Tab moves while there is room. */
function figureBody(
  shown: ShownFigure & { readonly picture: ChartPicture | undefined },
  own: Figure,
  colourOf: ColourOf,
  focused: boolean,
  width: number,
  height: number,
): ReactNode {
  const { figure, others, at, go } = bodyOf(shown, own);
  const { keyboard, theme } = shown.terminal;
  const marks = shown.marks?.marks ?? [];
  const intervals = shown.hasIntervals ? "below" : false;
  const mostSigns = height < low ? Math.floor(height / 6) : undefined;
  const signs = drawnSigns(signTexts(figure, { ...theme, width, intervals }), width).slice(0, mostSigns);
  const room = height - signs.length;
  const placed = shown.picture && placedChart(shown.picture, width, room);
  const now = drawnFigure(figure, { width, height, room, theme, focused, at, intervals, colourOf });
  const { lines: characters, first, body, starts } = now;
  const lines = placed === undefined ? characters : reservedLines(placed);
  const look = { columns: width - 2, theme, colourOf };
  const whole = [...lines, ...signs];
  const below = figuresThatFit(figure, others, marks, look, height - whole.length);
  const all = [...whole, ...below.lines.map(indented)];
  return <Rows lines={all} columns={width} height={height} click={{ scope: "figure", at: click }} picture={placed} />;

  /** Moves to the clicked value and opens it if the cursor was on it; a click on another figure moves to that figure. */
  function click(line: number, column: number): void {
    if (line >= whole.length) {
      const other = below.figureAt(line - whole.length, column - 1);
      if (other !== undefined) shown.turnTo(other);
      return;
    }
    if (placed !== undefined) return;
    const textOf = (at: number) => lineText(lines[first + at] ?? []);
    const to = clickedStop(figure, prepared(figure).stops, { line: line - first, body, starts, textOf }, column);
    if (to === undefined) return;
    if (to.row === at.row && to.column === at.column) keyboard.perform("figure", "open");
    else go(to);
  }
}

type BodyLook = Required<Pick<DrawOptions, "at" | "width" | "height" | "intervals" | "colourOf">> & {
  readonly room: number;
  readonly theme: Theme;
  readonly focused: boolean;
};

/** Draws the part of a figure around the cursor. Cached, because it is drawn many times a second beside a run that executes. */
function drawnFigure(figure: Figure, look: BodyLook): Drawn {
  const { width, height, room, theme, focused, at, intervals, colourOf } = look;
  const key = `${width} ${room} ${theme.ascii} ${theme.screen} ${focused} ${at.row} ${at.column} ${intervals}`;
  const known = drawn(figure);
  if (known?.key === key && known.colourOf === colourOf) return known;
  const drawnFrom = (row: number) =>
    drawFigure(figure, {
      width: width - 1,
      ascii: theme.ascii,
      screen: theme.screen,
      colours: theme.colours,
      colourOf,
      intervals,
      ...(focused && { at }),
      height: room - 6,
      window: [row, at.row + height + 1],
    });
  let drawing = drawnFrom(at.row - height);
  const { top: from } = windowed(figure, drawing, at, room);
  // The first visible row of a table shows its names, also if the row above it has the same.
  if (from > 0 && figure.kind === "table")
    drawing = drawnFrom(drawing.starts?.findIndex((line) => line >= from) ?? from);
  const { head, body, foot, top } = windowed(figure, drawing, at, room);
  const lines = [...head, ...body, ...foot];
  const { starts } = drawing;
  const now = { key, colourOf, lines, first: head.length - top, body: drawing.body.length, starts };
  drawn.know(figure, now);
  return now;
}

/** The drawing of each figure on its own screen. */
const drawn = factOf<Figure, Drawn | undefined>(() => undefined);

type Drawn = {
  readonly key: string;
  readonly colourOf: ColourOf;
  readonly lines: readonly Line[];
  /** The index of the body's first line, also if the line is scrolled out of view. */
  readonly first: number;
  /** The number of lines of the whole body. */
  readonly body: number;
  readonly starts: Drawing["starts"];
};

/** Fewest lines of a body that is cut. */
const leastOfBody = 5;

/** Returns the part of a long body around the cursor, with a line that reports which part it is. */
function windowed(
  figure: Figure,
  { head, body, foot, starts }: Drawing,
  at: At,
  height: number,
): Drawing & { readonly top: number } {
  const room = height - head.length - foot.length;
  if (body.length <= room) return { head, body, foot, top: 0 };
  // The lines below the body give way first.
  const kept = foot.slice(0, Math.max(0, height - head.length - leastOfBody));
  if (kept.length < foot.length)
    return windowed(figure, { head, body, foot: kept, ...(starts && { starts }) }, at, height);
  const inner = Math.max(1, room - 1);
  const { from, lines } = rowSpan(figure, at.row, body.length, starts);
  const top = Math.max(0, Math.min(body.length - inner, from + (lines >> 1) - (inner >> 1)));
  const hidden = `  lines ${top + 1} to ${Math.min(body.length, top + inner)} of ${body.length}`;
  return { head, body: [...body.slice(top, top + inner), styled("faint", hidden)], foot, top };
}

/** Searches the values by label and text. */
function searchedStops(stops: StopRows, { row, column }: At, go: (at: At) => void): Searched {
  const textOf = ({ label, cell }: Stop) => `${printable(label)} ${printable(cell?.text ?? "")}`;
  return {
    blocks: () =>
      Iterator.from(stops).map((each, at) => ({
        id: String(at),
        count: each.length,
        line: (index: number): Line => [{ text: textOf(each[index]!) }],
      })),
    get here() {
      let before = 0;
      for (let at = 0; at < row; at++) before += stops.count(at);
      return before + column;
    },
    found: ({ block, line }) => go({ row: Number(block), column: line }),
  };
}

/** Replaces a missing figure. */
const nothing: Figure = { kind: "table", title: "", columns: [], rows: [], notes: [] };

/** Starts at the first number, because labels may have tasks, too; without numbers, at the first value that can be opened. */
const firstNumber = (stops: StopRows): At =>
  firstStop(stops, ({ cell }) => cell?.value !== undefined) ??
  firstStop(stops, ({ cell }) => cell?.tasks !== undefined) ?? { row: 0, column: 0 };

function firstStop(stops: StopRows, wanted: (stop: Stop) => boolean): At | undefined {
  let row = -1;
  for (const each of stops) {
    row += 1;
    const column = each.findIndex(wanted);
    if (column >= 0) return { row, column };
  }
  return undefined;
}

function clamp({ row, column }: At, stops: StopRows): At {
  const within = Math.max(0, Math.min(row, stops.length - 1));
  return { row: within, column: Math.max(0, Math.min(column, stops.row(within).length - 1)) };
}

/** Describes the value under the cursor and its sample. */
function stopLines(stop: Stop | undefined, columns: number, rows: number): readonly Line[] {
  if (stop === undefined) return [];
  const { label, cell } = stop;
  const parts: string[] = [];
  if (cell?.n !== undefined) parts.push(`n ${cell.n}`);
  if (cell?.tasks !== undefined) parts.push(plural(cell.tasks.length, "task"));
  if (cell?.rests !== undefined) {
    const { scored, unscored, failed } = cell.rests;
    const left = [unscored === 0 ? "" : `${unscored} unscored`, failed === 0 ? "" : `${failed} failed`];
    parts.push([`${scored} scored`, ...left.filter((part) => part !== "")].join(", "));
  }
  if (cell?.reported === true) parts.push("reported by the paper");
  if (cell?.faint === true && cell.note === undefined && cell.rests === undefined) parts.push("few tasks");
  if (cell?.note !== undefined) parts.push(printable(cell.note));
  const spans: Line = [
    { text: label === "" ? "" : `${brieflyNamed(printable(label))}: `, style: "faint" },
    { text: cell === undefined ? "no value" : printable(cell.text), style: "strong" },
    { text: parts.length === 0 ? "" : `   ${parts.join(", ")}`, style: "faint" },
  ];
  return rows === 1 ? [[{ text: " " }, ...spans]] : wrapSpans(spans, columns, " ").slice(0, rows);
}

/**
 * Returns the tasks that Enter opens in this column of a row: the tasks of its value; on a label, the tasks of all values of the
 * row.
 */
export function tasksAt(
  row: readonly Stop[],
  column: number,
): { readonly label: string; readonly tasks: Exclude<TaskSource, { readonly cell: string }> } {
  const stop = row[column];
  if (stop?.cell === undefined) return { label: "", tasks: none };
  const { value, tasks, reported = false } = stop.cell;
  if (tasks !== undefined || value !== undefined || reported) return { label: stop.label, tasks: tasks ?? none };
  return { label: row[0]?.cell?.text ?? "", tasks: known.get(stop.cell) ?? remembered(stop.cell, row) };
}

const none: readonly TaskRef[] = [];

/**
 * Keyed by the label's cell, so that the list stays the same object while the figure does, because another list would redraw the
 * screen beside it.
 */
const known = new WeakMap<Cell, ReturnType<typeof tasksAt>["tasks"]>();

/** Tasks that several values share are not filtered here, because the cursor may be moving across the values. */
function remembered(label: Cell, row: readonly Stop[]): ReturnType<typeof tasksAt>["tasks"] {
  const lists = [...new Set(row.flatMap(({ cell }) => (cell?.tasks?.length ? [cell.tasks] : [])))];
  const tasks = lists.length > 1 ? { lists } : (lists[0] ?? none);
  known.set(label, tasks);
  return tasks;
}

/** A drawn line of a figure's body: its number among `body` lines, and the text of any line of it; `starts` as in the drawing. */
type BodyLine = {
  readonly line: number;
  readonly body: number;
  readonly starts?: readonly number[] | undefined;
  readonly textOf: (line: number) => string;
};

/**
 * Returns the value drawn at or nearest to this column of a line; undefined for a line without values, and for plots.
 */
export function clickedStop(
  figure: Figure,
  stops: StopRows,
  { line, body, starts, textOf }: BodyLine,
  column: number,
): At | undefined {
  if (figure.kind === "lines" || figure.kind === "points") return undefined;
  const isOf = (row: number) => {
    const { from, lines } = rowSpan(figure, row, body, starts);
    return line >= from && line < from + lines;
  };
  let row = 0;
  while (row < stops.length && !isOf(row)) row += 1;
  if (row === stops.length) return undefined;
  // An interval below a value is that value's.
  const text = textOf(rowSpan(figure, row, body, starts).from);
  let at = 0;
  let nearest: { readonly column: number; readonly distance: number } | undefined;
  const shown = textsOnScreen(figure);
  for (const [index, { cell }] of stops.row(row).entries()) {
    // Values follow each other in the line; a text that was cut is not found.
    const own = cell === undefined ? "" : shown(cell);
    const found = own === "" ? -1 : text.indexOf(own, at);
    if (found < 0) continue;
    at = found + own.length;
    const distance = column < found ? found - column : Math.max(0, column - at + 1);
    if (nearest === undefined || distance < nearest.distance) nearest = { column: index, distance };
  }
  return nearest && { row, column: nearest.column };
}

/**
 * Returns the calls of a row's task in up to four runs: the first run of each column, otherwise trials of the same column.
 * Returns a text that explains why there are none.
 */
export function callsOfRow(stops: StopRows, row: number): ScreenOf<"beside"> | string {
  const [label, ...values] = stops.row(row).map(({ cell }) => cell?.tasks ?? none);
  const refs = [...(label ?? none), ...values.flat()];
  const tasks = new Set(refs.map((ref) => ref.task));
  if (tasks.size !== 1)
    return "Calls are shown side by side only for rows of a single task, as in the analysis `answers`";
  const leading = new Set(values.flatMap(([ref]) => (ref === undefined ? [] : [ref.run])));
  const [first, second, ...more] = leading.size > 1 ? leading : new Set(refs.map(({ run }) => run));
  if (first === undefined || second === undefined) return "Only one run has this task";
  const listed = Iterator.from(stops).flatMap(
    (each) => each.find(({ cell }) => cell?.tasks?.length)?.cell?.tasks ?? none,
  );
  return {
    kind: "beside",
    task: refs[0]!.task,
    tasks: [...new Set(listed.map((ref) => ref.task))],
    runs: [first, second, ...more.slice(0, mostBeside - 2)],
    section: "calls",
  };
}

/**
 * If all these tasks are continuations from one request of a trajectory, returns the screen that shows them beside the original;
 * otherwise undefined.
 */
function besideOriginal(workbench: Workbench, tasks: TaskSource): Screen | undefined {
  if (!Array.isArray(tasks) || tasks.length === 0) return undefined;
  const [first, ...rest] = tasks as readonly TaskRef[];
  const { run, task } = first!;
  const original = task.includes("@") ? cellOfRun(workbench, run)?.state.spec.forks?.of : undefined;
  if (original === undefined || rest.some((each) => each.task !== task)) return undefined;
  return { kind: "beside", task, tasks: [task], runs: [original, run] };
}
