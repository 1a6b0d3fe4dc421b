/** The columns of a table of rows, and what stands in each. */
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { ExportedRun } from "./exported-run.ts";
import { tableRow, type Value } from "./run-rows.ts";

export type Column = { readonly name: string; readonly type: "text" | "number" | "boolean" };

/** Columns of numbers that may be empty in all rows. */
const amounts = ["score", "reasoningTokens", "cachedTokens", "cost", "spentCost"];

/**
 * The columns that any row of these runs has, those of one prefix side by side, in the order of the first row that has them. One
 * whose values are of several types is text.
 */
export async function columnsOf(runs: readonly ExportedRun[]): Promise<readonly Column[]> {
  const yieldIfDue = eventLoopYielder();
  const types = new Map<string, Column["type"] | undefined>();
  for (const run of runs)
    for (const row of run.rows) {
      for (const [name, value] of tableRow(run, row)) types.set(name, jointType(types.get(name), value));
      await yieldIfDue();
    }
  const columns = [...types].map(([name, type]) => ({ name, type: type ?? emptyType(name) }));
  const prefix = ({ name }: Column) => (name.includes(".") ? name.slice(0, name.indexOf(".") + 1) : name);
  return [...Map.groupBy(columns, prefix).values()].flat();
}

function jointType(before: Column["type"] | undefined, value: Value): Column["type"] | undefined {
  if (value === undefined) return before;
  const type = typeof value === "string" ? "text" : (typeof value as "number" | "boolean");
  return before === undefined || before === type ? type : "text";
}

const emptyType = (name: string): Column["type"] => (amounts.includes(name) ? "number" : "text");
