/** Finds replies and answers of a run's tasks that need not be requested again. */
import type { RunStore } from "../../log/run-store.ts";
import { runningSeconds } from "../../log/run-view.ts";
import { isAnswered, taskState } from "../../log/rows/task-counts.ts";
import { verdictOf } from "../../log/rows/verdict.ts";
import type { Prices } from "../../log/rows/rows.ts";
import type { Execution } from "../../run/execute-task.ts";
import {
  interruptedRequests,
  lastAttempt,
  savedAttempts,
  type SavedRequest,
  forkedStart,
} from "../../run/saved-replies.ts";
import { forkPoint } from "../../run/fork-point.ts";
import { solutionOf } from "../../run/solutions.ts";
import { takenAnswers } from "../../run/taken-answer.ts";
import { answeredRuns } from "../../session/answered-run.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { Strategy } from "../../strategy.ts";
import type { Suite } from "../../suite.ts";
import type { Limits, Row, RunSpec, Task } from "../../types.ts";
import type { RunHome } from "../runs/run-home.ts";

export type EarlierAnswers = Pick<Execution, "forked" | "solutions" | "taken"> & {
  readonly interrupted: Map<string, readonly SavedRequest[]>;
  /** Usage of the run's limits so far: all attempts at its tasks, in every folder with answers of the same run. */
  readonly used: Limits;
  /** True if each task has an answer and at most lacks its score; only the judge may be asked then. */
  readonly complete: boolean;
};

/**
 * Searches the session's runs for answers that can be reused. A task with a score that is executed anyway is requested again.
 * Rejects if a fork's run is missing.
 */
export async function earlierAnswers(
  spec: RunSpec,
  { folder: home, store }: RunHome,
  { chosen, open: tasks }: { readonly chosen: readonly Task[]; readonly open: readonly Task[] },
  {
    folder,
    prices,
    strategy,
    suite,
  }: { readonly folder: SessionFolder; readonly prices: Prices; readonly strategy: Strategy; readonly suite: Suite },
): Promise<EarlierAnswers> {
  const unscored = tasks.map(({ id }) => id).filter((id) => store.table.row(id)?.state !== "scored");
  const isNeeded = unscored.length > 0 || spec.budget.run !== undefined;
  const saved = isNeeded ? await answeredRuns(folder.path, spec, suite, { prices, except: home }) : [];
  const [own, rest] = [
    unscored.filter((id) => isAnsweredIn(store, id)),
    unscored.filter((id) => !isAnsweredIn(store, id)),
  ];
  const others = saved.map((run) => ({ run, ids: rest.filter((id) => run.tasks.has(id)) }));
  const taken = [
    takenAnswers(store, own),
    ...others.map(({ run, ids }) => takenAnswers(run.store, ids, run.source, run.isScoredAlike)),
  ];
  const answers = own.length + others.reduce((sum, { ids }) => sum + ids.length, 0);
  const begun = new Set([...store.table.rows().map(({ task }) => task), ...others.flatMap(({ ids }) => ids)]);
  const notBegun = tasks.filter(({ id }) => !begun.has(id));
  const elsewhere = saved.toReversed().flatMap((run) => [...interruptedIn(run.store, notBegun)]);
  return {
    complete: answers === tasks.length,
    used: usedBy([store, ...saved.map((run) => run.store)], new Set(chosen.map(({ id }) => id))),
    taken: (task) => {
      for (const answerTo of taken) {
        const answer = answerTo(task);
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
    interrupted: new Map([...elsewhere, ...interruptedIn(store, tasks)]),
    ...(strategy.sequential?.(spec) === true ? { solutions: solutionsIn(store) } : {}),
    ...forkedFrom(spec, chosen, folder.path),
  };
}

/** Rejects a single fork at once if its original is missing; one of many forks fails alone. */
function forkedFrom({ fork, forks }: RunSpec, tasks: readonly Task[], folder: string): Pick<EarlierAnswers, "forked"> {
  if (fork !== undefined) {
    const start = forkedStart(fork, savedAttempts(folder));
    return { forked: () => start };
  }
  if (forks === undefined) return {};
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const attempts = savedAttempts(folder);
  return { forked: (id) => forkedStart(forkPoint(forks, byId.get(id) ?? { id, facets: {} }), attempts) };
}

/** Sums the usage of these tasks; for a part of a run, counts the seconds of its last attempts. */
function usedBy(stores: readonly Pick<RunStore, "table">[], chosen: ReadonlySet<string>): Limits {
  const sum = { steps: 0, tokens: 0, seconds: 0, cost: 0 };
  for (const { table } of stores) {
    const rows = table.rows().filter(({ task }) => chosen.has(task));
    const used = rows.length === table.rows().length ? table.used : usedOf(rows);
    for (const name of ["steps", "tokens", "seconds", "cost"] as const) sum[name] += used[name];
  }
  return sum;
}

function usedOf(rows: readonly Row[]): Required<Limits> {
  const used = { steps: 0, tokens: 0, seconds: runningSeconds(rows), cost: 0 };
  for (const { spent } of rows) {
    used.steps += spent.calls;
    used.tokens += spent.tokens.input + spent.tokens.output;
    used.cost += spent.cost ?? 0;
  }
  return used;
}

function isAnsweredIn({ table }: RunStore, task: string): boolean {
  const row = table.row(task);
  return row !== undefined && isAnswered(row);
}

/** Returns replies that models gave in stopped tasks. */
function interruptedIn(store: RunStore, tasks: readonly Task[]): ReadonlyMap<string, readonly SavedRequest[]> {
  const cut = tasks.filter(({ id }) => taskState(store.table.row(id), false) === "stopped");
  if (cut.length === 0) return new Map();
  const events = store.eachTask(cut.map(({ id }) => id));
  return new Map(events.map(([task, own]) => [task, interruptedRequests(own)]));
}

/** Returns the plans of tasks answered correctly, in the order of the rows. */
function solutionsIn(store: RunStore): Map<string, readonly string[]> {
  const right = store.table.rows().filter(({ score }) => verdictOf(score) === "right");
  const solutions = new Map<string, readonly string[]>();
  for (const [task, events] of store.eachTask(right.map((row) => row.task))) {
    const solution = solutionOf(lastAttempt(events), store.table.row(task)?.score);
    if (solution !== undefined) solutions.set(task, solution);
  }
  return solutions;
}
