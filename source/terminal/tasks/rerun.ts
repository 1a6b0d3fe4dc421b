/** Re-runs these tasks, scored or not; asks first because it sends requests. */
import type { TaskRef } from "../../engine/types.ts";
import { plural } from "../drawing/amount.ts";
import { cellOfRun, isActive } from "../frame/runs.ts";
import { whenAllowed } from "../frame/allow.ts";
import { report } from "../frame/notices.ts";
import type { Terminal } from "../terminal.ts";

export function rerun(tasks: readonly TaskRef[], terminal: Terminal): void {
  const { workbench, notices } = terminal;
  const owners = new Map<string, ReturnType<typeof cellOfRun>>();
  const found = tasks.flatMap((ref) => {
    const owner = cellOf(ref.run);
    return owner === undefined ? [] : [{ ref, ...owner }];
  });
  if (found.length === 0) {
    return notices.say(
      tasks.length === 0
        ? "There are no tasks to re-run"
        : "No cell has this run any more: its cell was changed or removed",
      "bad",
    );
  }
  // An active run accepts no further tasks.
  if (found.some(({ state }) => isActive(state))) {
    return notices.say("The run is not finished: stop it first, or wait", "bad");
  }
  notices.ask(`Re-run ${plural(found.length, "task")}?`, () => {
    const cells = [...new Set(found.map((each) => each.cell))];
    whenAllowed(terminal, cells, () => {
      for (const cell of cells) {
        const refs = found.filter((each) => each.cell === cell).map(({ ref }) => ref);
        report(
          terminal,
          workbench.run(cell, refs).then(() => notifyEnd(refs)),
        );
      }
    });
  });

  function notifyEnd(refs: readonly TaskRef[]): void {
    const problem = cellOfRun(workbench, refs[0]!.run)?.state.message;
    if (problem === undefined) notices.say(`Re-ran ${plural(refs.length, "task")}`, "good");
    else notices.say(problem, "bad");
  }

  /** Cached, because thousands of tasks may belong to one run. */
  function cellOf(run: string) {
    if (!owners.has(run)) owners.set(run, cellOfRun(workbench, run));
    return owners.get(run);
  }
}
