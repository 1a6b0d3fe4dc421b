/** Looking for words on a screen: a field for them over its lower part, and where they are found. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Block } from "../trajectory/block.ts";
import { withPauses } from "../../engine/work/pieces.ts";
import { type Found, nextFound } from "../trajectory/find.ts";
import { useTerminal } from "../terminal.ts";
import { LineField } from "./line-field.tsx";

/** What is looked through. */
export type Searched = {
  /** Called when words were typed, not with every frame. */
  readonly blocks: () => Iterable<Block>;
  /** The number of the line the cursor is on. */
  readonly here: number;
  /** Goes to a place that was found. */
  readonly found: (place: Found) => void;
};

export type Find = {
  /** Opens the field. */
  readonly open: () => void;
  /** Goes to the next place with the words of last time, or to the one before it. */
  readonly again: (searched: Searched, by: 1 | -1) => void;
  /** Rows the field takes: none while it is not open. */
  readonly rows: number;
  /** Undefined while it is not open. Enter goes to the next place after the cursor, from the end on to the first one. */
  readonly field: (searched: Searched) => ReactNode;
};

const fieldRows = 3;

export function useFind(columns: number): Find {
  const { notices } = useTerminal();
  const [isOpen, setOpen] = useState(false);
  const [last, setLast] = useState("");
  const searching = useRef<AbortController>(undefined);
  const look = ({ blocks, here, found }: Searched, text: string, by: 1 | -1) => {
    if (text === "") return notices.say("Nothing was looked for yet: / finds");
    searching.current?.abort();
    const take = (place: Found | undefined) => {
      if (place === undefined) notices.say(`Not found here: ${text}`);
      else found(place);
    };
    const work = nextFound(blocks(), here, text, by);
    // Nearly always that was all.
    const { done, value } = work.next();
    if (done === true) return take(value);
    const ending = new AbortController();
    searching.current = ending;
    const ended = (error: unknown) => {
      if (!ending.signal.aborted) throw error;
    };
    withPauses(work, { signal: ending.signal }).then(take, ended);
  };
  useEffect(() => () => searching.current?.abort(), []);
  return {
    open: () => setOpen(true),
    again: (searched, by) => look(searched, last, by),
    rows: isOpen ? fieldRows : 0,
    field: (searched) =>
      isOpen ? (
        <LineField
          title="Find"
          about={last === "" ? "goes to the next place with these words" : `Enter alone goes on with: ${last}`}
          text=""
          problem={() => undefined}
          columns={columns}
          height={fieldRows}
          accept={(typed) => {
            setOpen(false);
            const wanted = typed === "" ? last : typed;
            setLast(wanted);
            look(searched, wanted, 1);
          }}
          back={() => setOpen(false)}
        />
      ) : undefined,
  };
}
