/** What the mark of a task says: from its row, and whether it is being played. */
import type { Row } from "./types.ts";
import type { BoardState } from "./workbench.ts";

export function boardState(row: Row | undefined, playing: ReadonlySet<string>, id = row?.task ?? ""): BoardState {
  if (playing.has(id)) return "running";
  if (row === undefined || row.state === "running" || row.failure?.kind === "stopped")
    return row?.state === "scored" ? judged(row) : "waiting";
  return row.state === "scored" ? judged(row) : "failed";
}

function judged(row: Row): BoardState {
  const value = row.score?.value;
  if (value === undefined) return "unjudged";
  return value >= 1 ? "right" : "wrong";
}
