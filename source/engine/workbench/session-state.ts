/** The states of cells and runs that an open session reports, and its exported parts. */
import type { ForkShare } from "./runs/fork-share.ts";
import type { Analysis, ListChoice, CodeKind } from "../analysis.ts";
import type { Figure } from "../figure.ts";
import type { ScoreSoFar } from "../measures/beside.ts";
import type { ClaimAnswer } from "../measures/claim-test.ts";
import type { FilledShare } from "../measures/filled-share.ts";
import type { CellProblem, SessionCell } from "../session/cell.ts";
import type { Suite } from "../suite.ts";
import type { Forecast } from "../session/forecast.ts";
import type { KeptResults, OlderRun } from "../session/run-cell.ts";
import type { FilledIn } from "../session/fields/given-fields.ts";
import type { TakenAnswers } from "../log/rows/row-notes.ts";
import type { TaskCounts, TaskState } from "../log/rows/task-counts.ts";
import type { Failure, Row, RunSpec, StopRule, TaskRef } from "../types.ts";

export { exportFormats, type ExportFormat } from "../figures/export-figure.ts";
export type { FigureLook } from "../figures/export-files.ts";
export type { CellProblem, SessionCell } from "../session/cell.ts";
export type { TaskRef } from "../types.ts";
export type { Detectable } from "../session/detectable.ts";
export type { Forecast } from "../session/forecast.ts";

/**
 * `loading`: the run is being prepared; `reading`: its long log is being read and its results are not known yet; no task is
 * executed.
 */
export type RunStatus =
  | "ready"
  | "reading"
  | "loading"
  | "running"
  | "paused"
  | "stopping"
  | "done"
  | "partial"
  /** The remaining tasks are not needed, because the runs were executed until one was better. */
  | "decided"
  | "failed";

/** A worker's name and the number of tasks of a run that it is executing. */
export type WorkerShare = { readonly worker: string; readonly tasks: number };

export type RunState = {
  /**
   * The name of the run's folder in `runs`, which other cells may share: the run's id, followed by that of its scoring unless
   * that is the default.
   */
  readonly run: string;
  /** Identifies the cell's part of the run; absent if the part is the whole folder. */
  readonly part?: string;
  /** The id of the run's scoring. */
  readonly scoring: string;
  /** Distinguishes the run from the other runs of its cell. */
  readonly label: string;
  readonly spec: RunSpec;
  readonly status: RunStatus;
  /** The current step before the first task, as text; undefined if there is none. */
  readonly preparing: string | undefined;
  /** Why the run failed or stopped. */
  readonly message: string | undefined;
  readonly total: number;
  /** The number of tasks without `limit`, if `limit` excludes any. */
  readonly available?: number;
  /** In sum the total. */
  readonly counts: TaskCounts;
  /** The rule of the run that excluded the remaining tasks; absent if there was none, so that they will be executed. */
  readonly leftOutBy?: StopRule;
  /** Why the first failed task failed; undefined if none has. */
  readonly failure?: Failure | undefined;
  /** Number of tasks scored early because a prompt exceeded the model's context; absent if there are none. */
  readonly outOfContext?: number;
  /** The number of unread answers and the reasons, in words; absent if all were read. */
  readonly unread?: string;
  readonly calls: number;
  readonly retries: number;
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly estimated: boolean;
    /** Thinking tokens in `output`, and tokens in `input` that the server had in its cache; absent if unknown. */
    readonly reasoning?: number;
    readonly cached?: number;
    /** Tokens of failed attempts, not included in the others. */
    readonly failed?: number;
  };
  readonly cost: number | undefined;
  /** Running time so far in seconds, over all invocations. */
  readonly seconds: number;
  /** Tasks per minute over the last minute; undefined when not running. */
  readonly rate: number | undefined;
  /** Output tokens per second over the last minute; undefined when not running. */
  readonly speed: number | undefined;
  /** Seconds left at that rate. */
  readonly left: number | undefined;
  /** Tasks in flight at most. */
  readonly concurrency: number;
  /**
   * The part of the concurrency that the server allows: `6 of 32 requests at a time: the server refuses 12 %`; absent if it
   * allows all.
   */
  readonly overload?: string | undefined;
  /** True if another program executes the run, which continues when this program ends. */
  readonly away?: true;
  /** True if workers have tasks of the run whose results have not arrived, and the run is idle in this program. */
  readonly givenAway?: true;
  /** Why no reports of the run arrive; `rate` is then undefined. */
  readonly unheard?: string;
  /** Workers that have tasks of the run, and the number of tasks of each; absent if no worker has any. */
  readonly workers?: readonly WorkerShare[];
  readonly warnings: readonly string[];
  /** The score of the run so far by the suite's main measure; absent if unknown. */
  readonly score?: ScoreSoFar;
  /** The estimated number of requests of all its tasks, if tasks are long; absent if unknown. */
  readonly requests?: number;
  /** The settings on which the run's results depend, in words; undefined if unknown. */
  readonly beside: readonly string[] | undefined;
  /** Answers reused from other runs; absent if all answers are its own. */
  readonly taken?: readonly TakenAnswers[];
  readonly readsAnswerKey: boolean;
  /** Runs that differ only in the user's own code; their results do not count for this run. Absent if there are none. */
  readonly older?: readonly OlderRun[];
  /** The person who accepted the run's results of older code, and the reason; absent if the results are of the current code. */
  readonly kept?: KeptResults;
  /** The file with the run's answers if another program made them. */
  readonly predictions?: string;
};

