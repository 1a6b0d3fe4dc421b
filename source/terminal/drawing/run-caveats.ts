/** What the tasks and numbers of a run rest on, where there is room for a few words only: its warnings stand in the notebook. */
import { ownName } from "../../engine/session/own-data.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";

export function runCaveats({ readsAnswerKey, spec: { data } }: Pick<RunState, "readsAnswerKey" | "spec">): string {
  const isOwn = data === "own" || ownName(data) !== undefined;
  return [...(readsAnswerKey ? ["reads the answer key"] : []), ...(isOwn ? ["own data"] : [])].join(", ");
}
