/** What the program can do with a benchmark: the contract every folder under suites/ fulfils. */
import type { Benchmark } from "./benchmark.ts";
import type { ClusterModels } from "./clusters.ts";
import type { PredictionScorer } from "./prediction.ts";
import type { LoadedSuite } from "./loaded-suite.ts";
import type { EnvironmentSource, Protocol } from "./protocol.ts";
import type { Strategy } from "./strategy.ts";
import type { DataKind, Json, Model, RunSpec, Step, Task } from "./types.ts";

export type { DataFile, ErrorKind, Measure, PaperNumbers, Reported } from "./benchmark.ts";

/**
 * A benchmark, with the strategies it can be run with. `open` binds it to data.
 *
 * `P` names the protocols it serves: a suite that lists a strategy which needs another one does not compile. Without `P` it
 * is any suite, as the engine sees it.
 */
export type Suite<P extends Protocol = never> = Benchmark & {
  readonly strategies: readonly Strategy<[P] extends [never] ? Protocol : P>[];
  open(from: {
    readonly folder: string;
    readonly data: DataKind;
    readonly signal?: AbortSignal;
    /** Models tools may be grouped with; absent where no endpoint is at hand. */
    readonly clusterModels?: ClusterModels;
    /** Environments of the user's own, by name; absent where there are none. */
    readonly environments?: Readonly<Record<string, EnvironmentSource>>;
  }): Promise<LoadedSuite<Task, P>>;
  /**
   * The suite of a file that lies in the session (`from: FILE`), whose facets depend on what stands in it: it throws
   * `DataProblem` where they are asked for. `file` is its path as the cell has it. Absent: a benchmark with data of its own.
   */
  ofFile?(path: string, file: string): Suite<P>;
  /** Resolves once the suite knows its facets and tasks, where it reads them elsewhere than in a data folder. */
  ready?(): Promise<void>;
  /** What tells its tasks from others, where they lie in no data folder: they are then called the user's own. */
  identity?(): string;
  /** Names of the user's environments a run is executed in: their code is hashed into it. Absent: none. */
  environmentsOf?(spec: RunSpec): readonly string[];
  /** Brings published data into `to` where copying files is not enough (builds a database). Reports progress in lines. */
  build?(from: string, to: string, report: (line: string) => void, signal: AbortSignal): Promise<void>;
  readonly predictions?: PredictionScorer;
  /** Generates tasks in the form of a data folder, the same bytes for the same seed. */
  generate?(request: {
    readonly count: number;
    readonly seed: number;
    readonly out: string;
    /** Folder of the user's own tool chains instead of those that come with the suite. */
    readonly chains?: string;
    readonly report: (line: string) => void;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Whether this folder holds generated tasks, and nothing that was published. */
  isGenerated?(folder: string): boolean;
  /** Generates new tasks from old ones with models as authors; rules decide which are kept. */
  evolve?(request: EvolveRequest): Promise<void>;
  /** A run's answers in formats of the publisher, by format name; JSON texts, one a line. */
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
  /** Seed tasks, and changes tried on each. */
  readonly count: number;
  readonly rounds: number;
  readonly seed: number;
  readonly out: string;
  /** The author for a stage; the suite's own stand-in where there is none. */
  readonly model?: (stage: string) => Model | undefined;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
};

/** The suites at hand, bound to their data when first needed. */
export type Suites = {
  /** Throws where no suite has this name. */
  suite(name: string): Suite;
  /** Throws where the data is not installed. */
  open(suite: string, data: RunSpec["data"]): Promise<LoadedSuite>;
  /** The tasks of a split, in file order. */
  tasks(suite: string, data: RunSpec["data"], split: string): Promise<readonly Task[]>;
};