/** A run on disk that no run cell of the notebook requests. */
export type StrayRun = {
  readonly run: string;
  /** Start in milliseconds since 1970; undefined if its log does not contain it. */
  readonly at: number | undefined;
  /** The text of a run cell with its settings; undefined if they are unknown. */
  readonly source: string | undefined;
  /** Why the run cannot be removed; undefined if it can. */
  readonly needed: string | undefined;
};

type RunLabel = { readonly label: string; readonly run: string };

/** The fields of an answer that conditions and `--json` show. */
export type StatedClaim = Pick<
  ClaimAnswer,
  "claim" | "label" | "answer" | "difference" | "interval" | "p" | "detectable" | "n" | "deciding"
>;

export type CellState =
  /** The problems of a note are blocks that look like cells. */
  | { readonly kind: "note"; readonly problems: readonly CellProblem[] }
  | { readonly kind: "front-matter"; readonly problems: readonly CellProblem[] }
  /** Problems of the cell's lines, and of the files of codes. */
  | { readonly kind: "kinds"; readonly problems: readonly CellProblem[]; readonly kinds: readonly CodeKind[] }
  | {
      readonly kind: "run";
      readonly problems: readonly CellProblem[];
      /** Settings from the front matter, a command, or the installed data; absent if there are none. */
      readonly filledIn?: readonly FilledIn[];
      readonly runs: readonly RunState[];
      /** The file being read, on which the runs depend; undefined once they are known. */
      readonly reading?: string | undefined;
      /** Results of the repeats of a fork; absent for other runs. */
      readonly forks?: readonly ForkShare[];
    }
  | {
      readonly kind: "analysis";
      readonly problems: readonly CellProblem[];
      /** Why there are no figures. */
      readonly missing: string | undefined;
      readonly analysis: Analysis | undefined;
      /** Runs that the analysis is of, in order. */
      readonly runs: readonly string[];
      /** Labels of these runs in the figures. Repeats that are pooled share one label, with the first repeat's run. */
      readonly labels?: readonly RunLabel[];
      readonly choices: Readonly<Record<string, readonly string[]>>;
      /** Choices of several values, and the chosen ones. */
      readonly lists: Readonly<Record<string, ListChoice>>;
      readonly listed: Readonly<Record<string, readonly string[]>>;
      /** Titles of those values that are names of measures or facets, by name; absent if there are none. */
      readonly titles?: Readonly<Record<string, string>>;
      /** All that is chosen, as text. */
      readonly chosen: Readonly<Record<string, string>>;
      readonly figures: readonly Figure[];
      /** The share of tasks that each table has, if the tasks are known; absent if all tables are complete. */
      readonly filled?: readonly FilledShare[];
      /** The number of ended tasks that the figures count; only while runs of the cell execute. */
      readonly counted?: CountedTasks;
      /** The claims of the cell, tested together with all claims of the notebook; absent without any. */
      readonly claims?: readonly StatedClaim[];
      /** The forecast for the remaining tasks, once it is computed; absent while a run is executing. */
      readonly rest?: Forecast;
      /** Shown above the figures: answer-key models, sample data, incomplete data. */
      readonly warnings: readonly string[];
    };

/** `of` counts the tasks with a score or a failure in the figures, `ended` those in the rows. */
export type CountedTasks = { readonly of: number; readonly ended: number };

export type BoardTask = {
  readonly task: string;
  readonly question: string;
  readonly state: TaskState;
  readonly row: Row | undefined;
};

/** The parts of a session that runs, exports and marks read. */
export type ReadSession = {
  readonly suites: readonly Suite[];
  cells(): readonly SessionCell[];
  state(cell: string): CellState;
};

/** Formats of whole runs, for readers in other programs. */
export type RunFormat = "rows.csv" | "rows.jsonl" | "rows.parquet" | "messages" | "training" | "inspect" | "atif";

/** The part of the runs to export: one task if `only` names it, otherwise all tasks. The signal aborts the export. */
export type ExportedPart = { readonly only?: TaskRef | undefined; readonly signal?: AbortSignal | undefined };

export type RunExport = ExportedPart & { readonly least?: number | undefined; readonly name?: string };

/** Trajectories in a report: all, or only those of tasks without a right answer. */
export const reportedTasks = ["all", "failed"] as const;
export type ReportedTasks = (typeof reportedTasks)[number];
