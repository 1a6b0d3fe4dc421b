/** Going to another notebook: a list of those that are known, or a name for a new one. */
import type { ReactNode } from "react";
import type { Notebooks, OtherNotebook } from "../terminal.ts";
import { ChoiceList } from "../input/choice-list.tsx";

type Props = {
  readonly notebooks: Notebooks;
  readonly isNew: boolean;
  readonly width: number;
  readonly height: number;
  readonly close: () => void;
  readonly take: (notebook: OtherNotebook) => void;
};

export function NotebookChoice({ notebooks, isNew, width, height, close, take }: Props): ReactNode {
  const known = isNew ? [] : notebooks.known();
  return (
    <ChoiceList
      title={isNew ? "Make a notebook" : "Open a notebook"}
      about={isNew ? "A name makes sessions/NAME; a path makes that folder." : "One of these, or the path of another."}
      choices={known.map(({ path, about }) => ({ value: path, title: path, note: about }))}
      taken={[]}
      free={(path) => notebooks.problem({ path, isNew })}
      columns={width}
      height={height}
      back={close}
      take={([path]) => {
        close();
        if (path !== undefined) take({ path, isNew });
      }}
    />
  );
}
