/** A benchmark's description: splits, facets, measures, error kinds, and the paper's numbers. */
import type { TableFigure } from "./figure.ts";
import type { Option } from "./option.ts";
import type { PromptTemplate } from "./protocol.ts";
import type { VariedKind } from "./run-settings.ts";
import type { Facets, Row, Score, RunSpec } from "./types.ts";

/** The value of a measure; `n` is its denominator. Percent measures give values from 0 to 1. */
export type MeasureValue = { readonly value: number | undefined; readonly n: number };

/** A number that a benchmark reports, computed by `evaluate` from the rows of a group (`measures/measure.ts`). */
export type Measure = Mean | Ratio | CustomMeasure;

type Described = {
  /** Starts with the mode if there are several: `official.success`, `paper.success`. */
  readonly name: string;
  readonly title: string;
  readonly mode: string;
  readonly note?: string;
  readonly unit: "percent" | "number" | "seconds" | "tokens" | "price";
  readonly better: "higher" | "lower";
  /**
   * True if 95 % intervals of 10 tasks contain the mean of all tasks less often than in 88 % of draws
   * (`npm run bench interval-coverage`), so that figures mark them as rough.
   */
  readonly rough?: true;
  /**
   * The paper's column, used with the paper's rows in a table whose columns are measures: heads, title, and the measure's part of
   * a cell that contains several measures.
   */
  readonly column?: { readonly under: readonly string[]; readonly title: string; readonly part?: string };
  /** Returns whether the measure covers a task, with or without a score. If absent, it covers every task without a score. */
  applies?(row: Row): boolean;
  /** Returns the value of perfect replies to the same tasks. Absent: the best possible value. */
  ceiling?(rows: readonly Row[]): number | undefined;
};

/** The mean of one value per task. Rows without a value are omitted, never counted as 0. */
type Mean = Described & { readonly kind: "mean"; each(row: Row): number | undefined };

/** The sum of one metric divided by the sum of another (a micro average); undefined if the second is 0. */
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
  /** Returns the value of one task if the number is a mean over tasks; intervals and paired tests use it. */
  each?(row: Seen): number | undefined;
  /** Returns whether a row has the data that the number needs. If absent, whether it has a value of `each`, or a score. */
  has?(row: Seen): boolean;
};

/** A measure whose best value is out of reach for perfect replies, with the reason. */
export type Ceiling = {
  readonly measure: string;
  /** The value of perfect replies on the whole sample, to four places. */
  readonly sample: number;
  readonly why: string;
};

/** A number reported by the paper, with its context. Values are in the measure's unit (percent: 0 to 1). */
export type Reported = {
  readonly source: string;
  readonly row: string;
  readonly measure: string;
  /** Undefined if our source of the paper lost a number that is printed there. */
  readonly value: number | undefined;
  /** Decimals of the printed number; absent: two. */
  readonly digits?: number;
  /** Heading that the paper prints above several rows, such as `Proprietary`. */
  readonly group?: string;
  /** Facet values the number covers; empty for the whole benchmark. */
  readonly where: Facets;
  /** Settings of the reported run, such as prompting or shots. */
  readonly setting?: Facets;
  readonly caveat?: string;
};

/** Numbers of the paper: single numbers for comparison, and whole tables whose caveats are notes. */
export type PaperNumbers = { readonly values: readonly Reported[]; readonly tables: readonly PrintedTable[] };

/** A table as printed. `measured` names, column by column, the measure and its tasks, so that runs can be added as rows. */
export type PrintedTable = TableFigure & {
  readonly measured?: readonly ({ readonly measure: string; readonly where: Facets } | undefined)[];
};

export type ErrorKind = {
  readonly name: string;
  readonly title: string;
  readonly group?: string;
  readonly note?: string;
};

/** A file of the published data set, with its path relative to the data set's folder. */
export type DataFile = {
  readonly path: string;
  /** Other paths of the file in a copy of the data, such as a wheel or a clone; one that ends in `.gz` is unpacked. */
  readonly places?: readonly string[];
  /** The hash of the file, or the hashes of its published forms. */
  readonly sha256?: string | readonly string[];
  /** Expected number of records; `of` is the word for a record. */
  readonly count?: number;
  readonly of?: string;
  readonly optional?: boolean;
  /** Why the file is needed; shown if it is missing. */
  readonly needed?: string;
  /** Download address at the publisher. */
  readonly url?: string;
};

