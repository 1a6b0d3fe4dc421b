/** Plans of solved tasks, for strategies that learn from them: which functions led to a right answer, in order. */
import { verdictOf } from "../log/rows/verdict.ts";
import type { Score, Step, TaskEvent } from "../types.ts";

/** The plan a strategy says it answered with. */
export function solutionNote(plan: readonly string[]): Step {
  return { type: "note", kind: "solution", text: plan.join(" -> "), data: plan };
}

/** The plan of a task that came out right; undefined for any other, and where its strategy noted none. */
export function solutionOf(events: readonly TaskEvent[], score: Score | undefined): readonly string[] | undefined {
  if (verdictOf(score) !== "right") return undefined;
  const note = events.findLast((event) => event.type === "note" && event.kind === "solution");
  const data = note?.type === "note" ? note.data : undefined;
  return Array.isArray(data) ? data.filter((name) => typeof name === "string") : undefined;
}

/** The plans of all tasks but this one: executed again, it must not follow its own. */
export function othersOf(
  solutions: ReadonlyMap<string, readonly string[]>,
  task: string,
): readonly (readonly string[])[] {
  return [...solutions].flatMap(([id, plan]) => (id === task ? [] : [plan]));
}
