/** What a benchmark is and offers: the contract every folder under suites/ fulfils. */
import type { ClusterModels } from "./clustering/toolkits/cluster-models.ts";
import type { Clusters } from "./clusters.ts";
import type { TableFigure } from "./figure.ts";
import type { PredictionScorer } from "./prediction.ts";
import type { Dialogue, Environment, Stage } from "./protocol.ts";
import type { Strategy } from "./strategy.ts";
import type {
  Facets,
  Json,
  Message,
  Model,
  Outcome,
  Role,
  Row,
  RunSpec,
  Score,
  Step,
  Task,
  ToolCall,
  ToolSpec,
} from "./types.ts";
import type { Monitor } from "./work/monitor.ts";

/** A choice a run cell may set beyond the fixed fields, with its possible values; the first is the default. */
export type Option = {
  readonly name: string;
  readonly title: string;
  readonly values: readonly (string | number)[] | "number" | "text" | "model";
  /** For `model`: what may stand there instead of a model's name. */
  readonly words?: readonly string[];
  readonly default: string | number;
  /** Left out of a run's settings where it has its default: runs saved before there was this choice stay what they are. */
  readonly quiet?: boolean;
  /** Only offered where this holds, for instance for one strategy. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  readonly note?: string;
};

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

/** A benchmark: what it is and what it offers. `open` binds it to data. */
export type Suite = {
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
  readonly strategies: readonly Strategy[];
  readonly options: readonly Option[];
  /** Most demonstrations that may be asked for. */
  readonly maxShots: number;
  readonly measures: readonly Measure[];
  readonly errorKinds: readonly ErrorKind[];
  /** Kinds of mistake `builtin/slips` can make here, with the error kinds a scorer reports one as (exactly one of them). */
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
  reported(): Promise<PaperNumbers>;
  open(from: {
    readonly folder: string;
    readonly data: "sample" | "published";
    readonly signal?: AbortSignal;
    /** Models tools may be grouped with; absent where no endpoint is at hand. */
    readonly clusterModels?: ClusterModels;
  }): Promise<LoadedSuite>;
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

/** A suite bound to a data folder. */
export type LoadedSuite = {
  readonly suite: Suite;
  /** Said beside every result: incomplete data, deviations from the paper's protocol. */
  readonly warnings: readonly string[];
  tasks(split: string): Promise<readonly Task[]>;
  /** Demonstrations for a task, drawn from `pool` (the split's tasks), never the task itself. */
  shots(task: Task, count: number, pool: readonly Task[], random: () => number): readonly Task[];
  stages?(task: Task, spec: RunSpec, shots: readonly Task[]): readonly Stage[];
  environment?(task: Task, spec: RunSpec): Promise<Environment>;
  /** The most an episode in the environment can take, for forecasts: worked out without making that environment. */
  episode?(task: Task, spec: RunSpec): EpisodeLimits;
  dialogue?(task: Task, spec: RunSpec): Dialogue;
  /** Makes what tasks share, such as the toolkits of a whole catalogue, before these are played; what is there already is kept. */
  prepare?(spec: RunSpec, tasks: readonly Task[], monitor: Monitor): Promise<void>;
  /** The requests that can take, at most, and to whom. */
  preparing?(spec: RunSpec, tasks: readonly Task[]): readonly Preparing[];
  /** The most requests to the judge one task can take; absent where no judge is ever asked. */
  judging?(task: Task, spec: RunSpec): number;
  /** The toolkits runs with these options work with, for the panes; undefined where they have none. Asks no model. */
  clusters?(spec: RunSpec): Promise<Clusters | undefined>;
  /** `ask` reaches the judge model, logged like any other call; undefined when the run names no judge. */
  score(task: Task, outcome: Outcome, context: ScoreContext): Promise<Score>;
  /** The perfect reply to this request. Reads the answer key. */
  oracle(task: Task, asked: Asked): Reply;
  /** A reply with exactly one mistake of this kind; undefined where this kind cannot be made (then the oracle answers). */
  fault(task: Task, asked: Asked, kind: string, random: () => number): Reply | undefined;
  /** Text views of a task and an answer for the trajectory screen. */
  describe(task: Task, answer: Json | undefined): TaskView;
  close?(): void;
};

/** Requests to a model before the first task: how many, what for, and about how many tokens they are. */
export type Preparing = {
  readonly model: string;
  readonly what: string;
  /** What they are about: runs that name the same share them. */
  readonly of: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
};

export type EpisodeLimits = {
  /** Most model requests of one episode, those of a model that plays the tools among them. */
  readonly requests: number;
  /** Tokens of the largest prompt and of the longest usual reply, roughly. */
  readonly prompt: number;
  readonly reply: number;
  /** Lessons that can be drawn inside the episode; absent where Reflexion plays it again from scratch instead. */
  readonly lessons?: number;
};

export type ScoreContext = {
  readonly spec: RunSpec;
  readonly signal: AbortSignal;
  readonly ask?: (stage: string, messages: readonly Message[]) => Promise<string>;
};

/** A request as a built-in model sees it. */
export type Asked = {
  readonly role: Role;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly spec: RunSpec;
};

export type Reply = { readonly text: string; readonly calls?: readonly ToolCall[] };

/** Plans as lists of steps with dependencies, aligned where they agree, so that any suite's plan can be drawn beside its reference. */
export type TaskView = {
  readonly reference: readonly PlanStep[];
  readonly plan: readonly PlanStep[];
  /** Pairs of indexes [reference, plan] that belong together; the others are missing or extra. */
  readonly matches: readonly (readonly [number, number])[];
  /** Longer text, such as the catalogue or profile the task came with. */
  readonly background?: readonly { readonly title: string; readonly text: string }[];
};

export type PlanStep = {
  readonly title: string;
  readonly lines: readonly string[];
  /** Indexes of the steps whose results it uses. */
  readonly needs: readonly number[];
  /** Depth in a tree of steps, 0 at the root. */
  readonly depth?: number;
};
