/** The publisher's submission format: JSON Lines of `{idx, query, plan}` in the order of the requests. */
import type { Json, Task } from "../../../source/engine/types.ts";
import { readPlan } from "./extract.ts";
import type { TripTask } from "../data/task.ts";

/**
 * One line a task, an undelivered or unreadable plan as null. Plans a judge had to read are not in the answers: they are
 * null here, too.
 */
export function writeSubmission(rows: readonly { readonly task: Task; readonly answer: Json | undefined }[]): string {
  const lines = rows
    // Exporters are handed the tasks this suite loaded itself.
    .map(({ task, answer }) => ({ query: (task as TripTask).input.query, plan: readPlan(answer).plan }))
    .toSorted((a, b) => a.query.idx - b.query.idx)
    .map(({ query, plan }) => JSON.stringify({ idx: query.idx, query: query.query, plan }));
  return lines.map((line) => `${line}\n`).join("");
}
