/** What a benchmark is: its splits, facets and measures, the kinds of errors it tells apart, and what its paper reports. */
import type { TableFigure } from "./figure.ts";
import type { Option } from "./option.ts";
import type { Facets, Row, Score, RunSpec } from "./types.ts";

/** What a measure comes to; `n` is the denominator. Percent measures give values from 0 to 1. */
export type MeasureValue = { readonly value: number | undefined; readonly n: number };

/** A number a benchmark reports. `evaluate` computes it from the rows of a group (`measures/measure.ts`). */
export type Measure = Mean | Ratio | CustomMeasure;

type Described = {
  /** Mode first if there are several: `official.success`, `paper.success`. */
  readonly name: string;
  readonly title: string;
  readonly mode: string;
  readonly note?: string;
  readonly unit: "percent" | "number" | "seconds" | "tokens" | "price";
  readonly better: "higher" | "lower";
  /** Whether the measure is about a task, scored or not. Absent: it is about each task without a score. */
  applies?(row: Row): boolean;
  /** Its value over the same tasks, had each been answered perfectly. Absent: the best value there is. */
  ceiling?(rows: readonly Row[]): number | undefined;
};

/** The mean of a value of each task. Rows without a value are left out, never counted as 0. */
type Mean = Described & { readonly kind: "mean"; each(row: Row): number | undefined };

/** The sum of one metric over the sum of another (a micro average); undefined if the second is 0. */
type Ratio = Described & {
  readonly kind: "ratio";
  readonly numerator: string;
  readonly denominator: string;
  readonly each?: undefined;
};

/** Any other number. */
export type CustomMeasure<Seen extends Row = Row> = Described & {
  readonly kind?: "custom";
  of(rows: readonly Seen[]): MeasureValue;
  /** The value of one task, if the number can be read as a mean over tasks: used for intervals and paired tests. */
  each?(row: Seen): number | undefined;
  /** Whether a row has what the number is made of. Absent: it has a value for `each`, or a score. */
  has?(row: Seen): boolean;
};

/** A measure whose best value perfect replies do not reach, and why. */
export type Ceiling = {
  readonly measure: string;
  /** What they get on the whole sample, to four places. */
  readonly sample: number;
  readonly why: string;
};

/** A number the paper reports, with what it belongs to. Values in the measure's unit (percent: 0 to 1). */
export type Reported = {
  readonly source: string;
  readonly row: string;
  readonly measure: string;
  readonly value: number;
  /** Facet values this number is about; none means the whole benchmark. */
  readonly where: Facets;
  /** Settings of the reported run, such as prompting or shots. */
  readonly setting?: Facets;
  readonly caveat?: string;
};

/** What a paper reports: single numbers that can be compared with one's own, and its tables whole, with caveats as notes. */
export type PaperNumbers = { readonly values: readonly Reported[]; readonly tables: readonly PrintedTable[] };

/** A table as printed. `measured` says of its columns, in order, which measure they show of which tasks: runs can stand below. */
export type PrintedTable = TableFigure & {
  readonly measured?: readonly ({ readonly measure: string; readonly where: Facets } | undefined)[];
};

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
  /** Records expected; what they are is in `of`. */
  readonly count?: number;
  readonly of?: string;
  readonly optional?: boolean;
  /** What cannot be done without it. */
  readonly needed?: string;
  /** Where the publisher has it. */
  readonly url?: string;
};

export type Benchmark = {
  readonly name: string;
  readonly title: string;
  /** What is asked of a model, in a few words that stand beside the title in a list. Absent: the paper's title says it. */
  readonly summary?: string;
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
  /**
   * The facet in whose groups tasks come: tasks of one group share material (a user's profile), so their results may go
   * together, and standard errors are clustered by it. Absent: every task stands alone.
   */
  readonly groupFacet?: string;
  readonly options: readonly Option[];
  /** True where runs name the tools that tasks are asked with: tool servers of the user's (`tools: [NAME]`). */
  readonly takesTools?: true;
  /** Most demonstrations that may be asked for. */
  readonly maxShots: number;
  readonly measures: readonly Measure[];
  /** Warnings of its runs that change no reading of a number, word by word: screens show them behind the badge of notes. */
  readonly remarks?: readonly string[];
  /** What results rest on: stated in the notes of every figure, and in the line of a run. */
  readonly beside?: readonly Measure[];
  /** Absent: perfect replies get the best value of every percent measure, in every strategy that asks a model. */
  readonly ceilings?: readonly Ceiling[];
  /** Why no answer of such a run can be scored (it names no judge, for instance); undefined, or absent, where answers can. */
  unscored?(spec: RunSpec): string | undefined;
  /**
   * The metrics that say the same as a score's value, where a person has changed it to this; the other metrics stay the
   * scorer's. Absent: none.
   */
  withValue?(value: number, metrics: Score["metrics"], facets: Facets): Score["metrics"];
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
  /** Names of the analyses that have something to show for this suite, the best first. */
  readonly analyses: readonly string[];
  /** Folder of its sample; absent: in the program's package, below the suite's name. */
  readonly sampleFolder?: string;
  /** `kept`: folders in which people put files of their own, which bringing the data in anew or removing it leaves alone. */
  readonly data: {
    readonly files: readonly DataFile[];
    readonly source: string;
    readonly kept?: readonly string[];
    /**
     * What version 0.1.0 came with and checked, so that runs on other tasks or another catalogue get ids of their own: the hash
     * of the sample, and of published files by path, unpacked (the first 16 digits of SHA-256).
     */
    readonly known?: { readonly sample: string; readonly files: Readonly<Record<string, string>> };
  };
  /** What its paper reports; absent where there is none. */
  reported?(): Promise<PaperNumbers>;
};
