/** How the sections of the trajectory screen are drawn. */
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";

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
  readonly errorKinds: readonly ErrorKind[];
};

/** Lines of a text below its heading, indented by `indent` columns. */
export function linesOfText(name: string, text: string, view: View, indent = 2): readonly string[] {
  // Both ways are kept: a long conversation is broken into lines once, however often one looks at the other.
  if (!view.wrapped) return view.texts.lines(`${name} in whole lines`, text, 0);
  return view.texts.lines(name, text, Math.max(10, view.columns - indent));
}
