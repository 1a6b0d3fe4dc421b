/** The state of a run in its cell in addition to counts: status, messages, warnings, workers, expected requests, overload. */
import { PredictionProblem } from "../../prediction.ts";
import { failureOf } from "../../problem.ts";
import { DataProblem } from "../../text/json-lines.ts";
import type { ReadStore, ReadTable } from "../../log/run-view.ts";
import { openTasks } from "../../log/rows/task-counts.ts";
import type { LiveStream } from "../../log/live-stream.ts";
import type { RunStore } from "../../log/run-store.ts";
import type { TaskRunner } from "../../run/runner.ts";
import type { RunActivity } from "./run-activity.ts";
import type { FollowedRun } from "../sharing/followed-run.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import type { ToldRun } from "../sharing/session-message.ts";
import type { RunState, RunStatus, WorkerShare } from "../session-state.ts";
import { counted } from "../../text/counted.ts";
import { causeText, unreadText } from "../../log/rows/cause-text.ts";
import { readTrajectory } from "../../log/trajectory.ts";
import type { FailingAlike } from "../../run/run-course.ts";
import { fit, printable } from "../../text/printable.ts";
import type { DataKind, RunSpec } from "../../types.ts";
import { atOnce } from "../../work/pieces.ts";
import { damageText } from "../../log/file/log-damage.ts";
import { ownName } from "../../session/file-suite.ts";
import { keptText, olderText } from "../../session/older-code.ts";
import type { Benchmark } from "../../benchmark.ts";
import { dataWarnings, type LoadedSuite } from "../../loaded-suite.ts";
import type { Sums } from "../../log/rows/run-sums.ts";

export function runStatus(
  activity: RunActivity,
  { isBehind, table }: { readonly isBehind: boolean; readonly table: Pick<ReadTable, "ended" | "spec"> },
  followed: FollowedRun | undefined,
  { counts, total, isCounted }: Pick<RunState, "counts" | "total"> & { readonly isCounted: boolean },
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
      // Other cells may have asked for tasks of it.
      if (spec === undefined || !isCounted) return "ready";
      if (failed + openTasks(counts) === 0) return "done";
      return ended?.rule === "decided" ? "decided" : "partial";
    }
  }
}

/** Returns the run's state for followers of this program; undefined while the run is idle. */
export function toldRun(
  { run, part = run, status, preparing, message, unheard, concurrency, overload }: RunState,
  bytes: number,
  executing: TaskRunner | undefined,
): ToldRun | undefined {
  if (status !== "loading" && status !== "running" && status !== "paused" && status !== "stopping") return undefined;
  const tailOf = (task: string) => (executing?.live(task)?.tail() ?? []).map((step) => ({ ...step, task }));
  const texts = (executing?.running() ?? []).flatMap(tailOf);
  return { run: part, status, preparing, message, unheard, concurrency, overload, bytes, texts };
}

/** Returns the results that the current code did not produce: older runs, accepted older results, a file of predictions. */
export function whoseResults({ older, kept, predictions }: PlannedRun) {
  return { ...(older && { older }), ...(kept && { kept }), ...(predictions !== undefined && { predictions }) };
}

/** Returns the progress of reading a long log for the first time; undefined if none is being read. */
export const readingText = ({ isBehind, folded }: Pick<ReadStore, "isBehind" | "folded">): string | undefined =>
  isBehind ? `reading the log: ${Math.floor(folded * 100)} %` : undefined;

/** Returns messages about an unreachable endpoint, while the run waits (`outage`) and after it has paused. */
export function awayMessage(runner: TaskRunner | undefined, outage: () => string | undefined): string | undefined {
  if (runner === undefined || runner.pauseReason !== undefined) return runner?.pauseReason;
  return runner.leave === undefined ? outage() : runner.notice;
}

/** Most characters of a reply in a message. */
const longestReply = 200;

/** Describes how the first tasks ended in the same way, including `how`; shows the first reply if it could not be read. */
export function alikeText(alike: FailingAlike, store: Pick<ReadStore, "events">, how = ""): string {
  if ("message" in alike) return `The first tasks all failed: ${alike.message}${how === "" ? "" : `. ${how}`}`;
  const { task, cause } = alike.row;
  const message = `None of the first answers could be read: ${causeText(cause!)}.${how === "" ? "" : ` ${how}`}`;
  const turn = atOnce(readTrajectory(task, store.events(task)))?.entries.find(
    (entry) => entry.kind === "turn" && entry.request === cause!.request,
  );
  if (turn?.kind !== "turn") return message;
  const said = [turn.text.trim(), ...turn.calls.map(({ name, text }) => `${name}(${text})`)].join(" ").trim();
  return `${message} The first reply: ${said === "" ? "(empty)" : fit(printable(said), longestReply)}`;
}

/** Returns an error's message for the screen: errors in a file are the user's; any other that is not a `Problem` is a bug. */
export function messageOf(thrown: unknown): string {
  const inFile = thrown instanceof DataProblem || thrown instanceof PredictionProblem;
  return inFile ? thrown.message : failureOf(thrown).message;
}

