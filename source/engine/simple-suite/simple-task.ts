/** The parts of a simple suite. */
import type { ErrorKind } from "../benchmark.ts";
import type { Floor, LoadedSuite, ScoreContext } from "../loaded-suite.ts";
import type { Protocol, Stage } from "../protocol.ts";
import type { Suite } from "../suite.ts";
import type { Facets, Json, Message, RunSpec, Score, Task } from "../types.ts";

/** One question. The type may have any further fields. */
export type SimpleTask = {
  readonly id: string;
  /** Shown in lists of tasks. */
  readonly question: string;
  /** The answer key: the reply of `builtin/oracle`, as JSON if it is not text. */
  readonly answer: Json;
  /** Properties that analyses group by. */
  readonly facets?: Facets;
};

/** A task of the user's for strategies and scorers; `input` is the user's own. */
export type LoadedTask<T extends SimpleTask> = Task<T, T["answer"]>;

/** Tasks of a file that may change while the program runs; `read` throws `DataProblem` if the file is invalid. */
export type TaskFile<T extends SimpleTask> = {
  read(): { readonly tasks: readonly T[]; readonly facets: readonly string[] };
  /** Begins to read a large file in a thread; see `Suite.reading`. */
  reading?(): Promise<void> | undefined;
};

/** `value` from 0 to 1, undefined if it could not be computed; other fields are optional. */
export type SimpleScore = Partial<Score> & Pick<Score, "value">;
type Scored = boolean | number | SimpleScore;

/** `isCut`: the reply ended at the limit of tokens. */
export type ReplyContext = ScoreContext & { readonly isCut?: boolean };

/**
 * Sends a task in one request, with a template that contains the task's fields (`{{question}}`) or with code, or in its own
 * stages.
 */
type Asking<T extends SimpleTask> =
  | { readonly prompt: string; readonly stages?: undefined }
  | { prompt(task: T, spec: RunSpec): string | readonly Message[]; readonly stages?: undefined }
  | {
      stages(task: LoadedTask<T>, spec: RunSpec, shots: readonly LoadedTask<T>[]): readonly Stage[];
      readonly prompt?: undefined;
    };

/** See `Floor`; the answer is the reply's text, undefined for none. */
type SimpleFloor<T extends SimpleTask> = Omit<Floor, "answer"> & { answer(task: T): string | undefined };

/** The parts of a suite that follow from its tasks. */
type Derived = "name" | "title" | "revision" | "facets" | "data" | "identity" | "ready" | "open";

/** Questions, their requests and their scoring. */
export type Questions<T extends SimpleTask> = Asking<T> & {
  /** Letters, digits and dashes. */
  readonly name: string;
  /** Absent: the name. */
  readonly title?: string;
  /** Raised when prompts or rules change although the code does not. Absent: 1. */
  readonly revision?: number;
  /** The tasks: an array, a function that returns them, called once when the program starts, or a file. */
  readonly tasks: readonly T[] | (() => readonly T[] | Promise<readonly T[]>) | TaskFile<T>;
  /**
   * Scores a reply. `reply` is the model's text; after a chain of thought requested by `prompt`, the text after its last
   * `Answer:`.
   */
  score(task: T, reply: string, context: ReplyContext): Scored | Promise<Scored>;
  /**
   * Returns trivial replies to these tasks, which are all tasks of the suite; their scores are shown beside results. If absent,
   * the empty text, and a text without content.
   */
  floors?(tasks: readonly T[], spec: RunSpec): readonly SimpleFloor<T>[];
  /** Kinds of mistakes that `score` reports, besides `wrong-answer` and `no-answer`. */
  readonly errorKinds?: readonly ErrorKind[];
};

export type SimpleSuite<T extends SimpleTask, P extends Protocol = "stages"> = Questions<T> & {
  /** Parts that replace the usual parts, such as `options`; the first of `measures` is the mean of the metric with its name. */
  readonly suite?: Partial<Omit<Suite<NoInfer<P>>, Derived>>;
  /** Adds parts that a simple suite lacks, such as tools or a judge, when it is opened. */
  extend?(
    simple: LoadedSuite<LoadedTask<T>, "stages">,
    from: Parameters<Suite["open"]>[0],
  ): Promise<LoadedSuite<LoadedTask<T>, NoInfer<P>>>;
};
