/** How the sections of the trajectory screen are drawn. */
import { type Line, plain } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import type { Measured } from "./measured.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";
import { growingFields } from "./growing-fields.ts";
import { longestRead, readingLines } from "./reading-lines.ts";

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

/** Longer texts that still grow are laid out by what is new in them, or not at all: frames would take too long. */
const longestGrowing = 20_000;

/** The same in the reading view, as lines that can be drawn; without it, and where nothing is to be broken, as it is. */
export function readLines(name: string, text: string, view: View, { live = false, indent = 2 } = {}): readonly Line[] {
  const asItIs = () => linesOfText(name, text, view, indent).map(plain);
  const room = view.columns - indent;
  const lines =
    view.raw === true || !view.wrapped
      ? asItIs()
      : live && text.length > longestGrowing
        ? (longGrowingLines(name, text, room, view) ?? [...asItIs(), notSet(view)])
        : readingLines(text, room, view.symbols);
  return lines.map((line) => [{ text: " ".repeat(indent) }, ...line]);
}

function longGrowingLines(
  name: string,
  text: string,
  room: number,
  { texts, symbols }: View,
): readonly Line[] | undefined {
  return text.length > longestRead ? undefined : growingFields(texts, name).lines(text, Math.max(10, room), symbols);
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