/** Closes the log of a run; returns the reason if that failed, otherwise undefined. */
export async function whyUnclosed(store: Pick<RunStore, "closeSlowly">): Promise<string | undefined> {
  try {
    await store.closeSlowly();
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** `told` is the report of another program that executes the run; `own` is that of this program's limiters. */
export function overloadNow(runner: TaskRunner | undefined, told: ToldRun | undefined, own: () => string | undefined) {
  const here = runner?.leave === undefined ? runner && own() : runner.overload;
  const overload = here ?? told?.overload;
  return overload === undefined ? {} : { overload };
}

/** Returns how many of these tasks each worker holds, by its name; empty if this program executes them. */
export function runWorkers(running: readonly string[], live: (task: string) => Pick<LiveStream, "worker"> | undefined) {
  const counts = new Map<string, number>();
  for (const task of running) {
    const name = live(task)?.worker;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return {};
  const shares = [...counts].map(([worker, tasks]) => ({ worker, tasks }));
  return { workers: shares.sort((one, other) => one.worker.localeCompare(other.worker)) };
}

/** Maximum number of workers named; the others are counted. */
const mostNamed = 8;

/** Returns each worker with its tasks, in words. */
export function workerTexts(workers: readonly WorkerShare[]): readonly string[] {
  const rest = workers.slice(mostNamed);
  const tasks = rest.reduce((sum, each) => sum + each.tasks, 0);
  return [
    ...workers.slice(0, mostNamed).map((each) => `${each.worker}: ${counted(each.tasks, "task")}`),
    ...(rest.length === 0 ? [] : [`${counted(rest.length, "more worker")}: ${counted(tasks, "task")}`]),
  ];
}

/** Returns all warnings of a run: about the log, the start and the replies of models. */
export function warningsNow(planned: PlannedRun, suite: Benchmark, { damage, presence, table }: ReadStore) {
  const broken = damageText(damage);
  const { gone } = presence;
  const own = [
    ...(gone === undefined
      ? []
      : [`${gone}; results are kept until the notebook is closed, and r executes the run again`]),
    ...(broken === undefined ? [] : [broken]),
    ...(planned.kept === undefined ? [] : [keptText(planned.kept, planned.spec)]),
    ...(planned.older === undefined ? [] : [olderText(planned.older)]),
    ...unscoredWarning(planned, suite),
    ...sampledAsRun(planned, table.spec),
  ];
  return [...new Set([...own, ...table.warnings])];
}

/** Reports a run of an older version, whose judge gets the settings of the run. */
function sampledAsRun({ predictions }: PlannedRun, begun: RunSpec | undefined): readonly string[] {
  const isOlder = predictions === undefined && begun?.judge !== undefined && begun.judging === undefined;
  return isOlder
    ? [
        "the judge used the run's sampling settings, because the run began before judges had their own sampling settings",
      ]
    : [];
}

/** Returns why no task of the run can be scored; undefined if they can. Answers made by other programs need their own scorer. */
function unscoredWarning({ spec, predictions }: PlannedRun, suite: Benchmark): readonly string[] {
  const why = predictions === undefined ? suite.unscored?.(spec) : undefined;
  return why === undefined ? [] : [why];
}

/** Returns warnings known from the start, whatever the models reply. `keyReaders` are its models that read the answer key. */
export function startWarnings(planned: PlannedRun, loaded: LoadedSuite, keyReaders: readonly string[]) {
  const { suite } = loaded;
  const oracle = keyReaders.map((name) => `${name} reads the answer key`);
  const data = unpublishedText(planned.spec.data, suite);
  const tasks = [...(data === undefined ? [] : [data]), ...dataWarnings(loaded, planned.spec)];
  return [...unscoredWarning(planned, suite), ...oracle, ...tasks];
}

/** Describes tasks that no publisher published; undefined for published tasks. */
function unpublishedText(data: DataKind, { sampleFolder }: Benchmark): string | undefined {
  if (data === "published") return undefined;
  if (data === "own") return "Your own data";
  if (data !== "sample") return `Your own data \`${ownName(data)}\`, not the published benchmark`;
  return sampleFolder === undefined
    ? "Sample tasks written for Planwright, not the published benchmark"
    : "Sample tasks, not the whole benchmark";
}

/**
 * Number of requests per task from which tasks count as long, so that the number of ended tasks shows little of a run's progress.
 */
const long = 4;

/**
 * Estimates the number of requests of all tasks in a run from the average of its ended tasks; undefined before the first task has
 * ended, and if tasks are short.
 */
export function expectedRequests(
  { right, wrong, unscored, failed, spent: { calls } }: Pick<Sums, "right" | "wrong" | "unscored" | "failed" | "spent">,
  table: Pick<ReadTable, "row">,
  running: readonly string[],
  total: number,
): number | undefined {
  const ended = right + wrong + unscored + failed;
  const open = running.reduce((sum, task) => sum + (table.row(task)?.spent.calls ?? 0), 0);
  const each = (calls - open) / ended;
  return ended > 0 && each >= long ? Math.max(calls, Math.round(each * total)) : undefined;
}

export function unreadOf({ unread, right, wrong, unscored }: Sums): Pick<RunState, "unread"> {
  const text = unreadText(unread, right + wrong + unscored);
  return text === undefined ? {} : { unread: text };
}
