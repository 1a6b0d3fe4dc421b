/** The head of a run: its state, the states of its tasks, its score so far, counts and usage. */
import { briefNames } from "../../engine/figures/drawing/brief-names.ts";
import { inkOf, type Line, type Span, lineWidth } from "../../engine/figures/drawing/line.ts";
import { endedTasks, taskStates } from "../../engine/log/rows/task-counts.ts";
import { fitMiddle, printable, width } from "../../engine/text/printable.ts";
import type { RunState, BoardTask } from "../../engine/workbench/workbench.ts";
import { workerTexts } from "../../engine/workbench/runs/run-status.ts";
import { heldNote } from "../../engine/log/rows/rows.ts";
import { costText, countText, plural, rateText, roughTime, timeText } from "../../look/amounts.ts";
import { approximately } from "../../look/signs.ts";
import { shownValue } from "../../engine/measures/measure-cell.ts";
import { briefModel, partsOfLabel } from "../../engine/settings/label.ts";
import { barOf } from "../notebook/run-table.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Theme } from "../drawing/theme.ts";
import { hintOf, statusSpan } from "../notebook/status-span.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";

/** Columns for a run's state, a short bar and its progress. */
const leastBesideLabel = 30;
const [leastBar, longestBar] = [6, 24];

/** Names the run, with a strip of the states of its tasks and its results so far. `colour` is the number of the run's colour. */
export function headLine(run: RunState, columns: number, theme: Theme, frame: number, colour?: number): Line {
  const { counts, total } = run;
  const done = endedTasks(counts);
  const room = Math.max(10, Math.min(32, columns - leastBesideLabel));
  const label: Span = {
    text: `  ${fitMiddle(printable(briefNames([run.label])[0]!), room)}  `,
    ...inkOf(colour, "strong"),
  };
  const hint = hintOf(run);
  const span = statusSpan(run, theme, frame);
  const status = hint === "" ? span : { ...span, text: `${span.text}: ${hint}` };
  if (done === 0 && run.status === "ready") {
    return [label, status, { text: `  ${plural(total, "task")}: r runs`, style: "faint" }];
  }
  // The progress of preparation has a line of its own.
  if (run.preparing !== undefined && done === 0) return [label, status];
  const tally = ` ${done}/${total}`;
  const before = [label, status, { text: "  " }];
  const bar = Math.max(leastBar, Math.min(columns - lineWidth(before) - width(tally), longestBar));
  const line: Span[] = [...before, ...barOf(counts, total, bar, theme), { text: tally }];
  for (const text of results(run)) {
    if (lineWidth(line) + width(text) + 2 > columns) break;
    line.push({ text: `  ${text}` });
  }
  return line;
}

/** Returns the score so far with its interval, the rate, and the remaining time. */
const results = ({ score, rate, left }: RunState): readonly string[] => [
  ...(score === undefined ? [] : [scoreText(score)]),
  ...(rate === undefined ? [] : [`${rateText(rate)}/min`]),
  ...(left === undefined ? [] : [`${roughTime(left)} left`]),
];

/** `success 77 % [60, 89]`; percents of fewer than a hundred tasks are whole. */
function scoreText({ title, value, unit, low, high, n }: NonNullable<RunState["score"]>): string {
  const number = (each: number, digits: number) =>
    unit === "percent" ? (each * 100).toFixed(digits) : shownValue(each, unit);
  const interval = low === undefined || high === undefined ? "" : ` [${number(low, 0)}, ${number(high, 0)}]`;
  return `${title.toLowerCase()} ${number(value, n < 100 ? 0 : 1)}${unit === "percent" ? " %" : ""}${interval}`;
}

export const countSpans = ({ counts }: RunState, { symbols }: Theme): Span[] =>
  taskStates
    .filter((state) => counts[state] > 0 || state === "right" || state === "wrong")
    .map((state) => {
      const { sign, style, word } = markOf(state, symbols);
      return { text: `${sign} ${counts[state]} ${word}`, style: state === "failed" ? "bad" : style };
    });

/** Names the model under test, unless the run's name does. */
export function modelSpans({ label, spec }: Pick<RunState, "label" | "spec">): readonly Span[] {
  const isNamed = spec.model === "" || partsOfLabel(label).includes(spec.model);
  return isNamed ? [] : [{ text: `model ${printable(briefModel(spec.model))}`, style: "faint" }];
}

/** Returns the measures that do not fit the first line; in a wide window, the status line shows cost and requests in flight. */
export function measures(run: RunState, isWide: boolean): Span[] {
  const parts: string[] = [];
  const { input, output, estimated, reasoning = 0, failed = 0 } = run.tokens;
  const thinking = reasoning === 0 ? "" : ` (${countText(reasoning)} thinking)`;
  parts.push(`in ${estimated ? approximately : ""}${countText(input)}  out ${countText(output)}${thinking}`);
  if (failed > 0) parts.push(`${countText(failed)} tokens in failed attempts`);
  parts.push(plural(run.calls, "request"));
  parts.push(...(run.beside ?? []));
  if (run.unread !== undefined) parts.push(run.unread);
  if (run.outOfContext !== undefined) parts.push(`${plural(run.outOfContext, "task")} ran out of context`);
  if (run.retries > 0) parts.push(plural(run.retries, "retry", "retries"));
  // Free models would always show 0.
  if (!isWide && run.cost !== undefined && run.cost > 0) parts.push(`cost ${costText(run.cost)}`);
  parts.push(timeText(run.seconds));
  if (run.overload !== undefined) parts.push(run.overload);
  else if (!isWide && (run.status === "running" || run.status === "paused"))
    parts.push(`concurrency ${run.concurrency}`);
  return parts.map((text): Span => ({ text, style: "faint" }));
}

/** Lists the workers that execute the run, each with its number of tasks. */
export const workerSpans = ({ workers = [] }: Pick<RunState, "workers">): Span[] =>
  workerTexts(workers).map((text) => ({ text: printable(text), style: "accent" }));

/** Seconds without data after which the request is highlighted. */
const longIdle = 20;

/** Returns the task in flight that started first. */
export function oldestRunning(board: readonly BoardTask[]): BoardTask | undefined {
  let oldest: BoardTask | undefined;
  for (const task of board) {
    if (task.state !== "running" || task.row === undefined) continue;
    if (oldest?.row === undefined || task.row.from < oldest.row.from) oldest = task;
  }
  return oldest;
}

export function flightLine(
  running: number,
  oldest: BoardTask | undefined,
  trajectory: Trajectory | undefined,
  now: number,
): Line {
  if (running === 0) return [{ text: "  nothing in flight", style: "faint" }];
  if (oldest?.row === undefined) return [{ text: `  ${running} in flight`, style: "faint" }];
  const turn = trajectory?.entries.findLast((entry) => entry.kind === "turn");
  const last = trajectory?.entries.at(-1);
  if (last?.kind === "note" && last.note === heldNote)
    return [{ text: `  ${running} in flight; ${printable(oldest.task)} is held: . sends one request`, style: "warn" }];
  const since = turn?.from ?? oldest.row.from;
  const idle = (now - Math.max(oldest.row.to, turn?.from ?? 0)) / 1000;
  return [
    { text: `  ${running} in flight; oldest ${printable(oldest.task)}`, style: "faint" },
    { text: turn === undefined ? "" : ` (${printable(turn.stage)})`, style: "faint" },
    { text: ` for ${timeText((now - since) / 1000)}`, style: "faint" },
    idle < 1
      ? { text: "", style: "faint" }
      : { text: `, idle ${timeText(idle)}`, style: idle >= longIdle ? "bad" : "warn" },
  ];
}
