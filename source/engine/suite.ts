/** What a benchmark is and offers: the contract every folder under suites/ fulfils. */
import type { ClusterModels } from "./clustering/toolkits/cluster-models.ts";
import type { TableFigure } from "./figure.ts";
import type { PredictionScorer } from "./prediction.ts";
import type { LoadedSuite } from "./loaded-suite.ts";
import type { Option } from "./option.ts";
import type { Protocol } from "./protocol.ts";
import type { Strategy } from "./strategy.ts";
import type { Facets, Json, Model, Row, Step, Task } from "./types.ts";

/** A number a benchmark reports, computed from the rows of a group. */
export type Measure = {
  /** Mode first where there are several: `official.success`, `paper.success`. */
  readonly name: string;
  readonly title: string;
  readonly mode: string;
  readonly note?: string;
  readonly unit: "percent" | "number" | "seconds" | "tokens";
  readonly better: "higher" | "lower";
  /** `n` is the denominator. Percent measures give values from 0 to 1. */
  of(rows: readonly Row[]): { readonly value: number | undefined; readonly n: number };
  /** This measure's value for one task, where it is a mean over tasks: used for intervals and paired tests. */
  each?(row: Row): number | undefined;
};

/** A measure whose best value perfect replies do not reach, and why. */
export type Ceiling = {
  readonly measure: string;
  /** What they get on the whole sample, to four places. */
  readonly sample: number;
  readonly why: string;
};

/** A number printed in the paper, with what it belongs to. Values in the measure's unit (percent: 0 to 1). */
export type Reported = {
  readonly source: string;
  readonly row: string;
  readonly measure: string;
  readonly value: number;
  /** Facet values this number is about; none means the whole benchmark. */
  readonly where: Facets;
  /** Settings of the printed run, such as prompting or shots. */
  readonly setting?: Facets;
  readonly caveat?: string;
};

/** What a paper prints: single numbers that can be laid beside one's own, and its tables whole, with their doubts as notes. */
export type PaperNumbers = { readonly values: readonly Reported[]; readonly tables: readonly TableFigure[] };

export type ErrorKind = {
  readonly name: string;
  readonly title: string;
  readonly group?: string;
  readonly note?: string;
};

/** A file of the published data set, relative to its folder. */
export type DataFile = {
  readonly path: string;
  readonly sha256?: string;
  /** Records expected; what they are is said in `of`. */
  readonly count?: number;
  readonly of?: string;
  readonly optional?: boolean;
  /** What cannot be done without it. */
  readonly needed?: string;
  /** Where the publisher has it. */
  readonly url?: string;
};

/**
 * A benchmark: what it is and what it offers. `open` binds it to data.
 *
 * `P` names the protocols it serves: a suite that lists a strategy which needs another one does not compile. Without `P` it
 * is any suite, as the engine sees it.
 */
export type Suite<P extends Protocol = never> = {
  readonly name: string;
  readonly title: string;
  /** Raised when prompts or scoring rules change. */
  readonly revision: number;
  readonly paper: { readonly title: string; readonly venue: string; readonly url: string };
  readonly licence: string;
  readonly splits: readonly { readonly name: string; readonly title: string; readonly note?: string }[];
  readonly facets: readonly {
    readonly name: string;
    readonly title: string;
    readonly order?: readonly (string | number)[];
  }[];
  readonly strategies: readonly Strategy<[P] extends [never] ? Protocol : P>[];
  readonly options: readonly Option[];
  /** Most demonstrations that may be asked for. */
  readonly maxShots: number;
  readonly measures: readonly Measure[];
  /** Absent: perfect replies get the best value of every percent measure, in every strategy that asks a model. */
  readonly ceilings?: readonly Ceiling[];
  readonly errorKinds: readonly ErrorKind[];
  /**
   * Kinds of mistake `builtin/slips` can make here, with the error kinds a scorer reports one as (one of them). Absent: the
   * error kind of the same name; empty: none is reported.
   */
  readonly faultKinds: readonly {
    readonly name: string;
    readonly title: string;
    readonly errors?: readonly string[];
  }[];
  /** Names of the analysis panes that have something to show for this suite, the best first. */
  readonly analyses: readonly string[];
  /** `kept`: folders in which people put files of their own, which bringing the data in anew or removing it leaves alone. */
  readonly data: {
    readonly files: readonly DataFile[];
    readonly source: string;
    readonly kept?: readonly string[];
  };
  /** What its paper reports; absent where there is none. */
  reported?(): Promise<PaperNumbers>;
  open(from: {
    readonly folder: string;
    readonly data: "sample" | "published";
    readonly signal?: AbortSignal;
    /** Models tools may be grouped with; absent where no endpoint is at hand. */
    readonly clusterModels?: ClusterModels;
  }): Promise<LoadedSuite<Task, P>>;
  /** Brings published data into `to` where copying files is not enough (builds a database). Reports progress in lines. */
  build?(from: string, to: string, report: (line: string) => void, signal: AbortSignal): Promise<void>;
  readonly predictions?: PredictionScorer;
  /** Makes fresh tasks in the form of a data folder, the same bytes for the same seed. */
  generate?(request: {
    readonly count: number;
    readonly seed: number;
    readonly out: string;
    /** Folder of the user's own tool chains instead of those that come with the suite. */
    readonly chains?: string;
    readonly report: (line: string) => void;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Makes new tasks out of old ones with models as authors and rules that have the last word. */
  evolve?(request: EvolveRequest): Promise<void>;
  /** A run's answers in formats of the publisher, by format name. */
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
