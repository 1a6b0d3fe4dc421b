/** The errors a person is about to correct, and what becomes of their word. */
import { useState } from "react";
import type { ErrorKind } from "../../engine/suite.ts";
import type { Mistake, TaskRef } from "../../engine/types.ts";
import { useTerminal } from "../terminal.ts";
import { kindTitle } from "./mistake-line.ts";

export type Correcting = {
  /** undefined while nothing is being corrected. */
  readonly mistakes: readonly Mistake[] | undefined;
  readonly open: (mistakes: readonly Mistake[]) => void;
  readonly back: () => void;
  /** Tells what came of it. `kind` is undefined where the scorer is to be right again. */
  readonly correct: (error: Mistake, kind: string | undefined, reason: string) => void;
};

/** `done` is called when the task was scored again. */
export function useCorrection(ref: TaskRef, errorKinds: readonly ErrorKind[], done: () => void): Correcting {
  const { workbench, notices } = useTerminal();
  const [mistakes, setMistakes] = useState<readonly Mistake[]>();
  return {
    mistakes,
    open: setMistakes,
    back: () => setMistakes(undefined),
    correct(error, kind, reason) {
      setMistakes(undefined);
      if (kind === undefined && error.override === undefined)
        return notices.say("That is what the scorer says already: nothing was changed");
      notices.say("Scoring this task again ...");
      const words =
        kind === undefined
          ? `Counts as the scorer says again: ${kindTitle(error.override!.was, errorKinds)}`
          : `Counts as ${kindTitle(kind, errorKinds)} now`;
      workbench.correct(ref, error, kind, reason).then(
        (note) => {
          done();
          notices.say(note === undefined ? words : `${words}. ${note}`, "good");
        },
        (problem: Error) => notices.say(problem.message, "bad"),
      );
    },
  };
}
