/** A figure drawn as lines, in parts, so that a screen can scroll the middle and put a cursor on its values. */
import type { Cell } from "../../figure.ts";
import type { Line } from "./line.ts";

export type Drawing = {
  /** Stays in sight while the body scrolls: column titles. */
  readonly head: readonly Line[];
  readonly body: readonly Line[];
  /** Axes, scales and legends. */
  readonly foot: readonly Line[];
};

/** A position the cursor can be on. Rows are moved through with up and down, the stops of a row with left and right. */
export type Stop = { readonly label: string; readonly cell: Cell | undefined };
export type At = { readonly row: number; readonly column: number };

/** The number of the colour of what has this name, where it is a run; see `run-colours.ts`. */
export type ColourOf = (text: string) => number | undefined;

export type DrawOptions = {
  readonly width: number;
  readonly ascii: boolean;
  /** Colours of the runs in it; without them lines are coloured in their order. */
  readonly colourOf?: ColourOf;
  /** Where the cursor is; none in inline figures and text. */
  readonly at?: At;
  /** Rows of a long table that are looked at, from first to before last; the others are left empty, which saves drawing them. */
  readonly window?: readonly [number, number];
  /** Intervals stand beside the values of a table even where it does not fit then. */
  readonly intervals?: true;
  /** Rows a plot may take; tables and grids take what they need. */
  readonly height?: number;
};

/** What of the body belongs to a row of stops, for scrolling: first line and number of lines; all of it for plots. */
export type RowSpan = { readonly from: number; readonly lines: number };
