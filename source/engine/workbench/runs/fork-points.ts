/** The places at which a run of forks leaves the tasks of its original. */
import { lastAttempt, attemptId, savedRequests } from "../../run/saved-replies.ts";
import { pointFacets, pointOf } from "../../run/fork-point.ts";
import { mistakePlaces } from "../../log/rows/mistake-text.ts";
import { standingErrors, verdictOf } from "../../log/rows/verdict.ts";
import { spoiltRequest } from "../../log/rows/spoilt-request.ts";
import { trajectoryOf } from "../../log/trajectory.ts";
import { unchangedBy } from "../../session/run-spec.ts";
import { Problem } from "../../problem.ts";
import type { ForkedRun, Row, Task, TaskEvent } from "../../types.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { RunControl } from "./run-control.ts";

/**
 * Returns the requests at which forks start, in the order of the tasks. Yields to the event loop, because it reads the log of
 * each task. Rejects if the original has no results.
 */
export async function forkPoints(original: RunControl, forks: ForkedRun): Promise<readonly Task[]> {
  await original.store.readRows();
  const tasks = await original.tasks();
  const { table } = original.store;
  if (table.sums().rows === 0) throw new Problem("tool", "Expected the forked run to have results: run its cell first");
  const chosen = tasks.filter(({ id }) => isChosen(forks, table.row(id)));
  const byId = new Map(chosen.map((task) => [task.id, task]));
  const points = new Map<string, readonly Task[]>();
  const settings = unchangedBy(original.spec);
  const yieldIfDue = eventLoopYielder();
  for (const [id, events] of original.store.eachTask(byId.keys())) {
    await yieldIfDue();
    points.set(id, pointsIn(byId.get(id)!, table.row(id)!, lastAttempt(events), forks, settings));
  }
  return chosen.flatMap(({ id }) => points.get(id) ?? []);
}

function isChosen({ tasks = "wrong" }: ForkedRun, row: Row | undefined): boolean {
  const verdict = verdictOf(row?.score);
  if (row === undefined || verdict === "unscored") return false;
  if (typeof tasks !== "string") return tasks.includes(row.task);
  return tasks === "all" || verdict === tasks;
}

function pointsIn(
  task: Task,
  row: Row,
  attempt: readonly TaskEvent[],
  { at = "requests" }: ForkedRun,
  settings: string,
): readonly Task[] {
  const requests = savedRequests(attempt);
  // Only the model under test is asked again: earlier replies of others stay.
  const own = requests.filter(({ prompt }) => prompt.role === "model" || prompt.role === "actor");
  const errors = standingErrors(row.score?.errors ?? []);
  const wrong = at === "errors" ? requestsOfErrors(attempt, task.id, errors) : undefined;
  const spoilt = spoiltRequest(attempt);
  return own.flatMap(({ prompt: { request } }, index) => {
    if (wrong?.has(request) === false) return [];
    return pointOf(task, request, {
      [pointFacets.request]: index + 1,
      [pointFacets.requests]: own.length,
      [pointFacets.error]: errors[0]?.kind ?? "",
      [pointFacets.settings]: settings,
      [pointFacets.attempt]: request === 0 ? "" : attemptId(requests.slice(0, request)),
      ...(spoilt !== undefined && {
        [pointFacets.spoilt]: own.findIndex(({ prompt }) => prompt.request === spoilt) + 1,
      }),
    });
  });
}

/** Returns the requests whose replies hold the words of the errors. */
function requestsOfErrors(
  attempt: readonly TaskEvent[],
  task: string,
  errors: Parameters<typeof mistakePlaces>[1],
): ReadonlySet<number> {
  const { entries } = trajectoryOf(task, attempt);
  return new Set(
    mistakePlaces(entries, errors).flatMap((place) => {
      const entry = place && entries[place.entry];
      return entry?.kind === "turn" ? [entry.request] : [];
    }),
  );
}
