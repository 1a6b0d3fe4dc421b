/** What was answered before, for one task alone, so that it can be given to another program. */
import type { Execution } from "./execute-task.ts";
import type { SavedRequest } from "./saved-replies.ts";
import type { TakenAnswer } from "./taken-answer.ts";

type Saved = Pick<Execution, "forked" | "interrupted" | "solutions" | "taken">;

export type SavedForTask = {
  readonly forked?: readonly SavedRequest[];
  readonly interrupted?: readonly SavedRequest[];
  readonly taken?: TakenAnswer;
  readonly solutions?: readonly (readonly [string, readonly string[]])[];
};

export function savedForTask({ forked, interrupted, solutions, taken }: Saved, task: string): SavedForTask {
  const [cut, answer] = [interrupted?.get(task), taken?.(task)];
  return {
    ...(forked && { forked }),
    ...(cut && { interrupted: cut }),
    ...(answer && { taken: answer }),
    ...(solutions && { solutions: [...solutions] }),
  };
}

/** The same as executing the task needs it. */
export function savedOf({ forked, interrupted, solutions, taken }: SavedForTask, task: string): Saved {
  return {
    ...(forked && { forked }),
    ...(interrupted && { interrupted: new Map([[task, interrupted]]) }),
    ...(taken && { taken: () => taken }),
    ...(solutions && { solutions: new Map(solutions) }),
  };
}
