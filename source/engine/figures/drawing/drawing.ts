/** A figure drawn as lines, in parts, so that a screen can scroll the body and place a cursor on its values. */
import type { Cell } from "../../figure.ts";
import type { Line } from "./line.ts";

export type Drawing = {
  /** Column titles, which stay visible while the body scrolls. */
  readonly head: readonly Line[];
  readonly body: readonly Line[];
  /** Axes, scales and legends. */
  readonly foot: readonly Line[];
  /** The first line of each row in the body, if rows have different numbers of lines. */
  readonly starts?: readonly number[];
};

/** A position of the cursor. Up and down move between rows, left and right between the stops of a row. */
export type Stop = { readonly label: string; readonly cell: Cell | undefined };
export type At = { readonly row: number; readonly column: number };

/** Returns the colour number of the run with this name; undefined if no run has the name. See `run-colours.ts`. */
export type ColourOf = (text: string) => number | undefined;

export type Screened = "colour" | "plain";

export type DrawOptions = {
  readonly width: number;
  readonly ascii: boolean;
  /**
   * Present for drawing on a screen, with or without colours and weights. Absent for drawing as text, in which signs replace
   * both.
   */
  readonly screen?: Screened | undefined;
  /** On a screen, the number of runs with a colour of their own; the bars of further runs have another fill. */
  readonly colours?: number;
  /** Colours of the runs in the figure; without it, lines are coloured in order. */
  readonly colourOf?: ColourOf;
  /** Position of the cursor; absent in inline figures and text. */
  readonly at?: At;
  /** Visible rows of a long table, from the first row to the row after the last; other rows stay empty to save drawing. */
  readonly window?: readonly [number, number];
  /**
   * Shows the intervals of a table beside the values even if they do not fit (true), below the values if they do not fit beside
   * them, or not at all (false). Absent: beside the values if all of them fit.
   */
  readonly intervals?: boolean | "below";
  /** Maximum height of a plot; tables and grids take the height that they need. */
  readonly height?: number;
};

/** First line and number of lines of a row of stops in the body, for scrolling; plots have a single span. */
export type RowSpan = { readonly from: number; readonly lines: number };
