/** Compares two runs task by task; a run may have hundreds of thousands of tasks. */
import { comparePaired, type Comparison } from "../../engine/statistics/paired.ts";
import type { Row } from "../../engine/types.ts";
import { eachInTurn, inSlices, type Pieces } from "../../engine/work/pieces.ts";

/** `missing` means that a score of either run is missing. */
type Change = "better" | "worse" | "same" | "missing";
export type Pair = {
  readonly task: string;
  readonly question: string;
  readonly first: Row | undefined;
  readonly second: Row | undefined;
  readonly change: Change;
};

export type ComparedRuns = {
  /** In the order of the first run. */
  readonly all: readonly Pair[];
  /** The tasks that score better or worse in the second run. */
  readonly differing: readonly Pair[];
  readonly better: number;
  readonly worse: number;
  /** Mean scores, from 0 to 1, over the tasks scored in both; undefined if there are none. */
  readonly means: readonly [number | undefined, number | undefined];
  /** The test that suits these scores, over the tasks scored in both. */
  readonly test: Comparison;
};

/** Compares the second run with the first: `better` means that the second scores higher. */
export function* comparedRuns(first: readonly Row[], second: readonly Row[]): Pieces<ComparedRuns> {
  const others = new Map<string, Row>();
  yield* eachInTurn(second, (row) => others.set(row.task, row));
  const known = new Set<string>();
  const pairs = yield* inSlices(first, (slice) =>
    slice.map((row) => {
      known.add(row.task);
      return pairOf(row, others.get(row.task));
    }),
  );
  const left = yield* inSlices(second, (slice) =>
    slice.filter(({ task }) => !known.has(task)).map((row) => pairOf(undefined, row)),
  );
  const all = left.length === 0 ? pairs : pairs.concat(left);
  const differing: Pair[] = [];
  const [before, after]: [number[], number[]] = [[], []];
  const sums: [number, number] = [0, 0];
  let better = 0;
  yield* eachInTurn(all, (pair) => {
    const [one, other] = [pair.first?.score?.value, pair.second?.score?.value];
    if (one === undefined || other === undefined) return;
    before.push(one);
    after.push(other);
    sums[0] += one;
    sums[1] += other;
    if (pair.change === "same") return;
    differing.push(pair);
    if (pair.change === "better") better += 1;
  });
  const mean = (sum: number) => (before.length === 0 ? undefined : sum / before.length);
  return {
    all,
    differing,
    better,
    worse: differing.length - better,
    means: [mean(sums[0]), mean(sums[1])],
    test: comparePaired(before, after, "compare"),
  };
}

function pairOf(first: Row | undefined, second: Row | undefined): Pair {
  const { task, question } = (first ?? second)!;
  const one = first?.score?.value;
  const other = second?.score?.value;
  const change =
    one === undefined || other === undefined ? "missing" : other > one ? "better" : other < one ? "worse" : "same";
  return { task, question, first, second, change };
}
