import type { Row } from "../../engine/types.ts";

/** `missing` where a score of either run is missing. */
export type Change = "better" | "worse" | "same" | "missing";
export type Pair = {
  readonly task: string;
  readonly question: string;
  readonly first: Row | undefined;
  readonly second: Row | undefined;
  readonly change: Change;
};

/** Two runs task by task, in the order of the first. `better` and `worse` say how the second compares with the first. */
export function pairRows(first: readonly Row[], second: readonly Row[]): Pair[] {
  const others = new Map(second.map((row) => [row.task, row]));
  const pairs = first.map((row): Pair => pairOf(row, others.get(row.task)));
  const known = new Set(first.map(({ task }) => task));
  return [...pairs, ...second.filter(({ task }) => !known.has(task)).map((row) => pairOf(undefined, row))];
}

function pairOf(first: Row | undefined, second: Row | undefined): Pair {
  const { task, question } = (first ?? second)!;
  const one = first?.score?.value;
  const other = second?.score?.value;
  const change =
    one === undefined || other === undefined ? "missing" : other > one ? "better" : other < one ? "worse" : "same";
  return { task, question, first, second, change };
}
