/** The runs of a cell as a table, one line each: progress, results, remaining time and usage. */
import { partOf } from "../../engine/workbench/runs/run-colours.ts";
import { inkOf, type Line, lineText, lineWidth, type Span, type Style } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../look/signs.ts";
import { endedTasks, type TaskCounts, taskStates, openTasks, summedCounts } from "../../engine/log/rows/task-counts.ts";
import { intervalWord } from "../../engine/figures/interval-text.ts";
import { percentDigits } from "../../engine/figures/drawing/screen-text.ts";
import { shownValue } from "../../engine/measures/measure-cell.ts";
import { fitMiddle, pad, width } from "../../engine/text/printable.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import { costText, countText, rateText, roughTime } from "../../look/amounts.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Theme } from "../drawing/theme.ts";
import { runNames } from "../drawing/run-names.ts";
import { hintOf, statusSpan } from "./status-span.ts";
import { hangingLines } from "../drawing/wrapped-spans.ts";

/** Omitted if it is empty for all runs or if there is no room. */
type Column = {
  readonly name:
    | "run"
    | "state"
    | "done"
    | "marks"
    | "requests"
    | "score"
    | "rate"
    | "left"
    | "tokens"
    | "out"
    | "cost";
  readonly title: string;
  readonly align: "left" | "right";
  readonly cells: readonly Line[];
};
/**
 * The order in which columns are omitted: the bar first, which repeats the marks; if tasks are long, requests show the progress.
 */
const dropped = (isLong: boolean): readonly Column["name"][] => [
  ...(isLong ? [] : (["requests"] as const)),
  "marks",
  "tokens",
  "cost",
  "rate",
  "requests",
  "left",
];

const gap = 2;
const leastBar = 6;
const longestBar = 30;
/** Maximum fraction of the line for a label. */
const labelShare = 0.45;

/** Draws lines of at most `columns`; `colours` are the numbers of the runs' colours. */
export function runTable(
  runs: readonly RunState[],
  columns: number,
  theme: Theme,
  frame: number,
  colours: ReadonlyMap<string, number>,
): Line[] {
  if (runs.length === 0) return [];
  const lines = runs.length === 1 ? runs : [...runs, totalOf(runs)];
  const all = columnsOf(lines, runs.length, columns, theme, frame, colours);
  const rests = (shown: readonly Column[]) => columns - 2 * gap - sumOf(shown.map((each) => wideOf(each) + gap)) + gap;
  let shown = all.filter(({ cells }) => cells.some((cell) => lineWidth(cell) > 0));
  const isLong = runs.some(({ requests }) => requests !== undefined);
  for (const name of dropped(isLong))
    if (rests(shown) < leastBar) shown = shown.filter((each) => partOfPair(each) !== name);
  // If that is not enough, omits the intervals, then the bar, which repeats the numbers beside it, and last the state.
  if (rests(shown) < leastBar) shown = shown.map(withoutIntervals);
  if (rests(shown) < -gap) shown = shown.filter((each) => each.name !== "state");
  const bar = rests(shown) < leastBar ? 0 : Math.min(longestBar, rests(shown));
  const row = (cell: (column: Column) => Line, middle: Line): Line =>
    shown.flatMap((column): Span[] => [
      { text: " ".repeat(gap) },
      ...aligned(cell(column), wideOf(column), column.align),
      ...(column.name === "state" && bar > 0 ? [{ text: " ".repeat(gap) }, ...middle] : []),
    ]);
  return [
    row(({ title }) => [{ text: title, style: "faint" }], [{ text: pad("result", bar), style: "faint" }]),
    ...lines.map((run, index) => row(({ cells }) => cells[index]!, barOf(run.counts, run.total, bar, theme))),
    ...legend(runs, leftOut(all, shown, isLong), columns, theme),
  ];
}

/** Tokens in and out are omitted together. */
const partOfPair = ({ name }: Column): Column["name"] => (name === "out" ? "tokens" : name);

function withoutIntervals(column: Column): Column {
  if (column.name !== "score") return column;
  return { ...column, cells: column.cells.map((cell) => cell.filter((_, index) => index !== 2)) };
}

