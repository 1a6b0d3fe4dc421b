/** Plans of solved tasks, for strategies that learn from them: the functions that led to a right answer, in order. */
import { verdictOf } from "../log/rows/verdict.ts";
import type { Score, Step, TaskEvent } from "../types.ts";

/** Returns a note with the plan that led to a strategy's answer. */
export function solutionNote(plan: readonly string[]): Step {
  return { type: "note", kind: "solution", text: plan.join(" -> "), data: plan };
}

/** Returns the plan of a solved task; undefined for any other task, and if its strategy noted no plan. */
export function solutionOf(events: readonly TaskEvent[], score: Score | undefined): readonly string[] | undefined {
  if (verdictOf(score) !== "right") return undefined;
  const note = events.findLast((event) => event.type === "note" && event.kind === "solution");
  const data = note?.type === "note" ? note.data : undefined;
  return Array.isArray(data) ? data.filter((name) => typeof name === "string") : undefined;
}

/** Returns the plans of all tasks except this task, which must not follow its own plan when executed again. */
export const othersOf = (solutions: ReadonlyMap<string, readonly string[]>, task: string) =>
  [...solutions].flatMap(([id, plan]) => (id === task ? [] : [plan]));
