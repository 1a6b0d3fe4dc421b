/** The share of a fork's continuations that succeeded, compared with the original. Repeats count together. */
import { verdictOf } from "../../log/rows/verdict.ts";
import { alikeRepeats, cannotDiffer } from "../../session/alike-replies.ts";
import { type Interval, wilson } from "../../statistics/interval.ts";
import type { Row, RunSpec } from "../../types.ts";

export type ForkShare = {
  /** The label of the repeats, which is empty unless the cell has several groups of repeats. */
  readonly label: string;
  readonly repeats: number;
  readonly right: number;
  /** Continuations with a score. */
  readonly n: number;
  /** Wilson's 95 % interval; absent if the replies cannot differ, or without a score. */
  readonly interval?: Interval;
  readonly cannotDiffer: boolean;
  readonly original: "right" | "wrong" | undefined;
};

type ForkRun = {
  readonly label: string;
  readonly pool: string | undefined;
  readonly spec: RunSpec;
  readonly row: (task: string) => Row | undefined;
};

/**
 * Returns a share for each group of at least two repeats; empty for other runs. `original` is the row of the original, if it is
 * known.
 */
export function forkShares(runs: readonly ForkRun[], original: (spec: RunSpec) => Row | undefined): ForkShare[] {
  const repeated = runs.filter(({ spec, pool }) => spec.fork !== undefined && pool !== undefined);
  return [...Map.groupBy(repeated, ({ pool }) => pool!)].flatMap(([label, group]) => {
    const [{ spec }] = group as [ForkRun];
    const { task } = spec.fork!;
    const verdicts = group.map(({ row }) => verdictOf((row(task) ?? row(task.replace(/@\d+$/, "")))?.score));
    const right = verdicts.filter((each) => each === "right").length;
    const n = right + verdicts.filter((each) => each === "wrong").length;
    const alike = cannotDiffer(spec);
    const interval = alike ? undefined : wilson(right, n);
    const before = verdictOf(original(spec)?.score);
    return {
      label: group.length === repeated.length ? "" : label,
      repeats: group.length,
      right,
      n,
      ...(interval && { interval }),
      cannotDiffer: alike,
      original: before === "unscored" ? undefined : before,
    };
  });
}

/** Describes a share in one line, such as `6 of 10 right: 60 % [31, 83]; the original: wrong`. */
export function forkShareText({
  label,
  repeats,
  right,
  n,
  interval,
  cannotDiffer: alike,
  original,
}: ForkShare): string {
  const percent = (share: number) => (share * 100).toFixed(0);
  const of = n < repeats ? `${n} (of ${repeats})` : `${n}`;
  const share = n === 0 ? undefined : `${right} of ${of} right`;
  const ends = interval && `: ${percent(right / n)} % [${percent(interval.low)}, ${percent(interval.high)}]`;
  const texts = [
    ...(share === undefined ? [] : [`${share}${ends ?? ""}`]),
    ...(alike ? [alikeRepeats(repeats)] : []),
    ...(share === undefined || original === undefined ? [] : [`the original: ${original}`]),
  ];
  return texts.length === 0 ? "" : `${label === "" ? "" : `${label}: `}${texts.join("; ")}`;
}

/**
 * Returns the number of repeats of forks of many tasks whose replies cannot differ, among the unfinished runs of a cell; undefined if
 * there are none. Built-in models are left out, because nobody expects theirs to differ.
 */
export function alikeForks(runs: readonly { readonly spec: RunSpec; readonly status: string }[]): number | undefined {
  const alike = runs.filter(
    ({ spec, status }) =>
      spec.forks !== undefined && status !== "done" && !spec.model.startsWith("builtin/") && cannotDiffer(spec),
  );
  const repeats = new Set(alike.map(({ spec }) => spec.trial)).size;
  return repeats > 1 ? repeats : undefined;
}