export type Benchmark = {
  readonly name: string;
  readonly title: string;
  /** Describes the tasks in a few words, shown next to the title in lists. Absent: the paper's title does. */
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
   * The facet that groups tasks with shared material (such as a user's profile). Their results may be correlated, so standard
   * errors are clustered by it. Absent: tasks are independent.
   */
  readonly groupFacet?: string;
  readonly options: readonly Option[];
  /** The texts of the requests that it sends to models; a run may replace each text. Absent if code alone makes its requests. */
  readonly prompts?: readonly PromptTemplate[];
  /**
   * Parts of its tasks that may vary and should not affect results (`vary`): `tools` if strategies without function calls show
   * tools in the order of a variant. Strategies that offer functions vary these themselves.
   */
  readonly varies?: readonly Exclude<VariedKind, "names">[];
  /** True if the tools are called in texts, so that strategies offer no functions. */
  readonly actsInText?: true;
  /** The temperature of a judge if the cell sets none. Absent: 0. */
  readonly judgeTemperature?: number;
  /** True if a run names the tool servers of its tasks (`tools: [NAME]`). */
  readonly takesTools?: true;
  /** Largest number of demonstrations. */
  readonly maxShots: number;
  readonly measures: readonly Measure[];
  /** Warnings that do not change how to read a number, verbatim; screens show them behind the badge of notes. */
  readonly remarks?: readonly string[];
  /** Measures that results depend on; shown in the notes of every figure and in the run's line. */
  readonly beside?: readonly Measure[];
  /** Returns sentences about the rows of a run that no measure covers; they are shown with `beside`. */
  findings?(rows: readonly Row[]): readonly string[];
  /**
   * Options, or `strategy`, that the scorer reads in addition to those marked `scoring`: trivial answers are scored once for each
   * of their values. If absent, all options.
   */
  readonly scoredBy?: readonly string[];
  /** Absent: perfect replies reach the best value of every percent measure, in every strategy that asks a model. */
  readonly ceilings?: readonly Ceiling[];
  /**
   * Returns why no answer of this run can be scored (for instance, it has no judge); undefined or absent if answers can be
   * scored.
   */
  unscored?(spec: RunSpec): string | undefined;
  /**
   * Returns the metrics that agree with a score's value after a person changed the value; the scorer's other metrics stay. If
   * absent, there are no such metrics.
   */
  withValue?(value: number, metrics: Score["metrics"], facets: Facets): Score["metrics"];
  readonly errorKinds: readonly ErrorKind[];
  /**
   * Kinds of mistakes that `builtin/slips` can make in this suite, each with the error kinds under which a scorer may report it.
   * If absent, the error kind has the same name. If empty, the scorer does not report the mistake.
   */
  readonly faultKinds: readonly {
    readonly name: string;
    readonly title: string;
    readonly errors?: readonly string[];
  }[];
  /** Names of the analyses that suit this suite, the best first. */
  readonly analyses: readonly string[];
  /** Folder of the sample. Absent: the folder with the suite's name in the program's package. */
  readonly sampleFolder?: string;
  /** `kept`: folders for people's own files, which installing or removing the data preserves. */
  readonly data: {
    readonly files: readonly DataFile[];
    readonly source: string;
    readonly kept?: readonly string[];
    /** Folders that `build` reads besides the files; an archive's files below them are unpacked. */
    readonly folders?: readonly string[];
    /**
     * Data that version 0.1.0 shipped or checked: the hash of the sample, and of published files by path, unpacked (the first
     * 16 digits of SHA-256). Runs on other tasks or another catalogue get different ids.
     */
    readonly known?: { readonly sample: string; readonly files: Readonly<Record<string, string>> };
  };
  /** Loads the paper's numbers; absent if the suite has none. */
  reported?(): Promise<PaperNumbers>;
  /**
   * Returns what the official program reads from the text of a reply; undefined if it reads no answer. Called while a log is
   * read: must use only the text, return at once and never throw. If absent, any text is an answer.
   */
  form?(text: string, asked: FormQuestion): TextForm | undefined;
  /** Names the form that `form` looks for, such as `a list in JSON`; undefined if any text has it. Absent: it has no name. */
  formName?(asked: FormQuestion): string | undefined;
};

/** The origin of a text, which can determine its form. `stage` is empty for an answer without requests. */
export type FormQuestion = {
  readonly stage: string;
  readonly spec: RunSpec;
  readonly facets: Facets;
  readonly score: Score | undefined;
};

/** The result of reading a text as the official program does. */
export type TextForm = {
  /** The text that was read, for comparison: equal for texts that count as the same answer. */
  readonly got: string;
  /**
   * The completeness of the form. `closed`: complete, with a marked end. `open`: complete, but the form has no marked end.
   * `part`: only a part, or the form together with other words that are read as part of it.
   */
  readonly extent: "closed" | "open" | "part";
  /** True if the form takes the whole text, so that nothing can be a wrapping around it. */
  readonly isAll?: boolean;
  /** Number of parts of an answer that were read, such as steps; a wrapping takes none of them away. */
  readonly parts?: number;
};

/** The form of a text without a structure to read, such as a thought, a lesson or a state. */
export const freeText: TextForm = { got: "", extent: "open" };

/** The name of the measure of answers without their wrapping, and of its metric; only wrapped answers have the metric. */
export const unwrappedMetric = "unwrapped";
