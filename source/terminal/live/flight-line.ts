/** What is in flight: how many tasks, which one started first, and for how long no data has arrived for it. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { BoardTask } from "../../engine/workbench/workbench.ts";
import { timeText } from "../drawing/amount.ts";

/** Seconds without data after which the request is highlighted. */
const longIdle = 20;

/** The task in flight that started first. */
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