/** Returns the omitted columns as text: those of a single run, or of the total. */
function leftOut(all: readonly Column[], shown: readonly Column[], isLong: boolean): LeftOut {
  const names = new Set(shown.map(({ name }) => name));
  const missing = all.filter(({ name }) => !names.has(name));
  const texts = missing.flatMap(({ name, title, cells }) => {
    const text = lineText(cells.at(-1)!);
    if (text === "" || name === "marks" || (name === "requests" && !isLong)) return [];
    if (name === "tokens") return [`tokens in ${text}`];
    return [name === "rate" ? `${text} tasks${title}` : `${title} ${text}`];
  });
  return {
    texts,
    counts: missing.some(({ name }) => name === "marks"),
    intervals: all.some((each) => names.has(each.name) && !shown.includes(each)),
  };
}

/** `counts`: the counts of the bars' parts were omitted. `intervals`: the intervals of the scores were omitted. */
type LeftOut = { readonly texts: readonly string[]; readonly counts: boolean; readonly intervals: boolean };

const wideOf = ({ title, cells }: Column): number => Math.max(width(title), ...cells.map(lineWidth));

function aligned(line: Line, columns: number, align: Column["align"]): Line {
  const blanks: Span = { text: " ".repeat(Math.max(0, columns - lineWidth(line))) };
  return align === "left" ? [...line, blanks] : [blanks, ...line];
}

function columnsOf(
  lines: readonly RunState[],
  runs: number,
  columns: number,
  theme: Theme,
  frame: number,
  colours: ReadonlyMap<string, number>,
): readonly Column[] {
  const own = lines.slice(0, runs).map(({ label }) => label);
  const { title, names, columns: widest } = runNames(own, Math.max(12, Math.floor(columns * labelShare)));
  const labels = lines.map((run, index): Line => [
    { text: names[index] ?? fitMiddle("total", widest), ...inkOf(colours.get(partOf(run)), "strong") },
  ]);
  const ranks = rankedTexts(lines.slice(0, runs));
  const digits = Math.max(2, ...lines.map(({ score }) => (score === undefined ? 0 : width(textOf(score)))));
  const scores = lines.map((run) => scoreLine(run, ranks, digits));
  const text = (of: (run: RunState) => string, style: Style = "plain") =>
    lines.map((run) => [{ text: of(run), style }]);
  return [
    { name: "run", title, align: "left", cells: labels },
    { name: "state", title: "state", align: "left", cells: stateCells(lines, runs, theme, frame) },
    { name: "done", title: "tasks", align: "right", cells: text(tasksText) },
    { name: "marks", title: "", align: "left", cells: lines.map((run) => markSpans(run, theme.symbols)) },
    { name: "requests", title: "requests", align: "right", cells: text(requestsText) },
    { name: "score", title: "score", align: "left", cells: scores },
    { name: "rate", title: "/min", align: "right", cells: text(({ rate }) => rateText(rate)) },
    { name: "left", title: "left", align: "right", cells: text(({ left }) => roughTime(left)) },
    { name: "tokens", title: "in", align: "right", cells: text(({ tokens }) => tokensText(tokens, "input"), "faint") },
    { name: "out", title: "out", align: "right", cells: text(({ tokens }) => tokensText(tokens, "output"), "faint") },
    // Free models would always show 0.
    { name: "cost", title: "cost", align: "right", cells: text(({ cost = 0 }) => (cost > 0 ? costText(cost) : "")) },
  ];
}

/** Empty until the number of tasks is known. */
const tasksText = ({ counts, total }: RunState): string => (total === 0 ? "" : `${endedTasks(counts)}/${total}`);

/** The total has no state if all runs are done. */
function stateCells(lines: readonly RunState[], runs: number, theme: Theme, frame: number): readonly Line[] {
  const isDone = lines.every(({ status }) => status === "done");
  return lines.map((run, at) => (at === runs && isDone ? [] : [stateSpan(run, theme, frame)]));
}

