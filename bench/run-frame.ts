/**
 * The engine's part of a frame while a run of many tasks goes on, beside version 0.1.0: what 32 tasks in flight bring within a
 * frame is folded, and the run's sums, its rate and the tasks of its board are asked for.
 */
import { join } from "node:path";
import { RunStore } from "../source/engine/log/run-store.ts";
import { BoardTasks } from "../source/engine/workbench/runs/run-tasks.ts";
import type { Task, TaskEvent } from "../source/engine/types.ts";
import { firstVersion } from "./first-version.ts";
import type { Bench, Measurement } from "./measurement.ts";

/** A run as its screen reads it. */
type Shown = { take(event: TaskEvent): void; look(tasks: readonly Task[], running: ReadonlySet<string>): number };

type FirstTable = { take(event: TaskEvent): void };
type FirstModules = {
  readonly rows: { readonly RowTable: new () => FirstTable };
  readonly progress: {
    readonly RunProgress: new (table: FirstTable) => { sums(): object; rate(): number | undefined };
  };
  readonly board: {
    boardTasks(table: FirstTable, tasks: readonly Task[], running: ReadonlySet<string>): readonly object[];
  };
};

/** Tasks, and milliseconds wanted as a share of those of version 0.1.0. */
const sizes = [
  { tasks: 1_000, goal: 1 },
  { tasks: 100_000, goal: 1 / 190 },
];
const inFlight = 32;
/** Looked at of each: so many that the system's clock of processor time, which ticks slowly, says something. */
const frames = { ours: 600, first: 60, looked: 20_000 };

export const bench: Bench = async () => {
  const first = firstVersion();
  const before = "leftOut" in first ? undefined : await shownBy(first.folder);
  return sizes.map(({ tasks, goal }): Measurement => {
    const what = `engine's part of a frame in a run of ${tasks} tasks, ${inFlight} in flight`;
    const ours = perFrame(shownNow(), tasks, frames.ours);
    const beside = "leftOut" in first ? first : { of: first.of, value: perFrame(before!(), tasks, frames.first) };
    const bound = { of: "its events made and looked at once", value: perFrame(looked(), tasks, frames.looked) };
    return { what, ours, unit: "ms", beside, goal, bound };
  });
};

function shownNow(): Shown {
  // A folder that is not there: everything is in memory.
  const store = new RunStore(join(import.meta.dirname, "none"));
  const board = new BoardTasks(store);
  const { table } = store;
  return {
    take: (event) => table.take(event),
    look: (tasks, running) => table.sums().rows + (table.rate() ?? 0) + board.tasks(tasks, running).length,
  };
}

/** Discards events. */
function looked(): Shown {
  let sum = 0;
  return { take: ({ seq }) => void (sum += seq), look: () => sum };
}

async function shownBy(sources: string): Promise<() => Shown> {
  const load = async <Name extends keyof FirstModules>(file: string) =>
    (await import(join(sources, "source", "engine", file))) as FirstModules[Name];
  const [rows, progress, board] = [
    await load<"rows">("rows.ts"),
    await load<"progress">("run-progress.ts"),
    await load<"board">("board-tasks.ts"),
  ];
  return () => {
    const table = new rows.RowTable();
    const sums = new progress.RunProgress(table);
    return {
      take: (event) => table.take(event),
      look: (tasks, running) =>
        Object.keys(sums.sums()).length + (sums.rate() ?? 0) + board.boardTasks(table, tasks, running).length,
    };
  };
}

/** Milliseconds of this thread. In every frame each task in flight brings a text, and one of them ends as another begins. */
function perFrame(run: Shown, tasks: number, count: number): number {
  let seq = 0;
  // Earlier tasks ended long ago, because the rate is that of the last minute.
  let at = Date.now() - 3_600_000;
  const take = (event: object) => run.take({ seq: seq++, at, ...event } as TaskEvent);
  const begin = ({ id: task, facets, question }: Task) => {
    take({ type: "started", task, facets, question });
    take({ type: "prompt", task, request: 0, role: "model", model: "builtin/oracle", stage: "step", messages: [] });
  };
  const score = { value: 1, metrics: { "official.success": 1 }, checks: [], errors: [] };
  const end = (task: string) => take({ type: "scored", task, score, suiteRevision: 1 });
  const all = Array.from({ length: tasks + count }, (_, index): Task => {
    const question = `What is to be done for t${index}?`;
    return { id: `t${index}`, question, facets: { category: "MM" }, input: undefined, answer: undefined };
  });
  const running = new Set<string>();
  for (const [index, task] of all.slice(0, tasks).entries()) {
    begin(task);
    if (index < tasks - inFlight) end(task.id);
    else running.add(task.id);
  }
  run.look(all, running);
  at = Date.now();
  const from = process.threadCpuUsage();
  for (const [frame, next] of all.slice(tasks).entries()) {
    for (const task of running) take({ type: "text", task, request: 0, text: `word ${frame} ` });
    const [ended] = running;
    end(ended!);
    running.delete(ended!);
    begin(next);
    running.add(next.id);
    run.look(all, new Set(running));
  }
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / 1000 / count;
}
