/** Describes the status of a run in a word. */
import type { Span } from "../../engine/figures/drawing/line.ts";
import { openTasks } from "../../engine/log/rows/task-counts.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import type { Theme } from "../drawing/theme.ts";

/** Returns the key that continues a run; empty if none does. */
export function hintOf(run: RunState): string {
  if (run.status === "paused") return "p resumes";
  // Workers still have its tasks: `r` shows the options.
  if (run.givenAway === true) return "";
  return run.status !== "partial" ? "" : triesAgain(run) ? "r tries again" : "r resumes";
}

/** If every task has ended, "partly done" would contradict the full bar. */
const triesAgain = ({ counts }: RunState): boolean => openTasks(counts) === 0 && counts.failed > 0;

export function statusSpan(run: RunState, { symbols }: Theme, frame: number): Span {
  const spin = symbols.spinner[frame % symbols.spinner.length]!;
  const spans: Readonly<Record<RunState["status"], Span>> = {
    ready: { text: "ready" },
    reading: { text: `${spin} reading`, style: "accent" },
    loading: { text: `${spin} ${run.preparing === undefined ? "loading" : "preparing"}`, style: "accent" },
    running: { text: `${spin} running`, style: "accent" },
    paused: { text: "paused", style: "warn" },
    stopping: { text: `${spin} stopping`, style: "warn" },
    done: { text: `${symbols.right} done`, style: "good" },
    partial: { text: triesAgain(run) ? `${run.counts.failed} failed` : "partly done", style: "warn" },
    decided: { text: `${symbols.right} decided`, style: "good" },
    failed: { text: `${symbols.wrong} failed`, style: "bad" },
  };
  return spans[run.status];
}
