/** Results of older code of the user's own, kept or given up without a screen. */
import { endedTasks } from "../../engine/log/rows/task-counts.ts";
import { codeText } from "../../engine/session/older-code.ts";
import type { SessionWorkbench } from "../../engine/workbench/session-workbench.ts";
import { printable } from "../../engine/text/printable.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import { runsOfCells } from "./open-session.ts";

/**
 * Keeps the youngest older results of each run that has none of the present code, for this reason. Returns what was done, a line a
 * run. Throws `ArgumentProblem` without a reason, and where the session cannot be written to.
 */
export function keepOlderResults(
  workbench: SessionWorkbench,
  cells: readonly string[] | undefined,
  reason: string,
): string {
  if (reason.trim() === "") throw new ArgumentProblem("Expected `--keep-older` with a reason, got none");
  mustBeWritable(workbench);
  const kept = runsOfCells(workbench, cells).flatMap(({ run, label, older = [], counts }) => {
    const [youngest] = older;
    if (youngest === undefined || endedTasks(counts) > 0) return [];
    workbench.keepOlder(run, youngest.run, reason);
    const begun = new Date(youngest.at).toISOString().slice(0, 10);
    return [`${printable(`Kept for ${label}: ${codeText(youngest.spec)}, begun ${begun}`)}\n`];
  });
  return kept.join("") || "There are no results of older code to keep\n";
}

/** Gives up what was kept, as `keepOlderResults`. */
export function dropOlderResults(workbench: SessionWorkbench, cells: readonly string[] | undefined): string {
  mustBeWritable(workbench);
  const dropped = runsOfCells(workbench, cells).flatMap(({ run, label, spec, kept }) => {
    if (kept === undefined) return [];
    workbench.keepOlder(run, run, undefined);
    return [`${printable(`No longer kept for ${label}: ${codeText(spec)}`)}\n`];
  });
  return dropped.join("") || "No results of older code are kept\n";
}

function mustBeWritable({ readOnly }: SessionWorkbench): void {
  if (readOnly !== undefined) throw new ArgumentProblem(readOnly);
}
