/** Correcting labels of errors, and scores, by hand. */
import { useState } from "react";
import type { ErrorKind } from "../../engine/suite.ts";
import type { Mistake, TaskRef } from "../../engine/types.ts";
import { report } from "../frame/notices.ts";
import { useTerminal } from "../terminal.ts";
import { kindTitle, scoreText } from "../../engine/log/rows/mistake-text.ts";

export type Correcting = {
  /** undefined while nothing is being corrected, none where it is the score. */
  readonly mistakes: readonly Mistake[] | undefined;
  readonly open: (mistakes: readonly Mistake[]) => void;
  readonly back: () => void;
  /** Reports the result. `kind` is undefined where the correction is removed. */
  readonly correct: (error: Mistake, kind: string | undefined, reason: string) => void;
  readonly correctScore: (value: number | undefined, reason: string) => void;
};

/** `onScored` is called when the task was re-scored. */
export function useCorrection(ref: TaskRef, errorKinds: readonly ErrorKind[], onScored: () => void): Correcting {
  const { workbench, notices } = useTerminal();
  const [mistakes, setMistakes] = useState<readonly Mistake[]>();
  const said = (corrected: Promise<string | undefined>, text: string) =>
    report(
      { notices },
      corrected.then((note) => {
        onScored();
        notices.say(note === undefined ? text : `${text}. ${note}`, "good");
      }),
    );
  return {
    mistakes,
    open: setMistakes,
    back: () => setMistakes(undefined),
    correct(error, kind, reason) {
      setMistakes(undefined);
      if (kind === undefined && error.override === undefined)
        return notices.say("This is the label of the scorer: nothing was changed");
      notices.say("Re-scoring this task ...");
      const text =
        kind === undefined
          ? `Correction removed: the label is ${kindTitle(error.override!.was, errorKinds)} again`
          : `The label is now ${kindTitle(kind, errorKinds)}`;
      said(workbench.correct(ref, error, kind, reason), text);
    },
    correctScore(value, reason) {
      setMistakes(undefined);
      notices.say("Re-scoring this task ...");
      const text =
        value === undefined
          ? "Correction removed: the score is the scorer's again"
          : `The score is now ${scoreText(value)}`;
      said(workbench.correctScore(ref, value, reason), text);
    },
  };
}
