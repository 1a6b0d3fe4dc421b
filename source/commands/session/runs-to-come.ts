/** How much `planwright run` has before it: of thousands of runs nobody sees that on the first screens of progress. */
import { countChosen } from "../../engine/run/sampling.ts";
import { counted } from "../../engine/text/counted.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { runsOfCells } from "./open-session.ts";

/** Fewer runs are seen at once in the progress of each. */
const least = 20;

/**
 * How many runs of the named cells (or of all) are not done, and how many of their tasks have no score; undefined for fewer than
 * `least` runs. Tasks that cannot be read are not counted: their run reports why.
 */
export async function runsToCome(
  workbench: SessionWorkbench,
  cells: readonly string[] | undefined,
): Promise<string | undefined> {
  const open = runsOfCells(workbench, cells).filter(({ status }) => status !== "done");
  if (open.length < least) return undefined;
  let tasks = 0;
  for (const { spec, predictions, counts } of open) {
    if (predictions !== undefined) continue;
    const all = await workbench.loadedSuites.tasks(spec.suite, spec.data, spec.split).catch(() => []);
    tasks += Math.max(0, countChosen(all, spec) - counts.right - counts.wrong - counts.unscored);
  }
  return `${counted(open.length, "run")} with ${counted(tasks, "task")} are to come`;
}
