/** The head of a running run: state, progress, counts and usage. */
import { inkOf, type Line, type Span, lineWidth } from "../../engine/figures/drawing/line.ts";
import { endedTasks, taskStates } from "../../engine/log/rows/task-counts.ts";
import { fitMiddle, printable, width } from "../../engine/text/printable.ts";
import type { RunState, BoardTask } from "../../engine/workbench/workbench.ts";
import { workerTexts } from "../../engine/workbench/runs/run-status.ts";
import { heldNote } from "../../engine/log/rows/rows.ts";
import { costText, countText, plural, rateText, timeText } from "../../look/amounts.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Theme } from "../drawing/theme.ts";
import { hintOf, statusSpan } from "../notebook/status-span.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";

/** Columns for a run's state, a short bar and its progress. */
const leastBesideLabel = 30;

/** `colour` is the number of the run's colour. */
export function headLine(run: RunState, columns: number, theme: Theme, frame: number, colour?: number): Line {
  const { counts, total } = run;
  const done = endedTasks(counts);
  const room = Math.max(10, Math.min(32, columns - leastBesideLabel));
  const label: Span = { text: `  ${fitMiddle(printable(run.label), room)}  `, ...inkOf(colour, "strong") };
  const hint = hintOf(run);
  const span = statusSpan(run, theme, frame);
  const status = hint === "" ? span : { ...span, text: `${span.text}: ${hint}` };
  if (done === 0 && run.status === "ready") {
    return [label, status, { text: `  ${plural(total, "task")}: r runs`, style: "faint" }];
  }
  // The progress of preparation has a line of its own.
  if (run.preparing !== undefined && done === 0) return [label, status];
  const share = total === 0 ? 0 : done / total;
  const tally = ` ${done}/${total}`;
  // Numbers matter more than the bar, which gets the remaining room.
  const left = columns - lineWidth([label, status]) - width(`   ${Math.floor(share * 100)} %${tally}`);
  return [
    label,
    status,
    { text: "  " },
    ...barSpans(share, Math.max(4, Math.min(left, Math.max(8, Math.min(30, columns - 60)))), theme),
    { text: tally },
  ];
}

function barSpans(share: number, room: number, { symbols }: Theme): Span[] {
  const full = Math.min(room, Math.floor(share * room));
  return [
    { text: symbols.full.repeat(full), style: "accent" },
    { text: symbols.empty.repeat(room - full), style: "faint" },
    { text: ` ${Math.floor(share * 100)} %` },
  ];
}

export const countSpans = ({ counts }: RunState, { symbols }: Theme): Span[] =>
  taskStates
    .filter((state) => counts[state] > 0 || state === "right" || state === "wrong")
    .map((state) => {
      const { sign, style, word } = markOf(state, symbols);
      return { text: `${sign} ${counts[state]} ${word}`, style: state === "failed" ? "bad" : style };
    });

export function measures(run: RunState): Span[] {
  const parts: string[] = [];
  if (run.rate !== undefined) parts.push(`${rateText(run.rate)} tasks/min`);
  if (run.left !== undefined) parts.push(`${timeText(run.left)} left`);
  const about = run.tokens.estimated ? "about " : "";
  const { reasoning = 0, failed = 0 } = run.tokens;
  const thinking = reasoning === 0 ? "" : ` (${countText(reasoning)} thinking)`;
  parts.push(`${about}${countText(run.tokens.input)} in, ${countText(run.tokens.output)} out${thinking}`);
  if (failed > 0) parts.push(`${countText(failed)} in failed attempts`);
  parts.push(plural(run.calls, "call"));
  parts.push(...(run.beside ?? []));
  if (run.unread !== undefined) parts.push(run.unread);
  if (run.outOfContext !== undefined) parts.push(`${run.outOfContext} out of context`);
  if (run.retries > 0) parts.push(plural(run.retries, "retry", "retries"));
  // Free models would always show 0.
  if (run.cost !== undefined && run.cost > 0) parts.push(`cost ${costText(run.cost)}`);
  parts.push(timeText(run.seconds));
  if (run.status === "running" || run.status === "paused") parts.push(run.overload ?? `concurrency ${run.concurrency}`);
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
  if (running === 0) return [{ text: " nothing in flight", style: "faint" }];
  if (oldest?.row === undefined) return [{ text: ` ${running} in flight`, style: "faint" }];
  const turn = trajectory?.entries.findLast((entry) => entry.kind === "turn");
  const last = trajectory?.entries.at(-1);
  if (last?.kind === "note" && last.note === heldNote)
    return [{ text: ` ${running} in flight; ${printable(oldest.task)} is held: . sends one request`, style: "warn" }];
  const since = turn?.from ?? oldest.row.from;
  const idle = (now - Math.max(oldest.row.to, turn?.from ?? 0)) / 1000;
  return [
    { text: ` ${running} in flight; oldest ${printable(oldest.task)}`, style: "faint" },
    { text: turn === undefined ? "" : ` (${printable(turn.stage)})`, style: "faint" },
    { text: ` for ${timeText((now - since) / 1000)}`, style: "faint" },
    idle < 1
      ? { text: "", style: "faint" }
      : { text: `, idle ${timeText(idle)}`, style: idle >= longIdle ? "bad" : "warn" },
  ];
}
