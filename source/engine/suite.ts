/** A suite: the contract that every folder under suites/ fulfils. */
import type { Benchmark } from "./benchmark.ts";
import type { ClusterModels } from "./clusters.ts";
import type { PredictionScorer } from "./prediction.ts";
import type { LoadedSuite } from "./loaded-suite.ts";
import type { EnvironmentSource, ProcessSource, PromptTemplate, Protocol, ToolSources } from "./protocol.ts";
import type { Strategy } from "./strategy.ts";
import type { DataKind, Json, Model, RunSpec, Step, Task } from "./types.ts";

export type { DataFile, ErrorKind, Measure, PaperNumbers, Reported } from "./benchmark.ts";

/** Substitute tasks for a run whose own tasks are not installed: tasks of the sample, or of another split. */
export type StandIn = {
  readonly field: "data" | "split";
  readonly value: string;
  /** The missing data, and the command that installs them. */
  readonly because: string;
};

/**
 * A benchmark, with the strategies it can be run with. `open` binds it to data.
 *
 * `P` names the protocols it serves: a suite that lists a strategy which needs another one does not compile. Without `P` the
 * type is any suite, as the engine sees it.
 */
export type Suite<P extends Protocol = never> = Benchmark & {
  readonly strategies: readonly Strategy<[P] extends [never] ? Protocol : P>[];
  open(from: {
    readonly folder: string;
    readonly data: DataKind;
    readonly signal?: AbortSignal;
    /** Models that can group tools; absent without an endpoint. */
    readonly clusterModels?: ClusterModels | undefined;
    /** Source of the tools that runs name, for suites that take tools. */
    readonly toolSources?: ToolSources | undefined;
    /** The user's environments, by name; absent if there are none. */
    readonly environments?: Readonly<Record<string, EnvironmentSource>> | undefined;
  }): Promise<LoadedSuite<Task, P>>;
  /**
   * Returns the suite of a file in the session (`from: FILE`). Its facets depend on the content, so reading them throws
   * `DataProblem` for a bad file. `file` is the path in the cell. If absent, the benchmark has its own data.
   */
  ofFile?(path: string, file: string, processes?: ProcessSource): Suite<P>;
  /**
   * `process`: `process: NAME` selects the tasks, and their file is the stored file of that process. If absent, `from`, for
   * `ofFile`.
   */
  readonly tasksFrom?: "process";
  /** The file used if a cell names none. */
  readonly usualFile?: string;
  /** Resolves once the facets and tasks are known, for suites that do not read them from a data folder. */
  ready?(): Promise<void>;
  /**
   * Returns a promise that resolves once a thread has read the suite's large file; undefined if the file is small or already read.
   * Facets and tasks that are asked for earlier block until they are read. Absent: there is nothing to wait for.
   */
  reading?(): Promise<void> | undefined;
  /** Identifies tasks that are in no data folder; results then name them as the user's own. */
  identity?(): string;
  /**
   * Returns names of the user's environments in which a run is executed; the run's id includes a hash of their code. If absent,
   * there are none.
   */
  environmentsOf?(spec: RunSpec): readonly string[];
  /** Installs published data into `to` if copying files is not enough (builds a database). Reports progress in lines. */
  build?(from: string, to: string, report: (line: string) => void, signal: AbortSignal): Promise<void>;
  readonly predictions?: PredictionScorer;
  /** Generates tasks in the form of a data folder; the same seed gives the same bytes. */
  generate?(request: {
    readonly count: number;
    readonly seed: number;
    readonly out: string;
    /** Folder of the user's tool chains instead of those that come with the suite. */
    readonly chains?: string;
    readonly report: (line: string) => void;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /**
   * Returns the setting that a cell without `data:` gets if this folder of published data lacks the tasks of its run; undefined
   * if the folder has them. Called for each planned run, so it must read as little as possible.
   */
  standIn?(spec: RunSpec, folder: string): StandIn | undefined;
  /** Returns whether this folder contains generated tasks only. */
  isGenerated?(folder: string): boolean;
  /** Generates new tasks from old tasks with models as authors; rules decide which tasks are accepted. */
  evolve?(request: EvolveRequest): Promise<void>;
  /** The prompts that `evolve` sends to the models that write tasks. */
  readonly evolvePrompts?: readonly PromptTemplate[];
  /** Exports of a run's answers by the publisher's format name; JSON texts, one per line. */
  readonly exporters?: Readonly<
    Record<
      string,
      (
        rows: readonly { readonly task: Task; readonly answer: Json | undefined; readonly steps?: readonly Step[] }[],
      ) => string
    >
  >;
};

export type EvolveRequest = {
  /** Data folder and split the seed tasks come from. */
  readonly folder: string;
  readonly split: string;
  /** Number of seed tasks, and number of changes tried on each. */
  readonly count: number;
  readonly rounds: number;
  readonly seed: number;
  readonly out: string;
  /** The user's own texts that replace prompts, by the names of the prompts. */
  readonly prompts?: RunSpec["prompts"];
  /** Returns the author for a stage, or undefined for the suite's built-in stand-in. */
  readonly model?: (stage: string) => Model | undefined;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
};

/** The available suites, bound to their data on first use. */
export type Suites = {
  /** Throws for an unknown name. */
  suite(name: string): Suite;
  /** Throws if the data is not installed. */
  open(suite: string, data: RunSpec["data"]): Promise<LoadedSuite>;
  /** The tasks of a split, in file order. */
  tasks(suite: string, data: RunSpec["data"], split: string): Promise<readonly Task[]>;
};
