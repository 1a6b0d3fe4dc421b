/** The sums shown while a run is running, computed once per change of its rows. */
import type { RowTable } from "./rows.ts";
import type { Failure, Row } from "../types.ts";
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
  readonly calls: number;
  readonly retries: number;
  readonly input: number;
  readonly output: number;
  readonly estimated: boolean;
  /** How many of `output` were thinking, and of `input` in the server's cache, as far as servers say so. */
  readonly reasoning: number;
  readonly cached: number;
  /** Input and output of failed attempts; not among the others. */
  readonly failedTokens: number;
  readonly cost: number | undefined;
  readonly seconds: number;
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
      this.#sums = sumsOf(rows);
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

function sumsOf(rows: readonly Row[]): Sums {
  const sums = {
    rows: rows.length,
    right: 0,
    wrong: 0,
    unscored: 0,
    failed: 0,
    outOfContext: 0,
    calls: 0,
    retries: 0,
    input: 0,
    output: 0,
    reasoning: 0,
    cached: 0,
    failedTokens: 0,
  };
  let failure: Failure | undefined;
  let estimated = false;
  let cost: number | undefined = 0;
  const spans: [number, number][] = [];
  for (const row of rows) {
    if (row.state === "scored") sums[verdictOf(row.score)] += 1;
    else if (row.state === "failed" && row.failure?.kind !== "stopped") {
      sums.failed += 1;
      failure ??= row.failure;
    }
    if (row.state === "scored" && row.failure?.kind === "context") sums.outOfContext += 1;
    sums.calls += row.calls;
    sums.retries += row.retries;
    sums.input += row.tokens.input;
    sums.output += row.tokens.output;
    sums.reasoning += row.tokens.reasoning ?? 0;
    sums.cached += row.tokens.cached ?? 0;
    sums.failedTokens += (row.tokens.failed?.input ?? 0) + (row.tokens.failed?.output ?? 0);
    estimated ||= row.tokens.estimated;
    cost = cost === undefined || row.cost === undefined ? undefined : cost + row.cost;
    spans.push([row.from, row.to]);
  }
  return { ...sums, failure, estimated, cost, seconds: covered(spans) / 1000 };
}

/** Length of the union of spans: running time, without the pauses between invocations. */
function covered(spans: [number, number][]): number {
  spans.sort((a, b) => a[0] - b[0]);
  let sum = 0;
  let end = -Infinity;
  for (const [from, to] of spans) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}
