/** Plays just these tasks again, whatever became of them before; asks first, as it costs calls. */
import type { TaskRef } from "../../engine/types.ts";
import { plural } from "../drawing/amount.ts";
import { cellOfRun, isGoing } from "../frame/cell-of-run.ts";
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
    return notices.say(tasks.length === 0 ? "There are no tasks to play" : "The cell of this run is gone", "bad");
  }
  // A run that is going takes no more tasks.
  if (found.some(({ state }) => isGoing(state))) {
    return notices.say("This run is going: stop it first, or wait until it ends", "bad");
  }
  notices.ask(`Play ${plural(found.length, "task")} again?`, () => {
    for (const cell of new Set(found.map((each) => each.cell))) {
      const refs = found.filter((each) => each.cell === cell).map(({ ref }) => ref);
      report(
        terminal,
        workbench.run(cell, refs).then(() => tellEnd(refs)),
      );
    }
  });

  function tellEnd(refs: readonly TaskRef[]): void {
    const problem = cellOfRun(workbench, refs[0]!.run)?.state.message;
    if (problem === undefined) notices.say(`${plural(refs.length, "task")} played again`, "good");
    else notices.say(problem, "bad");
  }

  /** Of ten thousand tasks most are of the same run. */
  function cellOf(run: string) {
    if (!owners.has(run)) owners.set(run, cellOfRun(workbench, run));
    return owners.get(run);
  }
}
