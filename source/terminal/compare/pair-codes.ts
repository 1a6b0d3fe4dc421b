/** The user's own kinds of tasks in two runs, and the choice of the tasks that are shown. */
import { codesText } from "../../engine/log/rows/row-notes.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Row } from "../../engine/types.ts";

/** A task in two runs; a run that has not started it has no row. */
type RowPair = { readonly first: Row | undefined; readonly second: Row | undefined };

/** The tasks shown: tasks whose scores differ, all tasks, all tasks with codes, or tasks with one of the user's own kinds. */
export type PairFilter = "differing" | "all" | "tagged" | { readonly kind: string };

const texts = {
  differing: "only tasks whose score differs",
  all: "all tasks of both runs",
  tagged: "only tagged tasks",
} as const;

export const pairFilterText = (filter: PairFilter): string =>
  typeof filter === "string" ? texts[filter] : `only tasks tagged ${printable(filter.kind)}`;

export const givenCodes = (row: Row | undefined): readonly string[] => row?.codes?.given ?? [];

/** Returns the codes of a task in both runs, as one text if they are the same. */
export function codesBeside({ first, second }: RowPair): string {
  const [one, other] = [first, second].map((row) => printable(codesText(givenCodes(row))));
  if (one === other) return one!;
  return [one === "" ? "" : `1: ${one}`, other === "" ? "" : `2: ${other}`].filter(Boolean).join("  ");
}

/** Returns the tasks that a filter shows. */
export function filteredPairs<Pair extends RowPair>(
  { all, differing }: { readonly all: readonly Pair[]; readonly differing: readonly Pair[] },
  filter: PairFilter,
): readonly Pair[] {
  if (filter === "differing") return differing;
  if (filter === "all") return all;
  const isWanted = (row: Row | undefined) =>
    filter === "tagged" ? givenCodes(row).length > 0 : givenCodes(row).includes(filter.kind);
  return all.filter(({ first, second }) => isWanted(first) || isWanted(second));
}

/** Returns the filter after this one. Filters of codes come last, if there are codes, with kinds sorted by name. */
export function nextPairFilter(filter: PairFilter, all: readonly RowPair[]): PairFilter {
  const kinds = new Set<string>();
  for (const { first, second } of all)
    for (const row of [first, second]) for (const kind of givenCodes(row)) kinds.add(kind);
  const named = [...kinds].toSorted().map((kind) => ({ kind }));
  const filters: readonly PairFilter[] = [
    "differing",
    "all",
    ...(named.length > 0 ? ["tagged" as const] : []),
    ...named,
  ];
  const at = filters.findIndex((each) => pairFilterText(each) === pairFilterText(filter));
  return filters[(at + 1) % filters.length]!;
}
