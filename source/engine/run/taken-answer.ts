/** An answer from a saved run, reused by a run that sends requests only to its judge. */
import { lastAttempt, type SavedRequest, savedRequests } from "./saved-replies.ts";
import { type AnswerSource, sourceKind, sourceOf, sourceText } from "../log/rows/row-notes.ts";
import type { RunStore } from "../log/run-store.ts";
import type { Failure, Step, TaskEvent } from "../types.ts";

export type TakenAnswer = {
  /** The steps behind the answer, marked as saved. */
  readonly steps: readonly Step[];
  /** The first free request number. */
  readonly requests: number;
  /** Why the task ended early and was scored with its answer so far. */
  readonly failure: Failure | undefined;
  /** All requests of the answer and its verdicts; absent without verdicts, or if the judge must be asked again. */
  readonly scored?: readonly SavedRequest[];
};

/**
 * Returns the steps of a task's last attempt before its judge was asked. Without `from`, the attempt is of the same run. The
 * judge's replies belong to the answer if `isScoredAlike`.
 */
export function takenAnswer(events: readonly TaskEvent[], from?: AnswerSource, isScoredAlike: boolean = false) {
  const attempt = lastAttempt(events);
  // A process may ask its judge before it answers.
  const answered = attempt.findLastIndex(({ type }) => type === "answer");
  const judged = attempt.findIndex(
    (event, index) => index > answered && event.type === "prompt" && event.role === "judge",
  );
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
    // An answer that was taken over before keeps the name of its original run.
    steps: from === undefined || steps.some(isSourceNote) ? steps : [sourceNote(from), ...steps],
    requests: requests.length,
    failure: failed?.kind === "judge" ? undefined : failed,
    ...(isScoredAlike && judged >= 0 && isScored(attempt) && { scored: savedRequests(attempt) }),
  };
}

const isScored = (attempt: readonly TaskEvent[]) => attempt.some(({ type }) => type === "scored");

/** Returns the answers to these tasks, read on first use. */
export function takenAnswers(
  store: RunStore,
  tasks: readonly string[],
  from?: AnswerSource,
  isScoredAlike?: boolean,
): (task: string) => TakenAnswer | undefined {
  const wanted = new Set(tasks);
  if (wanted.size === 0) return () => undefined;
  const read = store.reader();
  return (task) => (wanted.has(task) ? takenAnswer(read(task), from, isScoredAlike) : undefined);
}

const isSourceNote = (step: Step) => step.type === "note" && sourceOf(step.kind) !== undefined;

function sourceNote(from: AnswerSource): Step {
  return { type: "note", kind: sourceKind(from), text: `The answer comes from ${sourceText(from)}` };
}
