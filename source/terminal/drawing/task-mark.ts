/** Shows the state of a task as a symbol, a colour and a word; the symbol alone is unambiguous. */
import type { Style } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import type { TaskState } from "../../engine/log/rows/task-counts.ts";
import { ownName } from "../../engine/session/file-suite.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";

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

type Resting = Pick<RunState, "readsAnswerKey" | "spec" | "kept" | "predictions">;

export function runCaveats({ readsAnswerKey, spec: { data }, kept, predictions }: Resting): string {
  const isOwn = data === "own" || ownName(data) !== undefined;
  const caveats = [
    ...(predictions === undefined ? [] : ["made elsewhere"]),
    ...(kept === undefined ? [] : ["results of older code"]),
    ...(readsAnswerKey ? ["reads the answer key"] : []),
    ...(isOwn ? ["own data"] : []),
  ];
  return caveats.join(", ");
}
