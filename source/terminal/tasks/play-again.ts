/** Plays just these tasks again, whatever became of them before; asks first, as it costs calls. */
import type { TaskRef } from "../../engine/types.ts";
import { plural } from "../amount.ts";
import { cellOfRun } from "../cell-of-run.ts";
import { report } from "../notices.ts";
import type { Terminal } from "../terminal.ts";

export function playAgain(tasks: readonly TaskRef[], terminal: Terminal): void {
  const { workbench, notices } = terminal;
  const cells = new Map<string, TaskRef[]>();
  let gone = 0;
  for (const ref of tasks) {
    const cell = cellOfRun(workbench, ref.run)?.cell;
    if (cell === undefined) gone += 1;
    else if (cells.has(cell)) cells.get(cell)!.push(ref);
    else cells.set(cell, [ref]);
  }
  if (cells.size === 0) {
    return notices.say(gone === 0 ? "There are no tasks to play" : "The cell of this run is gone", "bad");
  }
  notices.ask(`Play ${plural(tasks.length - gone, "task")} again?`, () => {
    for (const [cell, refs] of cells) {
      const run = workbench
        .run(cell, refs)
        .then(() => notices.say(`${plural(refs.length, "task")} played again`, "good"));
      report(terminal, run);
    }
  });
}