function stateSpan(run: RunState, theme: Theme, frame: number): Span {
  const { running } = run.counts;
  const span = statusSpan(run, theme, frame);
  return run.status === "running" && running > 0 ? { ...span, text: `${span.text} ${running}` } : span;
}

function markSpans({ counts }: RunState, symbols: Symbols): Line {
  if (endedTasks(counts) === 0) return [];
  return (["right", "wrong", "unscored", "failed", "stopped"] as const)
    .filter((mark) => counts[mark] > 0 || mark === "right" || mark === "wrong")
    .flatMap((mark, index): Span[] => {
      const { sign, style } = markOf(mark, symbols);
      return [{ text: index === 0 ? "" : " " }, { text: `${sign} ${counts[mark]}`, style }];
    });
}

function requestsText({ calls, requests }: RunState): string {
  if (calls === 0) return "";
  return requests === undefined ? countText(calls) : `${countText(calls)} of ~${countText(requests)}`;
}

const tokensText = (tokens: RunState["tokens"], side: "input" | "output"): string =>
  tokens.input + tokens.output === 0 ? "" : `${tokens.estimated ? "~" : ""}${countText(tokens[side])}`;

type Score = NonNullable<RunState["score"]>;

/** Returns a score with the decimals that its number of tasks allows. */
export const scoreOnScreen = (value: number, { unit, n }: Pick<Score, "unit" | "n">): string =>
  shownValue(value, unit, unit === "percent" ? percentDigits(n) : undefined);

const textOf = (score: Score): string => scoreOnScreen(score.value, score);

/**
 * Returns the best scores as shown, and for more than two scores the second best; empty if all are equal or if their measures
 * differ.
 */
function rankedTexts(runs: readonly RunState[]): readonly string[] {
  const scores = runs.flatMap(({ score }) => score ?? []);
  if (new Set(scores.map(({ name }) => name)).size > 1) return [];
  const sorted = scores.toSorted((a, b) => (a.better === "higher" ? b.value - a.value : a.value - b.value));
  const texts = [...new Set(sorted.map(textOf))];
  return texts.length < 2 ? [] : texts.slice(0, texts.length > 2 ? 2 : 1);
}

/**
 * Returns a score such as `69 [50, 84]`, the best score bold, the second best underlined; `n` is added if the score covers other
 * tasks than the counts beside it.
 */
function scoreLine({ score, counts }: RunState, ranks: readonly string[], digits: number): Line {
  if (score === undefined) return [];
  const { low, high, n } = score;
  const text = textOf(score);
  const style = (["strong", "underlined"] as const)[ranks.indexOf(text)] ?? "plain";
  const interval =
    low === undefined || high === undefined ? "" : ` [${scoreOnScreen(low, score)}, ${scoreOnScreen(high, score)}]`;
  const of = n === counts.right + counts.wrong ? "" : ` n ${n}`;
  return [
    { text: " ".repeat(Math.max(0, digits - width(text))) },
    { text, style },
    { text: interval, style: "faint" },
    { text: of, style: "faint" },
  ];
}

