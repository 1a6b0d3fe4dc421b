/** What the tasks and numbers of a run rest on, where there is room for a few words only: its warnings stand in the notebook. */
import { ownName } from "../../engine/session/file-suite.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";

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
