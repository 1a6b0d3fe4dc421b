/** What is in flight: how many tasks, which is the oldest call, and how long it has been silent. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { BoardTask } from "../../engine/workbench/workbench.ts";
import { timeText } from "../drawing/amount.ts";

/** A call that says nothing for this many seconds stands out. */
const long = 20;

/** The task in flight that began first. */
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
  const since = turn?.from ?? oldest.row.from;
  const silent = (now - Math.max(oldest.row.to, turn?.from ?? 0)) / 1000;
  return [
    { text: ` ${running} in flight; oldest ${printable(oldest.task)}`, style: "faint" },
    { text: turn === undefined ? "" : ` (${printable(turn.stage)})`, style: "faint" },
    { text: ` for ${timeText((now - since) / 1000)}`, style: "faint" },
    silent < 1
      ? { text: "", style: "faint" }
      : { text: `, silent ${timeText(silent)}`, style: silent >= long ? "bad" : "warn" },
  ];
}
