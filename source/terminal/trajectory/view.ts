/** What every section of the trajectory screen is drawn from. */
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";

export type View = {
  readonly columns: number;
  readonly symbols: Symbols;
  readonly texts: WrappedTexts;
  /** Off: long lines are cut at the edge. */
  readonly wrapped: boolean;
  /** Ids of the blocks that were opened or closed against their default. */
  readonly turned: ReadonlySet<string>;
  /** Only looked at: long texts are one line each, and nothing is said of opening them. */
  readonly brief?: boolean;
  readonly errorKinds: readonly ErrorKind[];
};

/** Lines of a text below its heading, `indent` columns in. */
export function linesOfText(name: string, text: string, view: View, indent = 2): readonly string[] {
  return view.texts.lines(name, text, view.wrapped ? Math.max(10, view.columns - indent) : 0);
}
