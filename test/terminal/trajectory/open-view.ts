/** The view of a trajectory: folded lines in Unicode, nothing expanded. */
import { symbolsOf } from "../../../source/look/signs.ts";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import type { View } from "../../../source/terminal/trajectory/view.ts";

/** Each view keeps its own wrapped texts. */
export const openView = (columns: number, more: Partial<View> = {}): View => ({
  columns,
  symbols: symbolsOf(false),
  texts: new WrappedTexts(),
  wrapped: true,
  toggled: new Set(),
  errorKinds: [],
  ...more,
});
