/** The sums shown while a run is running, computed once per change of its rows. */
import type { RowTable } from "./rows.ts";
import type { Failure, Row, TaskUsage } from "../types.ts";
import { noUsage, sumUsage } from "./task-usage.ts";
import { verdictOf } from "./verdict.ts";

export type Sums = {
  readonly rows: number;
  readonly right: number;
  readonly wrong: number;
  readonly unscored: number;
  readonly failed: number;
  /** Scored as they stood when the next prompt was longer than the model's context. */
  readonly outOfContext: number;
  /** Why the first of those that failed did. */
  readonly failure: Failure | undefined;
  /** Of every attempt. Its seconds are those in which any task was being executed, without the pauses between invocations. */
  readonly spent: TaskUsage;
};

/** Seconds of the past that the rate is taken over. */
const window = 60;

export class RunProgress {
  readonly #table: RowTable;
  #for: readonly Row[] | undefined;
  #sums: Sums | undefined;

  constructor(table: RowTable) {
    this.#table = table;
  }

  sums(): Sums {
    const rows = this.#table.rows();
    if (rows !== this.#for || this.#sums === undefined) {
      this.#for = rows;
      this.#sums = sumsOf(rows, this.#table.used.seconds);
    }
    return this.#sums;
  }

  /** Tasks a minute that ended within the last minute; undefined before the first. */
  rate(now = Date.now()): number | undefined {
    let first = now;
    let count = 0;
    for (const row of this.#table.rows()) {
      if (row.state === "running" || now - row.to > window * 1000) continue;
      count += 1;
      first = Math.min(first, row.from);
    }
    if (count === 0) return undefined;
    return (count / Math.min(window, Math.max(0.5, (now - first) / 1000))) * 60;
  }
}

function sumsOf(rows: readonly Row[], seconds: number): Sums {
  const sums = { rows: rows.length, right: 0, wrong: 0, unscored: 0, failed: 0, outOfContext: 0 };
  let failure: Failure | undefined;
  let spent = noUsage;
  for (const row of rows) {
    if (row.state === "scored") sums[verdictOf(row.score)] += 1;
    else if (row.state === "failed" && row.failure?.kind !== "stopped") {
      sums.failed += 1;
      failure ??= row.failure;
    }
    if (row.state === "scored" && row.failure?.kind === "context") sums.outOfContext += 1;
    spent = sumUsage(spent, row.spent);
  }
  return { ...sums, failure, spent: { ...spent, seconds } };
}
