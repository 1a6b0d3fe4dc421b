/** What a run cell shows of a run beside its counts: status, messages, warnings, workers, expected requests, overload. */
import { PredictionProblem } from "../../prediction.ts";
import { failureOf } from "../../problem.ts";
import { DataProblem } from "../../text/json-lines.ts";
import type { RowTable } from "../../log/rows/rows.ts";
import { openTasks } from "../../log/rows/task-counts.ts";
import type { LiveStream } from "../../log/live-stream.ts";
import type { RunStore } from "../../log/run-store.ts";
import type { TaskRunner } from "../../run/runner.ts";
import type { RunActivity } from "./run-activity.ts";
import type { FollowedRun } from "../sharing/followed-run.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import type { ToldRun } from "../sharing/session-message.ts";
import type { RunState, RunStatus, WorkerShare } from "../workbench.ts";
import { counted } from "../../text/counted.ts";
import type { DataKind } from "../../types.ts";
import { damageText } from "../../log/file/log-damage.ts";
import { ownName } from "../../session/file-suite.ts";
import { keptText, olderText } from "../../session/older-code.ts";
import type { Benchmark } from "../../benchmark.ts";
import { dataWarnings, type LoadedSuite } from "../../loaded-suite.ts";
import type { Sums } from "../../log/rows/run-sums.ts";

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
  const tailOf = (task: string) => (executing?.live(task)?.tail() ?? []).map((step) => ({ ...step, task }));
  const texts = (executing?.running() ?? []).flatMap(tailOf);
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

/** `told`: what the program says that executes the run, if it is another one; `own`: what this program's limiters say. */
export function overloadNow(
  runner: TaskRunner | undefined,
  told: ToldRun | undefined,
  own: () => string | undefined,
): Pick<RunState, "overload"> {
  const here = runner?.leave === undefined ? runner && own() : runner.overload;
  const overload = here ?? told?.overload;
  return overload === undefined ? {} : { overload };
}

/** How many of these tasks each worker has in hand, by its name; none where this program executes them. */
export function runWorkers(
  running: readonly string[],
  live: (task: string) => Pick<LiveStream, "worker"> | undefined,
): { readonly workers?: readonly WorkerShare[] } {
  const counts = new Map<string, number>();
  for (const task of running) {
    const name = live(task)?.worker;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return {};
  const shares = [...counts].map(([worker, tasks]) => ({ worker, tasks }));
  return { workers: shares.sort((one, other) => one.worker.localeCompare(other.worker)) };
}

/** So many workers are named; the others are counted. */
const mostNamed = 8;

/** Each with its tasks, in words. */
export function workerTexts(workers: readonly WorkerShare[]): readonly string[] {
  const rest = workers.slice(mostNamed);
  const tasks = rest.reduce((sum, each) => sum + each.tasks, 0);
  return [
    ...workers.slice(0, mostNamed).map((each) => `${each.worker}: ${counted(each.tasks, "task")}`),
    ...(rest.length === 0 ? [] : [`${counted(rest.length, "more worker")}: ${counted(tasks, "task")}`]),
  ];
}

/** All of it: what is wrong with its log, and what it started with or its models' replies have given reason for since. */
export function warningsNow(
  planned: PlannedRun,
  suite: Benchmark,
  { damage, presence, table }: Pick<RunStore, "damage" | "presence" | "table">,
): readonly string[] {
  const broken = damageText(damage);
  const { gone } = presence;
  const own = [
    ...(gone === undefined ? [] : [`${gone}: results are kept until the notebook is closed, r executes it anew`]),
    ...(broken === undefined ? [] : [broken]),
    ...(planned.kept === undefined ? [] : [keptText(planned.kept, planned.spec)]),
    ...(planned.older === undefined ? [] : [olderText(planned.older)]),
    ...unscoredWarning(planned, suite),
  ];
  return [...new Set([...own, ...table.warnings])];
}

/** Why none of its tasks can be scored, where that is so. Answers made elsewhere are for their own scorer. */
function unscoredWarning({ spec, predictions }: PlannedRun, suite: Benchmark): readonly string[] {
  const why = predictions === undefined ? suite.unscored?.(spec) : undefined;
  return why === undefined ? [] : [why];
}

/** What is said from its start, whatever its models reply. `keyReaders` are its models that read the answer key. */
export function startWarnings(
  planned: PlannedRun,
  loaded: LoadedSuite,
  keyReaders: readonly string[],
): readonly string[] {
  const { suite } = loaded;
  const oracle = keyReaders.map((name) => `${name} reads the answer key`);
  const data = unpublishedText(planned.spec.data, suite);
  const tasks = [...(data === undefined ? [] : [data]), ...dataWarnings(loaded, planned.spec)];
  return [...unscoredWarning(planned, suite), ...oracle, ...tasks];
}

/** What tasks are that no publisher has published; undefined for those of the publisher. */
function unpublishedText(data: DataKind, { sampleFolder }: Benchmark): string | undefined {
  if (data === "published") return undefined;
  if (data === "own") return "Your own data";
  if (data !== "sample") return `Your own data \`${ownName(data)}\`, not the published benchmark`;
  return sampleFolder === undefined
    ? "Sample tasks written for Planwright, not the published benchmark"
    : "Sample tasks, not the whole benchmark";
}

/** From so many requests a task on, tasks are long: how many of them have ended says little of how far a run is. */
const long = 4;

/**
 * About how many requests all tasks of a run will have taken, as its ended ones took on the average; undefined before the first has
 * ended, and where tasks are not long.
 */
export function expectedRequests(
  { right, wrong, unscored, failed, spent: { calls } }: Pick<Sums, "right" | "wrong" | "unscored" | "failed" | "spent">,
  table: Pick<RowTable, "row">,
  running: readonly string[],
  total: number,
): number | undefined {
  const ended = right + wrong + unscored + failed;
  const open = running.reduce((sum, task) => sum + (table.row(task)?.spent.calls ?? 0), 0);
  const each = (calls - open) / ended;
  return ended > 0 && each >= long ? Math.max(calls, Math.round(each * total)) : undefined;
}
