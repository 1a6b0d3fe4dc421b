/** Finds replies and answers of a run's tasks that need not be requested again. */
import type { RunStore } from "../../log/run-store.ts";
import { taskState } from "../../log/rows/task-counts.ts";
import { verdictOf } from "../../log/rows/verdict.ts";
import type { Prices } from "../../log/rows/rows.ts";
import type { Execution } from "../../run/execute-task.ts";
import { interruptedRequests, lastAttempt, type SavedRequest, forkedRequests } from "../../run/saved-replies.ts";
import { solutionOf } from "../../run/solutions.ts";
import { isAnswered, takenAnswers } from "../../run/taken-answer.ts";
import { answeredRuns } from "../../session/answered-run.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { Strategy } from "../../strategy.ts";
import type { Suite } from "../../suite.ts";
import type { RunSpec, Task } from "../../types.ts";

export type EarlierAnswers = Pick<Execution, "forked" | "interrupted" | "solutions" | "taken"> & {
  /** True if each task needs at most its score, for which only the judge may be asked. */
  readonly complete: boolean;
};

/**
 * Searches the runs of the session. A task that has its score and is executed anyway is asked anew. Rejects if a fork's run is
 * missing.
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
  const saved = unscored.length === 0 ? [] : await answeredRuns(folder.path, spec, suite, prices);
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
    taken: (task) => {
      for (const answerTo of taken) {
        const answer = answerTo(task);
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
    interrupted: new Map([...elsewhere, ...interruptedIn(store, tasks)]),
    ...(strategy.sequential?.(spec) === true ? { solutions: solutionsIn(store) } : {}),
    ...(spec.fork === undefined ? {} : { forked: forkedRequests(spec.fork, folder.path) }),
  };
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
