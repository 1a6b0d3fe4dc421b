/** What the runs of a cell are together. */
import { openTasks, summedCounts } from "../../engine/log/rows/task-counts.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";

/** All runs as one: sums, no score; what is left at the rate of those that are running. */
export function totalOf(runs: readonly RunState[]): RunState {
  const sum = (of: (run: RunState) => number) => runs.reduce((all, run) => all + of(run), 0);
  const counts = summedCounts(runs.map((run) => run.counts));
  const rates = runs.flatMap(({ rate }) => rate ?? []);
  const rate = rates.length === 0 ? undefined : rates.reduce((all, each) => all + each, 0);
  const begun = runs.filter(({ calls }) => calls > 0);
  const { score: _, requests: __, ...first } = runs[0]!;
  return {
    ...first,
    run: "",
    label: "total",
    status: statusOf(runs),
    preparing: undefined,
    total: sum(({ total }) => total),
    counts,
    calls: sum(({ calls }) => calls),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      estimated: begun.some(({ tokens }) => tokens.estimated),
    },
    // Without a price of one of them there is none of all.
    cost: begun.some(({ cost }) => cost === undefined) ? undefined : sum(({ cost = 0 }) => cost),
    rate,
    left: rate === undefined || rate === 0 ? undefined : (openTasks(counts) / rate) * 60,
  };
}

/** The most urgent one: what is at work, then what waits for a person, then what is over. */
function statusOf(runs: readonly RunState[]): RunState["status"] {
  const order = ["running", "loading", "stopping", "reading", "paused", "partial"] as const;
  const all = new Set(runs.map(({ status }) => status));
  const urgent = order.find((status) => all.has(status));
  if (urgent !== undefined) return urgent;
  if (all.size === 1) return runs[0]!.status;
  return all.has("ready") ? "partial" : "failed";
}
