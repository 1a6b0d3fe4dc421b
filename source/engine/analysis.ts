/** A question put to rows, answered with figures. */
import type { Clusters } from "./clusters.ts";
import type { Figure, TableFigure } from "./figure.ts";
import type { PaperNumbers, Suite } from "./suite.ts";
import type { Codebook, Row, RunSpec, Score, TaskRef } from "./types.ts";

/** Scores of a suite's trivial answers to the tasks of a split, beside which results are read. */
export type RunFloors = {
  readonly floors: readonly {
    readonly name: string;
    /** True if it is picked from the answers of other tasks. */
    readonly readsAnswerKey?: true;
    /** By task; equal scores are one object. */
    readonly scores: ReadonlyMap<string, Score>;
  }[];
  /** Trivial answers without any score, because only a judge could give one. */
  readonly unscored: readonly string[];
};

/** A run of which some tasks have no score yet. */
export type UnfinishedRun = {
  /** The number of all its tasks. */
  readonly of: number;
  /** `seeded`: they are asked in an order that does not depend on them, so that intervals may be looked at any time. */
  readonly order: "seeded" | "file";
};

/** One run, as input of an analysis. */
export type RunRows = {
  readonly run: string;
  /** Shortest label that distinguishes the run from the others in the analysis, such as `hierarchical` or `gpt-4o, 3 shots`. */
  readonly label: string;
  readonly spec: RunSpec;
  readonly suite: Suite;
  readonly rows: readonly Row[];
  /** True if nothing executes the run now, so tasks that began without ending were stopped. */
  readonly isAtRest?: boolean;
  /** True if the tasks that are left are not needed. */
  readonly isDecided?: true;
  readonly reported: PaperNumbers;
  readonly warnings: readonly string[];
  /** All kinds and codes of the session; absent if it has none. */
  readonly codes?: Codebook;
  /** Notes added to every figure of the run, besides those from its settings and rows. */
  readonly notes?: readonly string[];
  /** The run's toolkits once they are made; undefined for runs without toolkits. */
  readonly clusters?: Clusters;
  /** True while the toolkits are being made. */
  readonly clustersLoading?: boolean;
  /** Statistics of the tasks in the split; undefined until they are read, or if the suite has none. */
  readonly statistics?: TableFigure | readonly TableFigure[];
  /** The order of an unfinished run; absent if it is finished, or while its tasks are not known. */
  readonly unfinished?: UnfinishedRun;
  /** Scores of trivial answers to the same tasks; undefined until they are known. */
  readonly floors?: RunFloors;
  /** Answers as texts, by `answerKey`; undefined until they are read. Long ones are cut. */
  readonly answers?: ReadonlyMap<string, string>;
  /** Their whole lengths in characters. */
  readonly answerLengths?: ReadonlyMap<string, number>;
  /** True when any of its models reads the answer key. */
  readonly readsAnswerKey: boolean;
};

/** Returns the key of a task's answer: runs pooled into one have equal tasks. */
export const answerKey = ({ run, task }: TaskRef): string => `${run} ${task}`;

/** A choice of several values at once. */
export type ListChoice = {
  readonly values: readonly string[];
  /** The choice when nothing is chosen. */
  readonly standard: readonly string[];
  /** Values that exclude all others, such as `all`. */
  readonly alone?: readonly string[];
  /** Largest number of values that may be chosen. */
  readonly most?: number;
};

/** A question put to the rows. */
export type Analysis<Run extends RunRows = RunRows> = {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  /** Set if the analysis shows toolkits: the engine fills in `clusters` of runs whose suite has toolkits. */
  readonly needsClusters?: boolean;
  /** Set if the analysis shows statistics of tasks: the engine fills in `statistics` of the runs. */
  readonly needsStatistics?: boolean;
  /** Set if the analysis shows what trivial answers get: the engine fills in `floors` of the runs. */
  readonly needsFloors?: boolean;
  /** Set if the analysis shows answers: the engine fills in `answers` of the runs. */
  readonly needsAnswers?: boolean;
  /** Choices the analysis offers for these runs, each with its possible values; the first is the default. */
  choices(runs: readonly Run[]): Readonly<Record<string, readonly string[]>>;
  /** Choices of several values, in display order. */
  lists?(runs: readonly Run[]): Readonly<Record<string, ListChoice>>;
  /** Display names of the analysis's own values. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Returns why there is nothing to show, as a sentence for the screen; undefined otherwise. */
  missing?(runs: readonly Run[]): string | undefined;
  compute(
    runs: readonly Run[],
    chosen: Readonly<Record<string, string>>,
    listed?: Readonly<Record<string, readonly string[]>>,
  ): readonly Figure[];
  /** Returns the index of the figure that Enter opens. Absent: the first. */
  opensAt?(figures: readonly Figure[]): number;
  /** Ignored: older extensions computed figures of many rows with pauses here. */
  readonly computeInPieces?: unknown;
};
