/** Sums of usage of a task and of a run, updated with each change of a row, because a run may have a hundred thousand rows. */
import type { Failure, Row, TaskUsage, RowTokens } from "../../types.ts";
import { eachInTurn, type Pieces } from "../../work/pieces.ts";
import { LastMinute } from "./last-minute.ts";
import { briefCause, earlyEnding, isUnread } from "./cause-text.ts";
import { taskState } from "./task-counts.ts";

export type Sums = {
  readonly rows: number;
  readonly right: number;
  readonly wrong: number;
  readonly unscored: number;
  readonly failed: number;
  /** Tasks scored early because the next prompt exceeded the model's context. */
  readonly outOfContext: number;
  /** The number of answers that were not read, by reason. */
  readonly unread: Readonly<Record<string, number>>;
  /** The reason of the first failure. */
  readonly failure: Failure | undefined;
  /** Usage of all attempts. Seconds count while any task was running, without pauses between invocations. */
  readonly spent: TaskUsage;
};

/** The sums as stored beside a log. */
export type SavedSums = {
  readonly tally: Readonly<Record<string, number>>;
  /** Absent in files of version 6, whose rows have no causes. */
  readonly unread?: Readonly<Record<string, number>>;
  readonly failed?: { readonly task: string; readonly failure: Failure };
};

export class RunSums {
  #tally = new Tally();
  /** Failed tasks in the order of their failures. */
  #failures = new Map<string, Failure>();
  #unread = new Map<string, number>();
  readonly #ended = new LastMinute();
  /** The output tokens of replies. */
  readonly #replies = new LastMinute();

  /** `before` is undefined for a new row. */
  change(before: Row | undefined, after: Row): void {
    if (before !== undefined) this.#tally.add(before, -1);
    this.#tally.add(after, 1);
    if (before !== undefined) this.#countUnread(before, -1);
    this.#countUnread(after, 1);
    const failure = failureOf(after);
    if (failure === undefined) this.#failures.delete(after.task);
    else this.#failures.set(after.task, failure);
    if (before?.state !== "running") return;
    const { from, to, spent } = after;
    const output = spent.tokens.output - before.spent.tokens.output;
    if (output > 0) this.#replies.add(from, to, output);
    if (after.state !== "running") this.#ended.add(from, to, 1);
  }

  #countUnread(row: Row, sign: 1 | -1): void {
    const why = row.cause !== undefined && isUnread(row) ? briefCause(row.cause) : earlyEnding(row);
    if (why === undefined) return;
    const count = (this.#unread.get(why) ?? 0) + sign;
    if (count > 0) this.#unread.set(why, count);
    else this.#unread.delete(why);
  }

  /**
   * Adds the rows again in their order, because sums of fractions depend on the order. Discards the result if the rows change in
   * the meantime.
   */
  *countAnew(rows: readonly Row[], areThey: () => boolean): Pieces<void> {
    const tally = new Tally();
    yield* eachInTurn(rows, (row) => tally.add(row, 1));
    if (areThey()) this.#tally = tally;
  }

