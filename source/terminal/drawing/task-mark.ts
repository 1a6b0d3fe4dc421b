/** Shows the state of a task as a symbol, a colour and a word; the symbol alone is unambiguous. */
import type { Style } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../look/signs.ts";
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

export const markOf = (
  state: Mark,
  symbols: Symbols,
): { readonly sign: string; readonly style: Style; readonly word: string } => ({
  sign: symbols[state],
  style: styles[state],
  word: state,
});

type Resting = Pick<RunState, "readsAnswerKey" | "spec" | "kept" | "predictions" | "warnings">;

/** Returns the caveats that a reader of the run's results must know, in few words. */
export function runCaveats({ readsAnswerKey, spec, kept, predictions, warnings }: Resting): string {
  const isOwn = spec.data === "own" || ownName(spec.data) !== undefined;
  const caveats = [
    ...(predictions === undefined ? [] : ["made elsewhere"]),
    ...(kept === undefined ? [] : ["results of older code"]),
    ...(readsAnswerKey ? [keyReader(spec.model, warnings)] : []),
    ...(isOwn ? ["own data"] : []),
  ];
  return caveats.join(", ");
}

/** Names the model that reads the answer key if it is a model in another role than the run's main model. */
function keyReader(model: string, warnings: readonly string[]): string {
  if (model.startsWith("builtin/")) return "reads the answer key";
  return warnings.find((text) => text.endsWith(" reads the answer key")) ?? "another role reads the answer key";
}
