/** Selects the tasks of a run: filters by facets, then draws a seeded stratified sample. */
import { randomFrom, shuffled } from "../statistics/random.ts";
import type { Benchmark } from "../benchmark.ts";
import type { Facets, Fork, RunSpec, Task } from "../types.ts";

/** Returns the tasks a run could execute without `limit`. */
export function filteredTasks(tasks: readonly Task[], { fork, filter }: RunSpec): readonly Task[] {
  if (fork !== undefined) return forkedTask(tasks, fork);
  if (Object.keys(filter).length === 0) return tasks;
  return tasks.filter(({ facets }) => fitsFilter(facets, filter));
}

/** Returns the task of a fork. If only the request at which it starts is known, this is the whole task. */
function forkedTask(tasks: readonly Task[], { task }: Fork): readonly Task[] {
  const found = tasks.filter(({ id }) => id === task);
  return found.length > 0 ? found : tasks.filter(({ id }) => id === task.replace(/@\d+$/, ""));
}

/** Returns whether a task with these facets matches the filter. */
export function fitsFilter(facets: Facets, filter: RunSpec["filter"]): boolean {
  return Object.entries(filter).every(([facet, values]) =>
    values.some((value) => String(value) === String(facets[facet])),
  );
}

/** The tasks of a run, and their number without `limit`. */
export type TaskChoice = { readonly tasks: readonly Task[]; readonly available: number };

/** Reads tasks and their benchmark. */
type Suites = {
  tasks(suite: string, data: RunSpec["data"], split: string): Promise<readonly Task[]>;
  suite(name: string): Benchmark;
};

export async function taskChoice(suites: Suites, spec: RunSpec): Promise<TaskChoice> {
  const tasks = await suites.tasks(spec.suite, spec.data, spec.split);
  return { tasks: chosenTasks(tasks, spec, suites.suite(spec.suite)), available: filteredTasks(tasks, spec).length };
}

/** Returns the number of tasks that `chosenTasks` returns, without choosing them. */
export function countChosen(tasks: readonly Task[], spec: RunSpec): number {
  const kept = filteredTasks(tasks, spec).length;
  return spec.fork !== undefined || spec.limit === 0 ? kept : Math.min(spec.limit, kept);
}

/** Returns tasks in file order. The sample keeps the proportions of the suite's first facet with several values here. */
export function chosenTasks(tasks: readonly Task[], spec: RunSpec, suite: Benchmark): readonly Task[] {
  const kept = filteredTasks(tasks, spec);
  if (spec.fork !== undefined || spec.limit === 0 || spec.limit >= kept.length) return kept;
  const facet = suite.facets.find(({ name }) => new Set(kept.map((task) => task.facets[name])).size > 1)?.name;
  const groups = Map.groupBy(kept, (task) => (facet === undefined ? "" : String(task.facets[facet])));
  const shares = proportionalShares(
    [...groups.values()].map((group) => group.length),
    spec.limit,
  );
  const chosen = new Set<Task>();
  for (const [index, [name, group]] of [...groups].entries()) {
    const random = randomFrom(`sample ${spec.seed} ${name}`);
    for (const task of shuffled(group, random).slice(0, shares[index])) chosen.add(task);
  }
  return kept.filter((task) => chosen.has(task));
}

/** Returns whole numbers that sum to `limit` (at most the sum of sizes), in proportion to `sizes`, by largest remainder. */
export function proportionalShares(sizes: readonly number[], limit: number): number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (all === 0) return sizes.map(() => 0);
  const exact = sizes.map((size) => (size * Math.min(limit, all)) / all);
  const shares = exact.map(Math.floor);
  let left = Math.min(limit, all) - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest);
  for (const { index } of byRemainder) {
    if (left === 0) break;
    shares[index]! += 1;
    left -= 1;
  }
  return shares;
}