  /** `seconds`: the seconds of the whole run. */
  read(seconds: number): Sums {
    const { rows, right, wrong, unscored, failed, outOfContext, unpriced, estimated, withFailed, ...sums } =
      this.#tally;
    const { calls, toolCalls, retries, cost, input, output, cached, reasoning, failedInput, failedOutput } = sums;
    const tokens = {
      input,
      output,
      estimated: estimated > 0,
      ...(cached === 0 ? {} : { cached }),
      ...(reasoning === 0 ? {} : { reasoning }),
      ...(withFailed === 0 ? {} : { failed: { input: failedInput, output: failedOutput } }),
    };
    const spent = { calls, toolCalls, retries, tokens, cost: unpriced > 0 ? undefined : cost, seconds };
    const failure = this.#failures.values().next().value;
    return {
      rows,
      right,
      wrong,
      unscored,
      failed,
      outOfContext,
      unread: Object.fromEntries(this.#unread),
      failure,
      spent,
    };
  }

  /** Returns the tasks per minute that ended within the last minute; undefined before the first. */
  rate(now = Date.now()): number | undefined {
    return this.#ended.perSecond(now, 60);
  }

  /** Returns the output tokens per second of replies within the last minute; undefined without such replies. */
  speed(now = Date.now()): number | undefined {
    return this.#replies.perSecond(now);
  }

  saved(): SavedSums {
    const [first] = this.#failures;
    return {
      tally: { ...this.#tally },
      unread: Object.fromEntries(this.#unread),
      ...(first === undefined ? {} : { failed: { task: first[0], failure: first[1] } }),
    };
  }

  /** Restores the sums of rows that are read later. */
  restore({ tally, unread = {}, failed }: SavedSums): void {
    this.#unread = new Map(Object.entries(unread));
    this.#tally = new Tally();
    for (const name of Object.keys(this.#tally) as Sum[]) this.#tally[name] = tally[name] ?? 0;
    this.#failures = new Map(failed === undefined ? [] : [[failed.task, failed.failure]]);
  }

  /** Accepts the rows of the restored sums. */
  complete(rows: Iterable<Row>): void {
    for (const row of rows) {
      const failure = failureOf(row);
      if (failure !== undefined) this.#failures.set(row.task, failure);
    }
  }
}

/** The numbers that rows add to and subtract from. */
class Tally {
  rows = 0;
  right = 0;
  wrong = 0;
  unscored = 0;
  failed = 0;
  outOfContext = 0;
  calls = 0;
  toolCalls = 0;
  retries = 0;
  cost = 0;
  /** Number of rows without a price; further fields count rows with estimated tokens and with failed attempts. */
  unpriced = 0;
  estimated = 0;
  withFailed = 0;
  input = 0;
  output = 0;
  cached = 0;
  reasoning = 0;
  failedInput = 0;
  failedOutput = 0;

  add(row: Row, sign: 1 | -1): void {
    this.rows += sign;
    const state = taskState(row, false);
    if (state !== "stopped" && state !== "running" && state !== "waiting") this[state] += sign;
    const { score, failure, spent } = row;
    if (score !== undefined && failure?.kind === "context") this.outOfContext += sign;
    this.calls += sign * spent.calls;
    this.toolCalls += sign * spent.toolCalls;
    this.retries += sign * spent.retries;
    if (spent.cost === undefined) this.unpriced += sign;
    else this.cost += sign * spent.cost;
    const { input, output, estimated, cached = 0, reasoning = 0, failed } = spent.tokens;
    this.input += sign * input;
    this.output += sign * output;
    if (estimated) this.estimated += sign;
    this.cached += sign * cached;
    this.reasoning += sign * reasoning;
    if (failed === undefined) return;
    this.withFailed += sign;
    this.failedInput += sign * failed.input;
    this.failedOutput += sign * failed.output;
  }
}

type Sum = Exclude<keyof Tally, "add">;

const failureOf = (row: Row): Failure | undefined => (taskState(row, false) === "failed" ? row.failure : undefined);

export const noUsage: TaskUsage = {
  calls: 0,
  toolCalls: 0,
  retries: 0,
  tokens: { input: 0, output: 0, estimated: false },
  cost: 0,
  seconds: 0,
};

export function sumUsage(one: TaskUsage, more: Partial<TaskUsage>): TaskUsage {
  const { tokens = noUsage.tokens, seconds = 0 } = more;
  const cost = "cost" in more ? more.cost : 0;
  return {
    calls: one.calls + (more.calls ?? 0),
    toolCalls: one.toolCalls + (more.toolCalls ?? 0),
    retries: one.retries + (more.retries ?? 0),
    tokens: sumTokens(one.tokens, tokens),
    cost: one.cost === undefined || cost === undefined ? undefined : one.cost + cost,
    // Rounded to whole milliseconds, so that sums of many parts equal the whole.
    seconds: (Math.round(one.seconds * 1000) + Math.round(seconds * 1000)) / 1000,
  };
}

/** Counts absent from both stay absent. */
function sumTokens(one: RowTokens, more: RowTokens): RowTokens {
  const cached = (one.cached ?? 0) + (more.cached ?? 0);
  const reasoning = (one.reasoning ?? 0) + (more.reasoning ?? 0);
  const failed = {
    input: (one.failed?.input ?? 0) + (more.failed?.input ?? 0),
    output: (one.failed?.output ?? 0) + (more.failed?.output ?? 0),
  };
  return {
    input: one.input + more.input,
    output: one.output + more.output,
    estimated: one.estimated || more.estimated,
    ...(cached === 0 ? {} : { cached }),
    ...(reasoning === 0 ? {} : { reasoning }),
    ...(one.failed === undefined && more.failed === undefined ? {} : { failed }),
  };
}

/** Returns the tokens including failed attempts, as the line of a run shows them. */
export function tokensOfRun({ failed, ...tokens }: RowTokens) {
  return { ...tokens, ...(failed === undefined ? {} : { failed: failed.input + failed.output }) };
}
