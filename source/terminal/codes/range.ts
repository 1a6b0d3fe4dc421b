/** A range of lines of a trajectory, and the commands that tag it. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Block } from "../trajectory/block.ts";
import { lineAt, type Position, visibleLines } from "../trajectory/position.ts";
import type { ReadTask } from "../trajectory/use-read-task.ts";
import { placeOf } from "./code-blocks.ts";
import { type Tagging, untag } from "./tagging.tsx";

type Ranged = Pick<ReadTask, "terminal" | "reading" | "section" | "go" | "blind"> & {
  readonly blocks: readonly Block[];
  readonly place: Position;
  readonly height: number;
  /** Opens the list of kinds. */
  readonly tag: (tagging: Tagging) => void;
};

/** Returns the visible lines with the cursor, if it is shown, and the range before them. */
export function markedLines(context: Ranged, top: number, withCursor: boolean): readonly Line[] {
  const { symbols } = context.terminal.theme;
  const here = lineAt(context.blocks, context.place);
  const { from, to } = rangeOf(context);
  const signOf = (line: number) => {
    if (withCursor && line === here) return symbols.here;
    return from < to && line >= from && line <= to ? symbols.bar : " ";
  };
  return visibleLines(context.blocks, top, context.height).map((line, index): Line => [
    { text: `${signOf(top + index)} `, style: "accent" },
    ...line,
  ]);
}

/** Returns the first and the last line of the range, or the line of the cursor. */
function rangeOf({ reading, section, blocks, place }: Ranged): {
  readonly from: number;
  readonly to: number;
} {
  const here = lineAt(blocks, place);
  const begin = reading.range?.section === section ? lineAt(blocks, reading.range.at) : here;
  return { from: Math.min(begin, here), to: Math.max(begin, here) };
}

export function tagCommands(context: Ranged, requestOf: (block: string) => number | undefined) {
  const { terminal, reading, section, blocks, place, go, tag, blind } = context;
  const whole = { refs: [reading.ref], since: blind?.since };
  return {
    tag: () => tag({ ...whole, place: placeOf(section, { blocks, ...rangeOf(context) }, requestOf) }),
    "tag-task": () => tag(whole),
    range() {
      const isBegun = reading.range?.section === section;
      go({ ...reading, range: isBegun ? undefined : { section, at: place } });
      terminal.notices.say(isBegun ? "Range cleared: t tags one line" : "The range begins here: move, then t tags it");
    },
    untag: () => untag(terminal),
  };
}
