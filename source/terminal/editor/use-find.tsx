/** Finds words on a screen: a field for them over its lower part, and the search itself. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Block } from "../trajectory/block.ts";
import { workBeside } from "../frame/use-pieces.ts";
import { type Found, nextFound } from "../trajectory/find.ts";
import { useTerminal } from "../terminal.ts";
import { LineField } from "./line-field.tsx";

/** The content that is searched. */
export type Searched = {
  /** Called when words were typed, not in every frame. */
  readonly blocks: () => Iterable<Block>;
  /** The number of the line with the cursor. */
  readonly here: number;
  /** Moves to a place that was found. */
  readonly found: (place: Found) => void;
};

export type Find = {
  /** Opens the field. */
  readonly open: () => void;
  /** Moves to the next or previous place with the last words. */
  readonly again: (searched: Searched, by: 1 | -1) => void;
  /** Rows of the field; 0 while it is closed. */
  readonly rows: number;
  /**
   * Returns the field, or undefined while it is closed. Enter moves to the next place after the cursor, and wraps
   * around at the end.
   */
  readonly field: (searched: Searched) => ReactNode;
};

const fieldRows = 3;

export function useFind(columns: number): Find {
  const { notices } = useTerminal();
  const [isOpen, setOpen] = useState(false);
  const [last, setLast] = useState("");
  const searching = useRef<() => void>(undefined);
  const look = ({ blocks, here, found }: Searched, text: string, by: 1 | -1) => {
    if (text === "") return notices.say("No search yet: / starts one");
    searching.current?.();
    const take = (place: Found | undefined) => {
      if (place === undefined) notices.say(`Not found here: ${text}`);
      else found(place);
    };
    const work = nextFound(blocks(), here, text, by);
    // Most searches end at once.
    const { done, value } = work.next();
    if (done === true) return take(value);
    searching.current = workBeside(work, take);
  };
  useEffect(() => () => searching.current?.(), []);
  return {
    open: () => setOpen(true),
    again: (searched, by) => look(searched, last, by),
    rows: isOpen ? fieldRows : 0,
    field: (searched) =>
      isOpen ? (
        <LineField
          title="Find"
          about={last === "" ? "goes to the next match" : `Enter alone continues with: ${last}`}
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
