/** Which demonstrations a task gets. */
import { shuffled } from "../../../source/engine/statistics/random.ts";
import type { AppTask } from "../data/gold.ts";

/**
 * As upstream: the first `count` tasks, in file order, whose reference plan uses the same apps as often as this task's,
 * then random ones. Deviations: upstream's pool (a training file) is not published, so the other tasks of the same
 * category serve, without those that ask the same question; and the filling is seeded.
 */
export function shotsFor(task: AppTask, count: number, pool: readonly AppTask[], random: () => number): AppTask[] {
  const others = pool.filter(
    (other) =>
      other.id !== task.id &&
      other.input.category === task.input.category &&
      other.input.instruction !== task.input.instruction,
  );
  const apps = appsOf(task);
  const alike = others.filter((other) => appsOf(other) === apps);
  if (alike.length >= count) return alike.slice(0, count);
  const rest = shuffled(
    others.filter((other) => appsOf(other) !== apps),
    random,
  );
  return [...alike, ...rest].slice(0, count);
}

function appsOf(task: AppTask): string {
  return JSON.stringify(task.answer.used_app.toSorted());
}
