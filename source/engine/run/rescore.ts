/**
 * Scores saved outcomes again with the current scorer and the label corrections. Sends no request to a model; replies of the
 * judge come from the log.
 */
import { overridden, withUnscored } from "../log/corrections/overridden.ts";
import { variedTask } from "../settings/varied.ts";
import { askedTask } from "./fork-point.ts";
import { outcomeOf } from "./execute-task.ts";
import { scoredTwice } from "./unwrapped-score.ts";
import { lastAttempt } from "./saved-replies.ts";
import { scoreByJudges } from "./judges.ts";
import { Verdicts } from "./verdicts.ts";
import { failureOf, Problem } from "../problem.ts";
import type { RunStore } from "../log/run-store.ts";
import type { LoadedSuite } from "../loaded-suite.ts";
import { trajectoryOf } from "../log/trajectory.ts";
import { counted } from "../text/counted.ts";
import { eventLoopYielder } from "../work/event-loop.ts";
import type { Message, RunSpec, Score, Task, TaskEvent } from "../types.ts";

/**
 * Appends a new `scored` event for every scored task of `tasks`. Keeps the earlier score if the scorer fails or needs a reply
 * that the judge never gave. Resolves to a message with the first such problem and their number, the number of tasks not reached
 * before an abort, and the overrides without a scored task; undefined if there were no problems.
 */
export async function rescore(
  store: RunStore,
  tasks: readonly Task[],
  loaded: LoadedSuite,
  spec: RunSpec,
  signal: AbortSignal,
): Promise<string | undefined> {
  const withScore = tasks.filter(({ id }) => store.table.row(id)?.state === "scored");
  const scored = new Map(withScore.map((task) => [task.id, task]));
  const { readOverrides } = await import("../log/corrections/overrides.ts");
  const overrides = await readOverrides(store.folder, loaded.suite);
  const log = store.open();
  const problems: string[] = [];
  const yieldIfDue = eventLoopYielder();
  let done = 0;
  for (const [id, events] of store.eachTask(scored.keys())) {
    await yieldIfDue();
    if (signal.aborted) return `Stopped: ${keeping(scored.size - done)}`;
    done += 1;
    try {
      const task = scored.get(id)!;
      const again = await scoreAgain(store, task, loaded, spec, events);
      const score = overridden(again, overrides.get(id) ?? [], loaded.suite, task.facets);
      log.append({ task: id, type: "scored", score, suiteRevision: loaded.suite.revision });
    } catch (thrown) {
      problems.push(`${id}: ${failureOf(thrown).message}`);
    }
  }
  const kept = problems.length === 0 ? undefined : `${keeping(problems.length)} (${problems[0]})`;
  return withUnscored(kept, overrides, store);
}

const keeping = (tasks: number): string =>
  `${counted(tasks, "task")} ${tasks === 1 ? "keeps its" : "keep their"} old score`;

/** Returns the current scorer's score of a saved task, before any override. Throws if the scorer does, as above. */
export function scoreAgain(
  store: RunStore,
  task: Task,
  loaded: LoadedSuite,
  spec: RunSpec,
  events: readonly TaskEvent[] = store.task(task.id),
): Promise<Score> {
  const own = lastAttempt(events);
  const outcome = outcomeOf({ events: own }, store.table.row(task.id)?.failure);
  const { signal } = new AbortController();
  return scoreByJudges(spec, savedVerdicts(spec, task, own), (ask) =>
    scoredTwice(loaded, variedTask(loaded, spec, askedTask(spec, task)), outcome, {
      spec,
      signal,
      ...(ask !== undefined && { ask }),
    }),
  );
}

/** Returns each judge's verdicts out of the log. */
function savedVerdicts(spec: RunSpec, task: Task, events: readonly TaskEvent[]): (judge: string) => Verdicts {
  const turns = trajectoryOf(task.id, events).entries.flatMap((entry) =>
    entry.kind === "turn" && entry.role === "judge" ? [entry] : [],
  );
  const replies = Map.groupBy(turns, ({ model, stage, messages }) =>
    key(spec.judges === undefined ? "" : model, stage, messages),
  );
  // Equal questions get their replies in order, and the last one again if they were asked less often.
  const next = (question: string) => {
    const given = replies.get(question) ?? [];
    return (given.length > 1 ? given.shift() : given[0])?.text;
  };
  return (judge) =>
    new Verdicts(spec, async (stage, messages) => {
      const reply = next(key(spec.judges === undefined ? "" : judge, stage, messages));
      if (reply !== undefined) return reply;
      throw new Problem("judge", "the judge never got this question; run the task again");
    });
}

const key = (judge: string, stage: string, messages: readonly Message[]) =>
  JSON.stringify([judge, stage, messages.map(({ role, content }) => [role, content])]);
