/**
 * Splits the variance of values by unit x level x repeat: by task, by its wording (or any other variant), by both together, and
 * by sampling. Random effects by analysis of variance (Searle, Casella and McCulloch 1992, chapter 4); with unequal repeats by
 * unweighted cell means.
 */
import { clusterBootstrap } from "./cluster-bootstrap.ts";
import type { Interval } from "./interval.ts";

/** One value of a unit (a task) at a level (a wording); several values of the same two are repeats. */
export type LevelValue = { readonly unit: string; readonly level: string; readonly value: number };

/** An estimate that is at least 0, with its 95 % interval by resampling units; without an interval if there are too few units. */
export type SpreadEstimate = { readonly value: number; readonly interval: Interval | undefined };

export type VarianceSplit = {
  /** Units with values at every level; only these are used. */
  readonly units: number;
  /** Units that lack a level. */
  readonly left: number;
  /** The mean of each level over the units. */
  readonly levels: readonly { readonly level: string; readonly mean: number }[];
  /**
   * Variances of a value. `both`: the interaction, by which a level is better for some units than for others. If the sampling
   * variance is unknown, `both` includes it.
   */
  readonly variance: {
    readonly unit: SpreadEstimate;
    readonly level: SpreadEstimate;
    readonly both: SpreadEstimate;
    readonly sampling: SpreadEstimate | undefined;
  };
  /**
   * Standard deviations of a mean over all units: from one level to another beyond sampling, and from one repeat to another of
   * the same level. If the sampling variance is unknown, the first includes it.
   */
  readonly spread: { readonly level: SpreadEstimate; readonly sampling: SpreadEstimate | undefined };
  /** The reason why the sampling variance is unknown; absent if it is known. */
  readonly unknown?: "there is only one repeat" | "all repeats are equal";
};

/** Returns the split; undefined with fewer than two levels, or with fewer than two units that have all levels. */
export function varianceSplit(values: readonly LevelValue[], seed: number | string = 0): VarianceSplit | undefined {
  const levels = [...new Set(values.map(({ level }) => level))];
  const units = [...Map.groupBy(values, ({ unit }) => unit).values()].map((own) =>
    levels.map((level) => own.flatMap((each) => (each.level === level ? [each.value] : []))),
  );
  const whole = units.filter((cells) => cells.every((cell) => cell.length > 0));
  if (levels.length < 2 || whole.length < 2) return undefined;
  const clusters = whole.map(sumsOf);
  const sums = clusters.reduce((one, other) => one.map((sum, at) => sum + other[at]!));
  const { freedom, within } = partsOf(sums, levels.length);
  const unknown = freedom === 0 ? "there is only one repeat" : within === 0 ? "all repeats are equal" : undefined;
  const estimate = (of: (parts: Parts) => number): SpreadEstimate => {
    const statistic = (drawn: readonly number[]) => Math.max(0, of(partsOf(drawn, levels.length)));
    return { value: statistic(sums), interval: clusterBootstrap(clusters, statistic, seed) };
  };
  const ifKnown = (of: (parts: Parts) => number) => (unknown === undefined ? estimate(of) : undefined);
  const root = (of: (parts: Parts) => number) => (parts: Parts) => Math.sqrt(Math.max(0, of(parts)));
  return {
    units: whole.length,
    left: units.length - whole.length,
    levels: levels.map((level, at) => ({ level, mean: sums[at]! / whole.length })),
    variance: {
      unit: estimate(({ ofUnits, ofBoth }) => (ofUnits - ofBoth) / levels.length),
      level: estimate(({ ofLevels, ofBoth, count }) => (ofLevels - ofBoth) / count),
      both: estimate(({ ofBoth, noise }) => ofBoth - noise),
      sampling: ifKnown(({ sampling }) => sampling),
    },
    spread: {
      level: estimate(root(({ ofLevels, noise, count }) => (ofLevels - noise) / count)),
      sampling: ifKnown(root(({ sampling, count }) => sampling / count)),
    },
    ...(unknown !== undefined && { unknown }),
  };
}

/**
 * Returns the quantities that are added over units: the means at each level, their squares together, the square of their sum, the
 * squares within repeats and their degrees of freedom, the reciprocals of the numbers of repeats, and the count.
 */
function sumsOf(cells: readonly (readonly number[])[]): readonly number[] {
  const means = cells.map(mean);
  const sum = means.reduce((one, other) => one + other, 0);
  const within = cells.map((cell, at) => cell.reduce((squares, value) => squares + (value - means[at]!) ** 2, 0));
  return [
    ...means,
    means.reduce((squares, each) => squares + each * each, 0),
    sum * sum,
    within.reduce((one, other) => one + other, 0),
    cells.reduce((freedom, cell) => freedom + cell.length - 1, 0),
    cells.reduce((reciprocals, cell) => reciprocals + 1 / cell.length, 0),
    1,
  ];
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean squares of the cells' means, and the variance between repeats. */
type Parts = {
  readonly ofUnits: number;
  readonly ofLevels: number;
  readonly ofBoth: number;
  readonly within: number;
  readonly freedom: number;
  /** The variance of one value. */
  readonly sampling: number;
  /** The variance of the mean of a cell by sampling alone. */
  readonly noise: number;
  readonly count: number;
};

function partsOf(sums: readonly number[], levels: number): Parts {
  const [squares, ofSums, within, freedom, reciprocals, count] = sums.slice(levels) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const byLevel = sums.slice(0, levels);
  const all = byLevel.reduce((sum, each) => sum + each, 0);
  const correction = (all * all) / (levels * count);
  const units = ofSums / levels - correction;
  const ofLevel = byLevel.reduce((sum, each) => sum + each * each, 0) / count - correction;
  const both = squares - correction - units - ofLevel;
  const sampling = freedom === 0 ? 0 : within / freedom;
  return {
    ofUnits: units / (count - 1),
    ofLevels: ofLevel / (levels - 1),
    ofBoth: both / ((levels - 1) * (count - 1)),
    within,
    freedom,
    sampling,
    noise: (sampling * reciprocals) / (levels * count),
    count,
  };
}
