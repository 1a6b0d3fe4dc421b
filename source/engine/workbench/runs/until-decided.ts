/** Executes the runs of a cell task by task until their comparisons are decided (`until: decided`). */
import { SharedPlaces } from "../../run/runner.ts";
import { InterleavedTasks, type PairedSides } from "../../run/interleaved-tasks.ts";
import { hasTaskValues, measureCalled } from "../../measures/measure.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import { seededOrder } from "../../statistics/sequential-test.ts";
import type { Suite } from "../../suite.ts";
import type { RunOptions } from "./run-activity.ts";
import type { RunControl } from "./run-control.ts";

/**
 * Returns the comparison of a cell of two runs, by success or, without success, by the suite's first measure of tasks. Repeats
 * count as one run.
 */
export function pairOf(runs: readonly PlannedRun[], suite: Suite): PairedSides {
  const sides = [...Map.groupBy(runs, ({ pool, label }) => pool ?? label)].map(([name, own]) => ({
    name,
    runs: own.map(({ run }) => run),
  }));
  const testable = suite.measures.filter(hasTaskValues);
  const measure = measureCalled("success", testable) ?? testable[0];
  return { label: "", sides: [sides[0]!, sides[1]!], each: (row) => measure?.each(row) ?? row.score?.value };
}

/**
 * Executes the runs until they are decided, or until one of them ends for another reason, which ends the others. Failures are
 * part of their states.
 */
export async function executeUntilDecided(
  controls: readonly RunControl[],
  comparisons: readonly PairedSides[],
  { goesOn, ...options }: Pick<RunOptions, "failing" | "cache"> & { readonly goesOn: () => boolean },
): Promise<void> {
  const [first] = controls;
  if (first === undefined) return;
  // Tasks that workers still have are collected first, because the test needs their results.
  const away = controls.filter(({ givenAway }) => givenAway !== undefined);
  await Promise.all(away.map(async (control) => control.run(options)));
  if (!goesOn()) return;
  const tasks = await first.tasks().catch(() => []);
  for (const { store } of controls) await store.readRows().catch(() => {});
  const interleaved = new InterleavedTasks({
    order: seededOrder(
      tasks.map(({ id }) => id),
      String(first.spec.seed),
    ),
    runs: new Map(controls.map(({ planned, store }) => [planned.run, (task: string) => store.table.row(task)])),
    comparisons,
  });
  const endpoints = new Map<string, SharedPlaces>();
  const execute = async (control: RunControl) => {
    const endpoint = control.spec.model.split("/")[0]!;
    const places = endpoints.get(endpoint) ?? new SharedPlaces();
    endpoints.set(endpoint, places);
    if (!goesOn()) return;
    await control.run({ ...options, shared: { places, interleaved } });
    interleaved.runEnded(control.planned.run, control.store.table.ended);
  };
  await Promise.all(controls.map(execute));
}
