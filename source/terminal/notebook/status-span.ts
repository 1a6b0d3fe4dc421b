/** Describes the status of a run in a word. */
import type { Span } from "../../engine/figures/drawing/line.ts";
import { openTasks } from "../../engine/log/rows/task-counts.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import type { Theme } from "../drawing/theme.ts";

/** Returns the key that continues a run; empty if none does. */
export function hintOf(run: RunState): string {
  if (run.status === "paused") return "p resumes";
  // Workers still have its tasks: `r` says what can be done.
  if (run.givenAway === true) return "";
  return run.status !== "partial" ? "" : triesAgain(run) ? "r tries again" : "r resumes";
}

/** If every task has ended, "partly done" would contradict the full bar. */
function triesAgain({ counts }: RunState): boolean {
  return openTasks(counts) === 0 && counts.failed > 0;
}

export function statusSpan(run: RunState, { symbols }: Theme, frame: number): Span {
  const { status } = run;
  const spin = symbols.spinner[frame % symbols.spinner.length]!;
  switch (status) {
    case "ready":
      return { text: "ready" };
    case "reading":
      return { text: `${spin} reading`, style: "accent" };
    case "loading":
      return { text: `${spin} ${run.preparing === undefined ? "loading" : "preparing"}`, style: "accent" };
    case "running":
      return { text: `${spin} running`, style: "accent" };
    case "paused":
      return { text: "paused", style: "warn" };
    case "stopping":
      return { text: `${spin} stopping`, style: "warn" };
    case "done":
      return { text: `${symbols.right} done`, style: "good" };
    case "partial":
      return { text: triesAgain(run) ? `${run.counts.failed} failed` : "partly done", style: "warn" };
    case "decided":
      return { text: `${symbols.right} decided`, style: "good" };
    case "failed":
      return { text: `${symbols.wrong} failed`, style: "bad" };
  }
}
