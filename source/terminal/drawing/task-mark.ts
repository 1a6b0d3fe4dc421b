/** The state of a task as a symbol, a colour and a word; the symbol alone is enough. */
import type { Style } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import type { BoardState } from "../../engine/workbench/workbench.ts";

export type Mark = BoardState;

const styles: Readonly<Record<Mark, Style>> = {
  waiting: "faint",
  running: "accent",
  right: "good",
  wrong: "bad",
  unscored: "warn",
  failed: "warn",
};

/** In the order in which counts are listed. */
export const allMarks = ["right", "wrong", "unscored", "failed", "running", "waiting"] as const;

export function markOf(
  state: Mark,
  symbols: Symbols,
): { readonly sign: string; readonly style: Style; readonly word: string } {
  return { sign: symbols[state], style: styles[state], word: state };
}
