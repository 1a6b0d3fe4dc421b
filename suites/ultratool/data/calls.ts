/** Reading the annotated calls of the base file, which are text and often not valid Python. */
import type { BaseRow, PlanRow } from "./task.ts";

const noTool = new Set(["null", "No tool required", "不需要工具"]);

/** True for a step with a call; false for parents and for steps that need no tool. */
function isCall(row: PlanRow): boolean {
  return !noTool.has(row.tool);
}

/** Text before the first bracket: `file_write` of `file_write(file_path='D:/a.txt')`. */
export function toolName(call: string): string {
  const bracket = call.indexOf("(");
  return (bracket === -1 ? call : call.slice(0, bracket)).trim();
}

/** True when an argument stands for the result of an earlier step: `<...>` in the call. */
export function isNested(call: string): boolean {
  const open = call.indexOf("<");
  return open !== -1 && call.indexOf(">", open) > open + 1;
}

export function callsOf(row: BaseRow): readonly PlanRow[] {
  return row.plan.filter(isCall);
}
