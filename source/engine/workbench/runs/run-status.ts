/** A run's status as it is shown: what this program does with it, what another one does, or what its log says; and its words. */
import { PredictionProblem } from "../../prediction.ts";
import { failureOf } from "../../problem.ts";
import { DataProblem } from "../../text/json-lines.ts";
import type { RowTable } from "../../log/rows/rows.ts";
import { openTasks } from "../../log/rows/task-counts.ts";
import type { RunStore } from "../../log/run-store.ts";
import type { TaskRunner } from "../../run/runner.ts";
import type { RunActivity } from "./run-activity.ts";
import type { FollowedRun } from "../sharing/followed-run.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import type { ToldRun } from "../sharing/session-message.ts";
import type { RunState, RunStatus } from "../workbench.ts";

export function runStatus(
  activity: RunActivity,
  { isBehind, table }: { readonly isBehind: boolean; readonly table: Pick<RowTable, "ended" | "spec"> },
  followed: FollowedRun | undefined,
  { counts, total }: Pick<RunState, "counts" | "total">,
): RunStatus {
  switch (activity.kind) {
    case "loading":
    case "running":
    case "paused":
    case "stopping":
      return activity.kind;
    case "idle":
    case "correcting":
    case "queued": {
      const elsewhere = followed?.status;
      if (elsewhere !== undefined) return elsewhere;
      if (isBehind) return "reading";
      const { ended, spec } = table;
      const { failed } = counts;
      if (activity.failed || ended?.reason === "failed" || (failed > 0 && failed === total)) return "failed";
      if (spec === undefined) return "ready";
      return failed + openTasks(counts) > 0 ? "partial" : "done";
    }
    default:
      return activity satisfies never;
  }
}

/** What followers of this program are told of a run; undefined while nothing is done with it. */
export function toldRun(
  { run, status, preparing, message, unheard, concurrency, overload }: RunState,
  bytes: number,
  executing: TaskRunner | undefined,
): ToldRun | undefined {
  if (status !== "loading" && status !== "running" && status !== "paused" && status !== "stopping") return undefined;
  const texts = (executing?.unlogged() ?? []).map(({ task, type, request, text }) => ({ task, type, request, text }));
  return { run, status, preparing, message, unheard, concurrency, overload, bytes, texts };
}

/** Whose results a run shows, where they are not of the present code, here. */
export function whoseResults({
  older,
  kept,
  predictions,
}: PlannedRun): Pick<RunState, "older" | "kept" | "predictions"> {
  return { ...(older && { older }), ...(kept && { kept }), ...(predictions !== undefined && { predictions }) };
}

/** How far a long log is read that was not read before; undefined where none is being read. */
export function readingText({ isBehind, folded }: Pick<RunStore, "isBehind" | "folded">): string | undefined {
  return isBehind ? `reading its log: ${Math.floor(folded * 100)} %` : undefined;
}

/** What is said of an endpoint that is away, while it is waited for (`outage`) and after the run has paused for it. */
export function awayMessage(runner: TaskRunner | undefined, outage: () => string | undefined): string | undefined {
  if (runner === undefined || runner.pauseReason !== undefined) return runner?.pauseReason;
  return runner.leave === undefined ? outage() : runner.notice;
}

/** What went wrong, as the screen says it: mistakes in a file are the user's, whatever else is no `Problem` is a bug. */
export function messageOf(thrown: unknown): string {
  const inFile = thrown instanceof DataProblem || thrown instanceof PredictionProblem;
  return inFile ? thrown.message : failureOf(thrown).message;
}

/** Closes the log of a run; why it could not be closed, undefined where it could. */
export async function whyUnclosed(store: Pick<RunStore, "closeSlowly">): Promise<string | undefined> {
  try {
    await store.closeSlowly();
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
