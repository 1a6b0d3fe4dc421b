/** Everything that can be shown of a run: tests that damage a run's files see by it whether anything breaks. */
import { RunStore } from "../source/engine/log/run-store.ts";
import { trajectoryOf } from "../source/engine/log/trajectory.ts";
import type { Row } from "../source/engine/types.ts";
import { blocksOf } from "../source/terminal/trajectory/sections/section-blocks.ts";
import { openView } from "./terminal/trajectory/open-view.ts";

const sections = ["plan", "steps", "checks", "tree", "raw"] as const;

/** Folds the run's log, or takes its rows from the files next to it, and lays out every section of every task. `run`: its folder. */
export function shownRun(run: string): { readonly rows: readonly Row[]; readonly warnings: readonly string[] } {
  const store = new RunStore(run, { keep: true });
  const rows = store.table.rows();
  const { warnings } = store.table;
  const view = openView(80);
  for (const { task } of rows)
    for (const section of sections)
      for (const raw of [false, true])
        blocksOf(section, trajectoryOf(task, store.task(task)), undefined, { ...view, raw });
  return { rows, warnings };
}
