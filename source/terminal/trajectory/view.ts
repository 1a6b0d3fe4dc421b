/** The drawing settings and texts of the trajectory screen's sections. */
import { type Line, plain } from "../../engine/figures/drawing/line.ts";
import type { RunWords } from "../../engine/log/run-words.ts";
import type { Symbols } from "../../look/signs.ts";
import type { ErrorKind, Measure } from "../../engine/suite.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";
import { forgetReading, growingReading } from "./growing-reading.ts";
import { longestRead, readingLines } from "./reading-lines.ts";
import type { SaidBefore } from "./field-lines.ts";
import { shownValue } from "../../engine/measures/measure-cell.ts";
import type { Row } from "../../engine/types.ts";

export type View = {
  readonly columns: number;
  readonly symbols: Symbols;
  readonly texts: WrappedTexts;
  /** If false, long lines are truncated at the edge. */
  readonly wrapped: boolean;
  /** Ids of the blocks that are not in their default state of expansion. */
  readonly toggled: ReadonlySet<string>;
  /** Shows long texts as one line each without a hint that they can be unfolded; for the live screen. */
  readonly brief?: boolean;
  /** Shows texts exactly as received instead of formatted. */
  readonly raw?: boolean;
  /** Draws the agents of a recording side by side if there is room. */
  readonly lanes?: true;
  /** The texts before the drawn text; if absent, repetitions are shown, too. */
  readonly said?: SaidBefore | undefined;
  readonly errorKinds: readonly ErrorKind[];
  readonly words?: RunWords | undefined;
  /** The suite's measures of the task; absent if they are not shown. */
  readonly measured?: readonly Measured[];
};

/** Returns a text for reading, as lines to draw; unchanged if texts are raw or lines are not wrapped. */
export function readLines(name: string, text: string, view: View, { live = false, indent = 2 } = {}): readonly Line[] {
  const asItIs = () => linesOfText(name, text, view, indent).map(plain);
  const indented = (lines: readonly Line[]) => lines.map((line): Line => [{ text: " ".repeat(indent) }, ...line]);
  if (view.raw === true || !view.wrapped) return indented(asItIs());
  if (!live) {
    forgetReading(view.texts, name);
    return indented(readingLines(text, view.columns - indent, view.symbols, view.said));
  }
  return growingLines(name, text, view, indent) ?? indented([...asItIs(), notSet(view)]);
}

function growingLines(name: string, text: string, view: View, indent: number): readonly Line[] | undefined {
  if (text.length > longestRead) return undefined;
  const { texts, columns, symbols, said } = view;
  return growingReading(texts, name, indent).lines(text, Math.max(10, columns - indent), symbols, said);
}

const notSet = ({ symbols }: View): Line => [
  { text: `${symbols.more} this long text is formatted once it is complete`, style: "faint" },
];

/** Returns the lines of a text below its heading, wrapped to leave `indent` columns. */
export function linesOfText(name: string, text: string, view: View, indent = 2): readonly string[] {
  // Both forms are kept: a long conversation is wrapped once, however often the user switches.
  if (!view.wrapped) return view.texts.lines(`${name} with unwrapped lines`, text, 0);
  return view.texts.lines(name, text, Math.max(10, view.columns - indent));
}

export type Measured = { readonly title: string; readonly mode: string; readonly text: string };

/** Returns the measures of one task; measures that are not means over tasks have no value for a single task. */
export function measuredOf(row: Row | undefined, measures: readonly Measure[]): readonly Measured[] {
  if (row === undefined) return [];
  return measures.flatMap(({ title, mode, unit, each }) => {
    const value = each?.(row);
    if (value === undefined) return [];
    return [{ title, mode, text: `${shownValue(value, unit)}${unit === "percent" ? " %" : ""}` }];
  });
}
