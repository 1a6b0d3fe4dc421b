/** What of the tasks of a run was answered before, and is not asked for again. */
import type { RunStore } from "../../log/run-store.ts";
import { taskState } from "../../log/rows/task-counts.ts";
import { verdictOf } from "../../log/rows/verdict.ts";
import type { Prices } from "../../log/rows/rows.ts";
import type { Execution } from "../../run/execute-task.ts";
import { interruptedRequests, lastAttempt, type SavedRequest, forkedRequests } from "../../run/saved-replies.ts";
import { solutionOf } from "../../run/solutions.ts";
import { isAnswered, takenAnswers } from "../../run/taken-answer.ts";
import { answeredRun } from "../../session/answered-run.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { Strategy } from "../../strategy.ts";
import type { Suite } from "../../suite.ts";
import type { RunSpec, Task } from "../../types.ts";

export type EarlierAnswers = Pick<Execution, "forked" | "interrupted" | "solutions" | "taken"> & {
  /** True where no task needs more than its score, from the judge at most. */
  readonly complete: boolean;
};

/**
 * Looks through the runs of the session. A task that has its score, and is executed all the same, is asked anew.
 * Rejects where a fork's run is not there.
 */
export async function earlierAnswers(
  spec: RunSpec,
  store: RunStore,
  tasks: readonly Task[],
  {
    folder,
    prices,
    strategy,
    suite,
  }: { readonly folder: SessionFolder; readonly prices: Prices; readonly strategy: Strategy; readonly suite: Suite },
): Promise<EarlierAnswers> {
  const unscored = tasks.map(({ id }) => id).filter((id) => store.table.row(id)?.state !== "scored");
  const saved =
    unscored.length === 0 ? undefined : await answeredRun(folder.path, spec, suite, prices, store.table.taken);
  const [own, rest] = [
    unscored.filter((id) => isAnsweredIn(store, id)),
    unscored.filter((id) => !isAnsweredIn(store, id)),
  ];
  const others = rest.filter((id) => saved?.tasks.has(id) === true);
  const ofOwn = takenAnswers(store, own);
  const ofOthers = saved && takenAnswers(saved.store, others, saved.source);
  return {
    complete: own.length + others.length === tasks.length,
    taken: (task) => ofOwn(task) ?? ofOthers?.(task),
    interrupted: interruptedIn(store, tasks),
    ...(strategy.sequential?.(spec) === true ? { solutions: solutionsIn(store) } : {}),
    ...(spec.fork === undefined ? {} : { forked: forkedRequests(spec.fork, folder.path) }),
  };
}

function isAnsweredIn({ table }: RunStore, task: string): boolean {
  const row = table.row(task);
  return row !== undefined && isAnswered(row);
}

/** What the models of tasks that were stopped had replied. */
function interruptedIn(store: RunStore, tasks: readonly Task[]): ReadonlyMap<string, readonly SavedRequest[]> {
  const cut = tasks.filter(({ id }) => taskState(store.table.row(id), false) === "stopped");
  if (cut.length === 0) return new Map();
  const events = store.eachTask(cut.map(({ id }) => id));
  return new Map(events.map(([task, own]) => [task, interruptedRequests(own)]));
}

/** The plans of tasks that came out right, in the order of the rows. */
function solutionsIn(store: RunStore): Map<string, readonly string[]> {
  const right = store.table.rows().filter(({ score }) => verdictOf(score) === "right");
  const solutions = new Map<string, readonly string[]>();
  for (const [task, events] of store.eachTask(right.map((row) => row.task))) {
    const solution = solutionOf(lastAttempt(events), store.table.row(task)?.score);
    if (solution !== undefined) solutions.set(task, solution);
  }
  return solutions;
}
