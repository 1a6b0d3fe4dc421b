/** The state of a task as a symbol, a colour and a word; the symbol alone is enough. */
import type { Style } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import type { TaskState } from "../../engine/log/rows/task-counts.ts";

export type Mark = TaskState;

const styles: Readonly<Record<Mark, Style>> = {
  waiting: "faint",
  running: "accent",
  right: "good",
  wrong: "bad",
  unscored: "warn",
  failed: "warn",
  stopped: "faint",
};

export function markOf(
  state: Mark,
  symbols: Symbols,
): { readonly sign: string; readonly style: Style; readonly word: string } {
  return { sign: symbols[state], style: styles[state], word: state };
}
