/**
 * Executes the tasks of several runs in one seeded order, each task in all runs before the next, tests after each task, and ends
 * the runs when every comparison is decided. The tests are valid after every task (`statistics/sequential-test.ts`).
 */
import type { RunEnding } from "../log/rows/rows.ts";
import { wasStopped } from "../problem.ts";
import { alwaysValidP, SequentialSignTest } from "../statistics/sequential-test.ts";
import type { Row } from "../types.ts";

/** True if one side is better than the other; a side is a run, or the runs of its repeats. */
export type PairedSides = {
  readonly label: string;
  /** Names of the sides, and their runs. */
  readonly sides: readonly [PairedSide, PairedSide];
  /** Returns the value of one row; undefined if it has no value. */
  each(row: Row): number | undefined;
};

type PairedSide = { readonly name: string; readonly runs: readonly string[] };

export type InterleavedOptions = {
  /** Ids of the tasks, in an order that does not depend on results. */
  readonly order: readonly string[];
  /** Returns the row of a task, by the id of the run. */
  readonly runs: ReadonlyMap<string, (task: string) => Row | undefined>;
  readonly comparisons: readonly PairedSides[];
  /** The probability that any comparison is decided although there is no difference. If absent, 5 %. */
  readonly alpha?: number;
};

const isEnded = (row: Row | undefined): row is Row =>
  row !== undefined && (row.state === "scored" || (row.state === "failed" && !wasStopped(row.failure)));

export class InterleavedTasks {
  readonly #options: InterleavedOptions;
  readonly #places: ReadonlyMap<string, number>;
  readonly #tests: readonly SequentialSignTest[];
  readonly #looks = new Set<() => void>();
  /**
   * Number of tasks that have ended in all runs, and number of tasks that the tests have processed, counted from the first in
   * the order.
   */
  #ended = 0;
  #tested = 0;
  #ending: RunEnding | undefined;

  constructor(options: InterleavedOptions) {
    this.#options = options;
    this.#places = new Map(options.order.map((task, at) => [task, at]));
    const { comparisons, alpha = 0.05 } = options;
    this.#tests = comparisons.map(() => new SequentialSignTest(alpha / comparisons.length));
    this.#advance();
  }

  /** Returns the place of a task in the order. */
  placeOf(task: string): number {
    return this.#places.get(task) ?? this.#options.order.length;
  }

  /**
   * True if a run with this concurrency may start the task; no run may be ahead of the others by more tasks than its concurrency.
   */
  mayStart(task: string, concurrency: number): boolean {
    return this.#ending === undefined && this.placeOf(task) < this.#ended + concurrency;
  }

  /** The reason why no further task is needed; undefined while tasks are needed. */
  get ending(): RunEnding | undefined {
    return this.#ending;
  }

  /** Calls `look` when a further task may start, or when no further task is needed. Returns a function that stops these calls. */
  join(look: () => void): () => void {
    this.#looks.add(look);
    return () => void this.#looks.delete(look);
  }

  /** Takes the rows of a task that has ended in a run. */
  taskEnded(): void {
    this.#advance();
    for (const look of this.#looks) look();
  }

  /** Ends the other runs if this run ended before its tasks, for any reason, because no further comparison is possible. */
  runEnded(run: string, ended: RunEnding | undefined): void {
    const { order, runs } = this.#options;
    if (this.#ending !== undefined || order.every((task) => isEnded(runs.get(run)?.(task)))) return;
    const message = `The other run of the comparison ended${ended?.message === undefined ? "" : `: ${ended.message}`}`;
    this.#ending = { reason: "stopped", message, ...(ended?.rule !== undefined && { rule: ended.rule }) };
    for (const look of this.#looks) look();
  }

  #advance(): void {
    const { order } = this.#options;
    const rowsAt = (at: number) => new Map([...this.#options.runs].map(([run, rowOf]) => [run, rowOf(order[at]!)]));
    while (this.#ended < order.length && [...rowsAt(this.#ended).values()].every(isEnded)) this.#ended += 1;
    while (this.#tested < order.length && this.#ending === undefined) {
      const rows = rowsAt(this.#tested);
      // Results that came early are held until all tasks before theirs are there.
      if (![...rows.values()].every((row) => row?.state === "scored")) break;
      this.#tested += 1;
      for (const [at, comparison] of this.#options.comparisons.entries()) take(this.#tests[at]!, comparison, rows);
      if (this.#tests.every(({ result }) => result.stop !== undefined)) this.#ending = this.#decided();
    }
    if (this.#ended === order.length) this.#ending ??= { reason: "done", message: `undecided ${this.#verdicts()}` };
  }

  #decided(): RunEnding {
    const { order, runs } = this.#options;
    const all = order.length * runs.size;
    let open = 0;
    for (const rowOf of runs.values()) for (const task of order) if (rowOf(task) === undefined) open += 1;
    const saved = open === 0 ? "" : `; ${Math.floor((open / all) * 100)} % of the calls saved`;
    return { reason: "stopped", rule: "decided", message: `decided ${this.#verdicts()}${saved}` };
  }

  /** Returns the verdicts so far: `after 54 of 500: a better than b, 12 to 2, anytime-valid p 0.031`. */
  #verdicts(): string {
    const { comparisons, order } = this.#options;
    const texts = comparisons.map(({ label, sides: [one, other] }, at) => {
      const { result } = this.#tests[at]!;
      const p = alwaysValidP(result);
      const [more, less] = result.atStop ?? [result.wins, result.losses];
      const [best, worst] = result.decision === "b" ? [other, one] : [one, other];
      const counts = result.decision === "b" ? `${less} to ${more}` : `${more} to ${less}`;
      const verdict = result.decision === undefined ? "not decided" : `${best.name} better than ${worst.name}`;
      return `${label === "" ? "" : `${label}: `}${verdict}, ${counts}, anytime-valid p ${shownP(p)}`;
    });
    return `after ${this.#tested} of ${order.length}: ${texts.join("; ")}`;
  }
}

const shownP = (p: number) => (p < 0.0001 ? "<0.0001" : p.toFixed(4));

/**
 * Passes a task's scores to the tests. Repeats of a task count as one score, their mean. A task without a value on one side
 * changes nothing.
 */
function take(
  test: SequentialSignTest,
  { sides, each }: PairedSides,
  rows: ReadonlyMap<string, Row | undefined>,
): void {
  const [one, other] = sides.map(({ runs }) => {
    const values = runs.map((run) => each(rows.get(run)!));
    return values.some((value) => value === undefined)
      ? undefined
      : values.reduce<number>((sum, value) => sum + value!, 0) / values.length;
  });
  const isCompared = one !== undefined && other !== undefined;
  // Means of the same numbers in another order differ in their last bits.
  const isEqual = !isCompared || Math.abs(one - other) < 1e-12;
  test.take(isEqual ? 0 : one, isEqual ? 0 : other);
}
