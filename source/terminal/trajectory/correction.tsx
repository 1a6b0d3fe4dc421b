/** Corrects an error by hand (which error if a line has several, and its kind), otherwise the score, with a reason. */
import { useState, type ReactNode } from "react";
import type { ErrorKind } from "../../engine/suite.ts";
import { noMistake } from "../../engine/log/rows/verdict.ts";
import type { Mistake, Score, TaskRef } from "../../engine/types.ts";
import { type Choice, ChoiceList } from "../input/choice-list.tsx";
import { LineField } from "../editor/line-field.tsx";
import { kindTitle, mistakeAbout, mistakeText, overruledText, scoreText } from "../../engine/log/rows/mistake-text.ts";
import { report } from "../frame/notices.ts";
import { useTerminal } from "../terminal.ts";

type Size = { readonly columns: number; readonly height: number };
type Props = Pick<Correcting, "correct" | "correctScore" | "back"> &
  Size & {
    readonly mistakes: readonly Mistake[];
    readonly score: Score | undefined;
    readonly errorKinds: readonly ErrorKind[];
  };

export const Correction = (props: Props): ReactNode =>
  props.mistakes.length === 0 ? <ScoreCorrection {...props} /> : <ErrorCorrection {...props} />;

const why = { title: "Why?", problem: (text: string) => (text === "" ? "A reason is required" : undefined) };

function ScoreCorrection({ score, columns, height, correctScore, back }: Omit<Props, "mistakes">): ReactNode {
  const [value, setValue] = useState<number>();
  const rest = { columns, height, back };
  const own = score?.override === undefined ? score?.value : score.override.was;
  if (value === undefined) {
    const scorers = { value: "scorer", title: "the scorer's value", note: scoreText(own) };
    const take = ([chosen]: readonly string[]) => {
      if (chosen === "scorer") correctScore(undefined, "");
      else setValue(Number(chosen));
    };
    return (
      <ChoiceList
        key="score"
        title="What is the score?"
        about={`The score is now ${scoreText(score?.value)}; you can also type a number from 0 to 1`}
        choices={[
          { value: "1", title: "right", note: "1" },
          { value: "0", title: "wrong", note: "0" },
          ...(score?.override === undefined ? [] : [scorers]),
        ]}
        taken={[]}
        free={valueProblem}
        take={take}
        {...rest}
      />
    );
  }
  return (
    <LineField
      {...why}
      about={`${scoreText(value)}, not ${scoreText(own)}`}
      text={value === score?.value ? (score.override?.reason ?? "") : ""}
      accept={(reason) => correctScore(value, reason)}
      {...rest}
    />
  );
}

function valueProblem(text: string): string | undefined {
  const value = Number(text);
  return text.trim() !== "" && value >= 0 && value <= 1 ? undefined : "Expected a number from 0 to 1";
}

function ErrorCorrection({ mistakes, errorKinds, columns, height, correct, back }: Props): ReactNode {
  const [error, setError] = useState(mistakes.length === 1 ? mistakes[0] : undefined);
  const [kind, setKind] = useState<string>();
  const rest = { columns, height, back };
  if (error === undefined) {
    const choices = mistakes.map((mistake, index) => errorChoice(mistake, index, errorKinds));
    const take = ([value]: readonly string[]) => setError(mistakes[Number(value)]);
    return <ChoiceList key="errors" title="Which error?" choices={choices} taken={[]} take={take} {...rest} />;
  }
  if (kind === undefined) {
    const own = error.override?.was ?? error.kind;
    const take = ([value]: readonly string[]) => {
      if (value === own) correct(error, undefined, "");
      else setKind(value);
    };
    return (
      <ChoiceList
        key="kinds"
        title="Which kind of error is it?"
        about={mistakeText(error, { errorKinds })}
        choices={kindChoices(error, errorKinds)}
        taken={[error.kind]}
        take={take}
        {...rest}
      />
    );
  }
  return (
    <LineField
      {...why}
      about={`${kindTitle(kind, errorKinds)}, not ${kindTitle(error.override?.was ?? error.kind, errorKinds)}`}
      text={kind === error.kind ? (error.override?.reason ?? "") : ""}
      accept={(reason) => correct(error, kind, reason)}
      {...rest}
    />
  );
}

function errorChoice(mistake: Mistake, index: number, errorKinds: readonly ErrorKind[]): Choice {
  const parts = [mistakeAbout(mistake), overruledText(mistake, { errorKinds })];
  const note = parts.filter((part) => part !== undefined && part !== "").join("; ");
  return { value: String(index), title: kindTitle(mistake.kind, errorKinds), ...(note !== "" && { note }) };
}

/** Returns the kinds of the suite, and the scorer's kind if the suite no longer has it. */
function kindChoices({ kind, override }: Mistake, errorKinds: readonly ErrorKind[]): readonly Choice[] {
  const own = override?.was ?? kind;
  const known = errorKinds.some(({ name }) => name === own);
  const kinds = known ? errorKinds : [{ name: own, title: own }, ...errorKinds];
  const none = { name: noMistake, title: kindTitle(noMistake, errorKinds), note: "the scorer is mistaken" };
  return [...kinds, none].map(({ name, title, group, note }: ErrorKind) => {
    const mark = name === own ? "scorer's label" : name === kind ? "corrected label" : undefined;
    const about = [mark, group, note].filter((part) => part !== undefined).join("; ");
    return { value: name, title, ...(about !== "" && { note: about }) };
  });
}

type Correcting = {
  /** Undefined while no correction is open; empty while the score is being corrected. */
  readonly mistakes: readonly Mistake[] | undefined;
  readonly open: (mistakes: readonly Mistake[]) => void;
  readonly back: () => void;
  /** Reports the result; an undefined `kind` removes the correction. */
  readonly correct: (error: Mistake, kind: string | undefined, reason: string) => void;
  readonly correctScore: (value: number | undefined, reason: string) => void;
};

/** `onScored` is called when the task was re-scored. */
export function useCorrection(ref: TaskRef, errorKinds: readonly ErrorKind[], onScored: () => void): Correcting {
  const { workbench, notices } = useTerminal();
  const [mistakes, setMistakes] = useState<readonly Mistake[]>();
  const said = (corrected: Promise<string | undefined>, text: string) =>
    report({ notices }, corrected, (note) => {
      onScored();
      notices.say(note === undefined ? text : `${text}. ${note}`, "good");
    });
  return {
    mistakes,
    open: setMistakes,
    back: () => setMistakes(undefined),
    correct(error, kind, reason) {
      setMistakes(undefined);
      if (kind === undefined && error.override === undefined)
        return notices.say("This is the scorer's label: nothing was changed");
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
