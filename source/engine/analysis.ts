/** A question put to rows, answered with figures. */
import type { Clusters } from "./clusters.ts";
import type { Figure, TableFigure } from "./figure.ts";
import type { PaperNumbers, Suite } from "./suite.ts";
import type { Row, RunSpec } from "./types.ts";

/** One run as an analysis sees it. */
export type RunRows = {
  readonly run: string;
  /** Shortest text that tells it from the others it is analysed with, such as `hierarchical` or `gpt-4o, 3 shots`. */
  readonly label: string;
  readonly spec: RunSpec;
  readonly suite: Suite;
  readonly rows: readonly Row[];
  /** True if nobody executes it: tasks that have begun and not ended were stopped. */
  readonly isAtRest?: boolean;
  readonly reported: PaperNumbers;
  readonly warnings: readonly string[];
  /** What every figure of it says, beside what follows from its settings and rows; absent: nothing. */
  readonly notes?: readonly string[];
  /** The toolkits it works with, once they are made; undefined for runs without toolkits. */
  readonly clusters?: Clusters;
  /** True while they are being made. */
  readonly clustersLoading?: boolean;
  /** What the tasks of its split are like; undefined until they are read, and where the suite has nothing to say. */
  readonly statistics?: TableFigure;
  /** True when any of its models reads the answer key. */
  readonly readsAnswerKey: boolean;
};

/** A choice of several values at once. */
export type ListChoice = {
  readonly values: readonly string[];
  /** What holds where nothing is chosen. */
  readonly standard: readonly string[];
  /** Values that are chosen alone, such as `all`. */
  readonly alone?: readonly string[];
  /** How many may be chosen. */
  readonly most?: number;
};

/** A question put to the rows. */
export type Analysis<Run extends RunRows = RunRows> = {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  /** Shows toolkits: `clusters` of the runs is filled in for it, where their suite has toolkits. */
  readonly needsClusters?: boolean;
  /** Shows what the tasks are like: `statistics` of the runs is filled in for it. */
  readonly needsStatistics?: boolean;
  /** Choices the analysis offers for these runs, each with its possible values; the first is the default. */
  choices(runs: readonly Run[]): Readonly<Record<string, readonly string[]>>;
  /** Choices of several values, in the order they are to be shown. */
  lists?(runs: readonly Run[]): Readonly<Record<string, ListChoice>>;
  /** What values of its own are called in words, where people choose them. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Why there is nothing to show, as shown on the screen; undefined when there is. */
  missing?(runs: readonly Run[]): string | undefined;
  compute(
    runs: readonly Run[],
    chosen: Readonly<Record<string, string>>,
    listed?: Readonly<Record<string, readonly string[]>>,
  ): readonly Figure[];
  /** Passed over: before, how figures of many rows were worked out with pauses. */
  readonly computeInPieces?: unknown;
};
