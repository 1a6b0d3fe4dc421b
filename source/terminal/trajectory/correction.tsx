/** Corrects the label of an error by hand: which error, where a line has several; its kind; and why. */
import { useState } from "react";
import type { ReactNode } from "react";
import type { ErrorKind } from "../../engine/suite.ts";
import type { Mistake } from "../../engine/types.ts";
import { type Choice, ChoiceList } from "../input/choice-list.tsx";
import { LineField } from "../editor/line-field.tsx";
import type { Correcting } from "./use-correction.ts";
import { kindTitle, mistakeAbout, mistakeText, overruledText } from "./mistake-line.ts";

type Props = Pick<Correcting, "correct" | "back"> & {
  /** At least one. */
  readonly mistakes: readonly Mistake[];
  readonly errorKinds: readonly ErrorKind[];
  readonly columns: number;
  readonly height: number;
};

export function Correction({ mistakes, errorKinds, columns, height, correct, back }: Props): ReactNode {
  const [error, setError] = useState(mistakes.length === 1 ? mistakes[0] : undefined);
  const [kind, setKind] = useState<string>();
  const size = { columns, height };
  if (error === undefined) {
    const choices = mistakes.map((mistake, index) => errorChoice(mistake, index, errorKinds));
    const take = ([value]: readonly string[]) => setError(mistakes[Number(value)]);
    return (
      <ChoiceList key="errors" title="Which error?" choices={choices} taken={[]} {...size} take={take} back={back} />
    );
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
        {...size}
        take={take}
        back={back}
      />
    );
  }
  return (
    <LineField
      title="Why?"
      about={`${kindTitle(kind, errorKinds)}, not ${kindTitle(error.override?.was ?? error.kind, errorKinds)}`}
      text={kind === error.kind ? (error.override?.reason ?? "") : ""}
      problem={(text) => (text === "" ? "A reason is required" : undefined)}
      {...size}
      accept={(reason) => correct(error, kind, reason)}
      back={back}
    />
  );
}

function errorChoice(mistake: Mistake, index: number, errorKinds: readonly ErrorKind[]): Choice {
  const parts = [mistakeAbout(mistake), overruledText(mistake, { errorKinds })];
  const note = parts.filter((part) => part !== undefined && part !== "").join("; ");
  return { value: String(index), title: kindTitle(mistake.kind, errorKinds), ...(note !== "" && { note }) };
}

/** The kinds of the suite, and that of the scorer where the suite does not have it any more. */
function kindChoices({ kind, override }: Mistake, errorKinds: readonly ErrorKind[]): readonly Choice[] {
  const own = override?.was ?? kind;
  const known = errorKinds.some(({ name }) => name === own);
  const kinds = known ? errorKinds : [{ name: own, title: own }, ...errorKinds];
  return kinds.map(({ name, title, group, note }: ErrorKind) => {
    const mark = name === own ? "label of the scorer" : name === kind ? "corrected label" : undefined;
    const about = [mark, group, note].filter((part) => part !== undefined).join("; ");
    return { value: name, title, ...(about !== "" && { note: about }) };
  });
}
