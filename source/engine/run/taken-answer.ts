/** The answer a saved run gave to a task, taken over by a run that only asks its judge. */
import { lastAttempt, savedRequests } from "./saved-replies.ts";
import { type AnswerSource, sourceKind, sourceOf, sourceText } from "../log/rows/row-notes.ts";
import type { RunStore } from "../log/run-store.ts";
import type { Failure, Row, Step, TaskEvent } from "../types.ts";

export type TakenAnswer = {
  /** All it took to come to the answer, marked as saved. */
  readonly steps: readonly Step[];
  /** Number of the first request that is free. */
  readonly requests: number;
  /** Why it ended early and was scored as far as it had come. */
  readonly failure: Failure | undefined;
};

/** Whether the models of a task have done their part: it failed neither before its judge was asked nor while it was. */
export function isAnswered({ state, failure }: Pick<Row, "state" | "failure">): boolean {
  return state === "scored" || (state === "failed" && failure?.kind === "judge");
}

/** What the last attempt at a task did before its judge was asked. Without `from`, it is of the very run that takes it over. */
export function takenAnswer(events: readonly TaskEvent[], from?: AnswerSource): TakenAnswer {
  const attempt = lastAttempt(events);
  const judged = attempt.findIndex((event) => event.type === "prompt" && event.role === "judge");
  const own = judged < 0 ? attempt : attempt.slice(0, judged);
  const requests = savedRequests(own);
  const replies = new Map(requests.map(({ prompt, reply }) => [prompt.request, reply]));
  const steps = own.flatMap((event, index): readonly Step[] => {
    if (event.type === "started" || event.type === "scored" || event.type === "failed") return [];
    const { seq: _, at, task: __, ...step } = event;
    if (step.type === "result") return [{ ...step, saved: step.saved ?? at - own[index - 1]!.at }];
    if (step.type !== "prompt") return "request" in step ? [] : [step];
    const { request } = step;
    const { chunks, took } = replies.get(request)!;
    return [{ ...step, saved: took }, ...chunks.map((chunk): Step => ({ ...chunk, request }))];
  });
  const failed = attempt.findLast((event) => event.type === "failed")?.failure;
  return {
    // An answer that was taken over before keeps the name of the run that gave it.
    steps: from === undefined || steps.some(isSourceNote) ? steps : [sourceNote(from), ...steps],
    requests: requests.length,
    failure: failed?.kind === "judge" ? undefined : failed,
  };
}

/** The answers to these tasks, read when they are asked for. */
export function takenAnswers(
  store: RunStore,
  tasks: readonly string[],
  from?: AnswerSource,
): (task: string) => TakenAnswer | undefined {
  const wanted = new Set(tasks);
  if (wanted.size === 0) return () => undefined;
  const read = store.reader();
  return (task) => (wanted.has(task) ? takenAnswer(read(task), from) : undefined);
}

const isSourceNote = (step: Step) => step.type === "note" && sourceOf(step.kind) !== undefined;

function sourceNote(from: AnswerSource): Step {
  return { type: "note", kind: sourceKind(from), text: `The answer is that of ${sourceText(from)}` };
}