/** Draws a bar in which every present kind of task has at least a column, if there are enough. */
export function barOf(counts: TaskCounts, total: number, columns: number, theme: Theme): Line {
  const kinds = taskStates.filter((mark) => counts[mark] > 0);
  if (total === 0 || kinds.length > columns) return [{ text: " ".repeat(columns) }];
  const wide = kinds.map((mark) => Math.max(1, Math.floor((counts[mark] / total) * columns)));
  const widest = () => wide.indexOf(Math.max(...wide));
  // The widest parts absorb what rounding adds or removes.
  for (let rest = columns - sumOf(wide); rest !== 0; rest -= Math.sign(rest)) wide[widest()]! += Math.sign(rest);
  return kinds.map((mark, index) => ({
    text: fillOf(mark, theme).repeat(Math.max(0, wide[index]!)),
    style: markOf(mark, theme.symbols).style,
  }));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Distinguishes parts without colour too; in ASCII by the symbols of the tasks. */
function fillOf(mark: keyof TaskCounts, { symbols }: Theme): string {
  const { full, wrongPart, unscoredPart, runningPart, waiting, failed, stopped } = symbols;
  const parts = { right: full, wrong: wrongPart, unscored: unscoredPart, running: runningPart };
  return { ...parts, waiting, failed, stopped }[mark];
}

/** Explains the key that continues, the score and the parts of the bars. */
function legend(runs: readonly RunState[], left: LeftOut, columns: number, theme: Theme): Line[] {
  const open = runs.find(({ status }) => status === "paused") ?? runs.find(({ status }) => status === "partial");
  const key = runs.every(({ status, givenAway }) => status === "ready" && givenAway !== true)
    ? "r runs"
    : open === undefined
      ? ""
      : hintOf(open);
  const measures = [
    ...new Set(
      runs.flatMap(({ score }) =>
        score === undefined ? [] : `${score.title}${score.unit === "percent" ? " in %" : ""}`,
      ),
    ),
  ];
  const bounded = left.intervals ? [] : runs.flatMap(({ score }) => (score?.low === undefined ? [] : [score.anytime]));
  // Runs that are asked in the seeded order have a sequence until they are finished.
  const words = [...new Set(bounded)].map(intervalWord);
  const score =
    measures.length === 0
      ? ""
      : `score: ${measures.join(", ")}${words.length > 0 ? ` [95 % ${words.join(" or ")}]` : ""}`;
  const kinds = taskStates.filter((mark) => mark !== "waiting" && runs.some(({ counts }) => counts[mark] > 0));
  const count = (mark: keyof TaskCounts) => (left.counts ? `${sumOf(runs.map(({ counts }) => counts[mark]))} ` : "");
  const bars = kinds.map((mark) => `${fillOf(mark, theme)} ${count(mark)}${mark}`).join(" ");
  const rest = left.texts.length === 0 ? "" : `${runs.length > 1 ? "total: " : ""}${left.texts.join(", ")}`;
  const texts = [key, score, bars, rest].filter((text) => text !== "");
  const rows: string[] = [];
  for (const text of texts) {
    const last = rows.at(-1);
    if (last !== undefined && width(last) + 3 + width(text) <= columns - gap)
      rows[rows.length - 1] = `${last}   ${text}`;
    else rows.push(text);
  }
  return rows.flatMap((text) => hangingLines(" ".repeat(gap), text, columns, "faint"));
}

/** Grid summary: totals and estimated time left, no score. */
export function totalOf(runs: readonly RunState[]): RunState {
  const sum = (of: (run: RunState) => number) => runs.reduce((all, run) => all + of(run), 0);
  const counts = summedCounts(runs.map((run) => run.counts));
  const rates = runs.flatMap(({ rate }) => rate ?? []);
  const rate = rates.length === 0 ? undefined : rates.reduce((all, each) => all + each, 0);
  const begun = runs.filter(({ calls }) => calls > 0);
  const { score: _, requests: __, part: ___, ...first } = runs[0]!;
  return {
    ...first,
    run: "",
    label: "total",
    status: statusOf(runs),
    preparing: undefined,
    total: sum(({ total }) => total),
    counts,
    calls: sum(({ calls }) => calls),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      estimated: begun.some(({ tokens }) => tokens.estimated),
    },
    // The total has no cost if the price of one run is unknown.
    cost: begun.some(({ cost }) => cost === undefined) ? undefined : sum(({ cost = 0 }) => cost),
    rate,
    left: rate === undefined || rate === 0 ? undefined : (openTasks(counts) / rate) * 60,
  };
}

/** Returns the most urgent status: active runs first, then those that wait for a person, then ended runs. */
function statusOf(runs: readonly RunState[]): RunState["status"] {
  const order = ["running", "loading", "stopping", "reading", "paused", "partial"] as const;
  const all = new Set(runs.map(({ status }) => status));
  const urgent = order.find((status) => all.has(status));
  if (urgent !== undefined) return urgent;
  if (all.size === 1) return runs[0]!.status;
  if (all.has("decided") && all.size === 2 && all.has("done")) return "decided";
  return all.has("ready") ? "partial" : "failed";
}
