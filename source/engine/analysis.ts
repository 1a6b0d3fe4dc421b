/** A question put to rows, answered with figures. */
import type { Clusters } from "./clusters.ts";
import type { Figure, TableFigure } from "./figure.ts";
import type { PaperNumbers, Suite } from "./suite.ts";
import type { Row, RunSpec, Score, TaskRef } from "./types.ts";

/** Scores of a suite's trivial answers to the tasks of a split, shown beside results. */
export type RunFloors = {
  readonly floors: readonly {
    readonly name: string;
    /** True if the answer is chosen by the answers of other tasks. */
    readonly readsAnswerKey?: true;
    /** By task; equal scores are one object. */
    readonly scores: ReadonlyMap<string, Score>;
  }[];
  /** Names of trivial answers without a score, because only a judge could score them. */
  readonly unscored: readonly string[];
};

/** A run with tasks that have no score yet. */
export type UnfinishedRun = {
  /** The number of all tasks of the run. */
  readonly of: number;
  /** `seeded`: the order does not depend on the tasks, so that intervals are valid at any time. */
  readonly order: "seeded" | "file";
};

/** One run, as input of an analysis. */
export type RunRows = {
  readonly run: string;
  /** Shortest label that distinguishes the run from the others in the analysis, such as `hierarchical` or `gpt-4o, 3 shots`. */
  readonly label: string;
  readonly spec: RunSpec;
  /** Names that the run's cell gives to its values, by field; absent if there are no names. */
  readonly named?: Readonly<Record<string, string>>;
  readonly suite: Suite;
  readonly rows: readonly Row[];
  /** True if no program executes the run now, so that tasks without an ending count as stopped. */
  readonly isAtRest?: boolean;
  /** True if the remaining tasks are not needed. */
  readonly isDecided?: true;
  readonly reported: PaperNumbers;
  readonly warnings: readonly string[];
  /** All kinds and codes of the session; absent if the session has none. */
  readonly codes?: Codebook;
  /** Notes added to every figure of the run, besides those from its settings and rows. */
  readonly notes?: readonly string[];
  /** The run's toolkits; undefined before they are made, and for runs without toolkits. */
  readonly clusters?: Clusters;
  /** True while the toolkits are being made. */
  readonly clustersLoading?: boolean;
  /** Statistics of the tasks in the split; undefined until they are read, or if the suite has no statistics. */
  readonly statistics?: TableFigure | readonly TableFigure[];
  /** The task order of an unfinished run; absent if the run is finished, or while its tasks are not known. */
  readonly unfinished?: UnfinishedRun;
  /** Scores of trivial answers to the same tasks; undefined until they are known. */
  readonly floors?: RunFloors;
  /** Answers as texts, by `answerKey`; undefined until they are read. Long answers are truncated. */
  readonly answers?: ReadonlyMap<string, string>;
  /** The whole lengths of the answers in characters. */
  readonly answerLengths?: ReadonlyMap<string, number>;
  /** Tool calls in order, each as its name and arguments, by `answerKey`; undefined until they are read. */
  readonly calls?: ReadonlyMap<string, readonly string[]>;
  /** True when any of its models reads the answer key. */
  readonly readsAnswerKey: boolean;
};

/** Returns the key of a task's answer; runs that are pooled into one have equal tasks. */
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
  /** Set if the analysis shows the scores of trivial answers: the engine fills in `floors` of the runs. */
  readonly needsFloors?: boolean;
  /** Set if the analysis shows answers or calls: the engine fills in `answers` and `calls` of the runs. */
  readonly needsAnswers?: boolean;
  /** Choices the analysis offers for these runs, each with its possible values; the first is the default. */
  choices(runs: readonly Run[]): Readonly<Record<string, readonly string[]>>;
  /** Choices of several values, in display order. */
  lists?(runs: readonly Run[]): Readonly<Record<string, ListChoice>>;
  /** Display names of the analysis's own values. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Returns why there are no figures, as a sentence for the screen; undefined otherwise. */
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

/** A kind of the user's codebook. */
export type CodeKind = {
  readonly name: string;
  readonly meaning?: string;
  /** The kind that contains this kind. */
  readonly parent?: string;
};

/** A place in a trajectory; absent fields are unknown. */
export type CodePlace = {
  /** The section of the screen: `plan`, `steps`, `checks`, `raw` or `tree`. */
  readonly section?: string;
  /** Number of the request, as in the log. */
  readonly request?: number;
  /** Index of the step among requests, results, notes and answers of the attempt, from 0. */
  readonly step?: number;
  /** The block of the screen in which the place starts, and the block in which it ends if that differs. */
  readonly block?: string;
  readonly end?: string;
  /** The text of the place, or its first characters. */
  readonly quote?: string;
};

/** A kind that a person or a model gave a task, or a place in its trajectory. */
export type Code = {
  readonly id: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: string;
  /** Start of the attempt, in ISO 8601; a code without it applies to any attempt. */
  readonly attempt?: string;
  readonly place?: CodePlace;
  readonly remark?: string;
};

/** The sample in which a task was labelled: `n` tasks of these runs, drawn by the seed. */
export type LabelSample = { readonly seed: number; readonly n: number; readonly runs: readonly string[] };

/** A person or a model has examined the whole attempt: kinds that it did not get are absent. */
export type Labelling = Pick<Code, "id" | "by" | "at" | "attempt"> & {
  /** Present if the task was drawn at random. */
  readonly sample?: LabelSample;
};

export type TaskCodes = { readonly codes: readonly Code[]; readonly labelled: readonly Labelling[] };

/** All kinds, and codes by run and task. */
export type Codebook = {
  readonly kinds: readonly CodeKind[];
  readonly runs: ReadonlyMap<string, ReadonlyMap<string, TaskCodes>>;
  /** The checks of judges by people's labels that the notebook requests; absent if there are none. */
  readonly checks?: readonly JudgeCheck[];
  /** Labels in files, by `FILE:COLUMN`. */
  readonly labels?: ReadonlyMap<string, FileLabels>;
};

/** The labels that check a judge (of a person of the codebook, or a `FILE:COLUMN`), and the kind or value that means success. */
export type JudgeCheck = { readonly people: string; readonly positive?: string };

/**
 * Labels in a file's column; `problem` is the reason why there are none. A label without run and model applies to every answer to
 * the task.
 */
export type FileLabels = {
  readonly lines: readonly {
    readonly task: string;
    readonly value: string;
    readonly run?: string;
    readonly model?: string;
  }[];
  readonly problem?: string;
};
