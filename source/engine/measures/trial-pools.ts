/** Runs that differ in their trial alone, taken together: what repeats of one run add up to. */
import type { RunRows } from "../analysis.ts";
import type { Suite } from "../suite.ts";
import type { Row, RunSpec } from "../types.ts";
import { endedRowsOf } from "./measure-cell.ts";
import { rowContents } from "./row-contents.ts";

export type TrialPool = {
  readonly label: string;
  readonly suite: Suite;
  readonly spec: RunSpec;
  /** Rows that came to an end, of all trials. */
  readonly rows: readonly Row[];
  /** The same by trial: each run is one. */
  readonly trials: readonly (readonly Row[])[];
};

/** Pools in the order of their first runs. Runs without a model, of answers made elsewhere, stay apart. */
export function trialPools(runs: readonly RunRows[]): readonly TrialPool[] {
  return pooled(runs).map((pool) => {
    const { label, suite, spec } = pool[0]!;
    const rows = endedRowsOf(pool);
    const trials = [...Map.groupBy(rows, ({ run }) => run).values()];
    return { label: pool.length === 1 ? label : withoutTrial(label, spec), suite, spec, rows, trials };
  });
}

/** Whether any pool has several trials that came to an end. */
export function hasRepeats(runs: readonly RunRows[]): boolean {
  const ended = (pool: readonly RunRows[]) => new Set(pool.flatMap(({ rows }) => [...rowContents(rows).endedRuns]));
  return pooled(runs).some((pool) => ended(pool).size > 1);
}

function pooled(runs: readonly RunRows[]): readonly (readonly RunRows[])[] {
  const keyOf = ({ spec, label }: RunRows) =>
    JSON.stringify([{ ...spec, trial: 0 }, spec.model === "none" ? label : cellOf(label)]);
  return [...Map.groupBy(runs, keyOf).values()];
}

/** Labels of runs of several cells start with the cell's name. */
const cellOf = (label: string) => (label.includes(": ") ? label.slice(0, label.indexOf(": ")) : "");

function withoutTrial(label: string, { model, trial }: RunSpec): string {
  const cell = cellOf(label);
  const rest = (cell === "" ? label : label.slice(cell.length + 2))
    .split(", ")
    .filter((part) => part !== `trial ${trial}`)
    .join(", ");
  if (rest === "") return cell === "" ? model : cell;
  return cell === "" ? rest : `${cell}: ${rest}`;
}
