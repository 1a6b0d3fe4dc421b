/** How the sections of the trajectory screen are drawn. */
import { type Line, plain } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import type { ErrorKind, Measure } from "../../engine/suite.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";
import { forgetReading, growingReading } from "./growing-reading.ts";
import { longestRead, readingLines } from "./reading-lines.ts";
import { shownValue } from "../../engine/measures/measure-cell.ts";
import type { Row } from "../../engine/types.ts";

export type View = {
  readonly columns: number;
  readonly symbols: Symbols;
  readonly texts: WrappedTexts;
  /** Off: long lines are cut at the edge. */
  readonly wrapped: boolean;
  /** Ids of the blocks that are expanded or collapsed other than by default. */
  readonly toggled: ReadonlySet<string>;
  /** For the live screen: long texts are one line each, without a hint that they can be expanded. */
  readonly brief?: boolean;
  /** Texts byte for byte as they came, instead of the reading view. */
  readonly raw?: boolean;
  readonly errorKinds: readonly ErrorKind[];
  /** What the suite measures of the task; absent where that is not shown. */
  readonly measured?: readonly Measured[];
};

/** The same in the reading view, as lines that can be drawn; without it, and where nothing is to be broken, as it is. */
export function readLines(name: string, text: string, view: View, { live = false, indent = 2 } = {}): readonly Line[] {
  const asItIs = () => linesOfText(name, text, view, indent).map(plain);
  const indented = (lines: readonly Line[]) => lines.map((line): Line => [{ text: " ".repeat(indent) }, ...line]);
  if (view.raw === true || !view.wrapped) return indented(asItIs());
  if (!live) {
    forgetReading(view.texts, name);
    return indented(readingLines(text, view.columns - indent, view.symbols));
  }
  return growingLines(name, text, view, indent) ?? indented([...asItIs(), notSet(view)]);
}

function growingLines(name: string, text: string, view: View, indent: number): readonly Line[] | undefined {
  if (text.length > longestRead) return undefined;
  const { texts, columns, symbols } = view;
  return growingReading(texts, name, indent).lines(text, Math.max(10, columns - indent), symbols);
}

const notSet = ({ symbols }: View): Line => [
  { text: `${symbols.more} so long a text is set once it has ended`, style: "faint" },
];

/** Lines of a text below its heading, indented by `indent` columns. */
export function linesOfText(name: string, text: string, view: View, indent = 2): readonly string[] {
  // Both ways are kept: a long conversation is broken into lines once, however often one looks at the other.
  if (!view.wrapped) return view.texts.lines(`${name} in whole lines`, text, 0);
  return view.texts.lines(name, text, Math.max(10, view.columns - indent));
}

export type Measured = { readonly title: string; readonly mode: string; readonly text: string };

/** Measures that are no means over tasks have no value for one of them. */
export function measuredOf(row: Row | undefined, measures: readonly Measure[]): readonly Measured[] {
  if (row === undefined) return [];
  return measures.flatMap(({ title, mode, unit, each }) => {
    const value = each?.(row);
    if (value === undefined) return [];
    return [{ title, mode, text: `${shownValue(value, unit)}${unit === "percent" ? " %" : ""}` }];
  });
}
