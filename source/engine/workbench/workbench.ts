/**
 * What the terminal and the headless commands work with: one open session, its runs and its figures.
 * This file holds the contract; `session-workbench.ts` fulfils it.
 */
import type { Analysis, ListChoice } from "../analysis.ts";
import type { Figure } from "../figure.ts";
import type { ExportFormat } from "../figures/export-figure.ts";
import type { ScoreSoFar } from "../measures/beside.ts";
import type { ClaimAnswer } from "../measures/claim-test.ts";
import type { FilledShare } from "../measures/filled-share.ts";
import type { CellProblem, SessionCell } from "../session/cell.ts";
import type { Forecast } from "../session/forecast.ts";
import type { KeptResults, OlderRun } from "../session/run-cell.ts";
import type { FilledIn } from "../session/fields/given-fields.ts";
import type { OutsideChange } from "../session/document/outside-change.ts";
import type { TypedText } from "../session/document/typed-text.ts";
import type { TaskGeneration } from "./document/installed-data.ts";
import type { Endpoint } from "../settings/settings.ts";
import type { SessionPrograms } from "./document/session-programs.ts";
import type { WorkersChoice } from "./runs/workers-choice.ts";
import type { Suite } from "../suite.ts";
import type { TaskView } from "../loaded-suite.ts";
import type { TakenAnswers } from "../log/rows/row-notes.ts";
import type { TaskCounts, TaskState } from "../log/rows/task-counts.ts";
import type { Trajectory } from "../log/trajectory.ts";
import type { DataKind, Failure, Mistake, Row, RunSpec, StopRule, TaskRef } from "../types.ts";

export { exportFormats, type ExportFormat } from "../figures/export-figure.ts";
export type { CellProblem, SessionCell } from "../session/cell.ts";
export type { TaskRef } from "../types.ts";
export type { Detectable } from "../session/detectable.ts";
export type { Forecast } from "../session/forecast.ts";

/** `loading` prepares to execute; `reading` executes nothing: its log is long, and what it came to is not known yet. */
export type RunStatus =
  | "ready"
  | "reading"
  | "loading"
  | "running"
  | "paused"
  | "stopping"
  | "done"
  | "partial"
  /** The tasks that are left are not needed: the runs were asked until one was better. */
  | "decided"
  | "failed";

/** A worker by its name, and how many tasks of a run it has in hand. */
export type WorkerShare = { readonly worker: string; readonly tasks: number };

export type RunState = {
  readonly run: string;
  /** What tells it from its siblings in the same cell. */
  readonly label: string;
  readonly spec: RunSpec;
  readonly status: RunStatus;
  /** The current step before the first task, as text; undefined if there is none. */
  readonly preparing: string | undefined;
  /** Why it failed or stopped. */
  readonly message: string | undefined;
  readonly total: number;
  /** The number of tasks without `limit`, if it excludes any. */
  readonly available?: number;
  /** In sum the total. */
  readonly counts: TaskCounts;
  /** By which rule of the run the tasks that are left were left out; absent if none was: they are still to be executed. */
  readonly leftOutBy?: StopRule;
  /** Why the first failed task failed; undefined if none has. */
  readonly failure?: Failure | undefined;
  /** Number of tasks scored early because a prompt exceeded the model's context; absent if there are none. */
  readonly outOfContext?: number;
  /** How many answers were not read, and why, in words; absent where all were. */
  readonly unread?: string;
  readonly calls: number;
  readonly retries: number;
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly estimated: boolean;
    /** Thinking among `output`, and what the server had in its cache among `input`; absent: none that is known of. */
    readonly reasoning?: number;
    readonly cached?: number;
    /** What failed attempts took, apart. */
    readonly failed?: number;
  };
  readonly cost: number | undefined;
  /** Running time so far in seconds, over all invocations. */
  readonly seconds: number;
  /** Tasks a minute over the last while; undefined when not running. */
  readonly rate: number | undefined;
  /** Seconds left at that rate. */
  readonly left: number | undefined;
  /** Tasks in flight at most. */
  readonly concurrency: number;
  /**
   * The part of the concurrency that the server allows during the run: `6 of 32 at a time: the server refuses 12 %`; absent if it
   * allows all.
   */
  readonly overload?: string | undefined;
  /** True if another program executes it, which continues when this one ends. */
  readonly away?: true;
  /** True if workers have tasks of it that have not come back, and the run is idle here. */
  readonly givenAway?: true;
  /** Why nothing is heard of them; there is no rate then. */
  readonly unheard?: string;
  /** Workers that hold its tasks, and how many each; absent if none does. */
  readonly workers?: readonly WorkerShare[];
  readonly warnings: readonly string[];
  /** Its score so far by the suite's main measure; absent if unknown. */
  readonly score?: ScoreSoFar;
  /** The estimated number of requests of all its tasks, if tasks are long; absent if unknown. */
  readonly requests?: number;
  /** The basis of its results, in words; undefined if unknown. */
  readonly beside: readonly string[] | undefined;
  /** Answers taken over from other runs; absent if all are its own. */
  readonly taken?: readonly TakenAnswers[];
  readonly readsAnswerKey: boolean;
  /** Runs that differ in nothing but the user's own code, whose results do not count here; absent: none. */
  readonly older?: readonly OlderRun[];
  /** Where its results are those of older code: who said that they hold for the present one, and why. */
  readonly kept?: KeptResults;
  /** The file with its answers if they were made elsewhere. */
  readonly predictions?: string;
};

/** A run on disk that no run cell of the notebook asks for. */
export type StrayRun = {
  readonly run: string;
  /** Start in milliseconds since 1970; undefined if its log does not contain it. */
  readonly at: number | undefined;
  /** The text of a run cell with its settings; undefined if they are unknown. */
  readonly source: string | undefined;
  /** Why it cannot be removed; undefined if it can. */
  readonly needed: string | undefined;
};

type RunLabel = { readonly label: string; readonly run: string };

/** What conditions and `--json` say of an answer. */
export type StatedClaim = Pick<
  ClaimAnswer,
  "claim" | "label" | "answer" | "difference" | "interval" | "p" | "detectable" | "n" | "deciding"
>;

export type CellState =
  /** Its problems are blocks that look like cells. */
  | { readonly kind: "note"; readonly problems: readonly CellProblem[] }
  | { readonly kind: "front-matter"; readonly problems: readonly CellProblem[] }
  | {
      readonly kind: "run";
      readonly problems: readonly CellProblem[];
      /** What its text does not say: fields of the front matter or a command, and which data there are; absent: nothing. */
      readonly filledIn?: readonly FilledIn[];
      readonly runs: readonly RunState[];
    }
  | {
      readonly kind: "analysis";
      readonly problems: readonly CellProblem[];
      /** Why there is nothing to show. */
      readonly missing: string | undefined;
      readonly analysis: Analysis | undefined;
      /** Runs it is of, in order. */
      readonly runs: readonly string[];
      /** What its figures call them; repeats that are taken together have the name of all, and the first one's run. */
      readonly labels?: readonly RunLabel[];
      readonly choices: Readonly<Record<string, readonly string[]>>;
      /** Choices of several values, and the chosen ones. */
      readonly lists: Readonly<Record<string, ListChoice>>;
      readonly listed: Readonly<Record<string, readonly string[]>>;
      /** Measures and facets among their values in words, by their names; absent: none is. */
      readonly titles?: Readonly<Record<string, string>>;
      /** All that is chosen, as text. */
      readonly chosen: Readonly<Record<string, string>>;
      readonly figures: readonly Figure[];
      /** How complete each table is, as far as tasks are known; absent if all are complete. */
      readonly filled?: readonly FilledShare[];
      /** What is claimed in the cell, answered over all claims of the notebook; absent: nothing is. */
      readonly claims?: readonly StatedClaim[];
      /** What the rest takes, once it is worked out; absent while something runs. */
      readonly rest?: Forecast;
      /** Shown above the figures: answer-key models, sample data, incomplete data. */
      readonly warnings: readonly string[];
    };

export type BoardTask = {
  readonly task: string;
  readonly question: string;
  readonly state: TaskState;
  readonly row: Row | undefined;
};

export type Workbench = {
  readonly title: string;
  /** Folder of the session. */
  readonly folder: string;
  /** Why nothing can be changed or run here; undefined when it can. */
  readonly readOnly: string | undefined;
  /** True when the document has changes that are not on disk. */
  readonly dirty: boolean;
  /** Changes by other programs to the document while it is open on the screen; absent without a screen. */
  readonly outside?: Pick<OutsideChange, "theirs" | "missing" | "taken" | "take" | "keep"> | undefined;
  /** Why the user's settings on disk are not used; undefined if they are. */
  settingsTrouble(): string | undefined;
  /** What was being typed in a cell when an earlier program was ended: an editor begins with it. */
  readonly typed: TypedText | undefined;
  readonly suites: readonly Suite[];
  readonly analyses: readonly Analysis[];
  /** Returns facets of a suite, also of a file's (`own/questions.csv`); none if there is no such file. */
  facetsOf(suite: string): Suite["facets"];
  /** Files beside the document that may hold questions: CSV, JSON, JSON Lines. */
  questionFiles(): readonly string[];

  /** Called at most once per frame (about 50 ms) when anything below may have changed. */
  subscribe(listener: () => void): () => void;
  version(): number;

  cells(): readonly SessionCell[];
  /** Starts nothing: what it lacks is noted. */
  state(cell: string): CellState;
  /** Starts to load and work out what states that were asked for lack; a screen calls it once it is drawn. */
  prepare(): void;
  insert(kind: SessionCell["kind"], after: string | undefined, source: string, name?: string): string;
  edit(cell: string, source: string): void;
  /** Keeps what is being typed, and is no cell's source yet, for the next program; undefined: nothing is any more. */
  keepTyped(typed: TypedText | undefined): void;
  remove(cell: string): void;
  /** Analyses that are `of` a run cell are changed with it. Throws for a name it cannot have. */
  rename(cell: string, name: string): void;
  move(cell: string, by: 1 | -1): void;
  /** Makes these changes one that is undone at once. */
  together(changes: () => void): void;
  /** Undoes the last change of the document; false when there is none. */
  undo(): boolean;
  redo(): boolean;
  save(): void;

  /**
   * Starts or resumes all runs of a run cell; `tasks` executes only these again. Resolves when they ended, to false if the cell
   * was stopped meanwhile.
   */
  run(cell: string, tasks?: readonly TaskRef[]): Promise<boolean>;
  pause(cell: string): void;
  resume(cell: string): void;
  /** Stops all runs of a cell, also those that have not begun, or just this one. */
  stop(cell: string, run?: string): void;
  /** Returns why runs that another program executes cannot be paused or stopped from here; undefined if they can. */
  readonly unsteerable: string | undefined;
  /** More or fewer tasks in flight, while it runs. */
  setConcurrency(cell: string, concurrency: number): void;
  /** Scores saved answers again with the current scorer, without asking a model. */
  rescore(cell: string): Promise<void>;
  /**
   * Corrects an error of a scored task: its kind (`no-mistake` if there is none), and the reason; undefined withdraws the
   * correction. Saves it in the run's `overrides.json`, and scores the task again without a model. Resolves to a message about
   * other corrections that were removed from that file, if any. Throws, without any change, if the session is read-only, the run
   * is not finished, the error does not (or no longer) belong to the task's score, or the file cannot be read or written.
   */
  correct(ref: TaskRef, error: Mistake, kind: string | undefined, reason: string): Promise<string | undefined>;
  /** The same of the task's score, from 0 to 1, which is right. */
  correctScore(ref: TaskRef, value: number | undefined, reason: string): Promise<string | undefined>;

  /**
   * Keeps the results of an older run, which differs only in the user's own code, as those of a run; every figure shows by whom,
   * and why. Without a reason they are no longer kept. Throws if the session is read-only.
   */
  keepOlder(run: string, older: string, reason: string | undefined): void;

  /** Runs on disk that no run cell asks for. */
  readonly strayRuns: {
    /** All of them, sorted by id. Results of older code are not among them: their cell shows them. Only first lines of logs are read. */
    list(): readonly StrayRun[];
    /**
     * Adds a run cell for a stray run below this cell, and returns its id. Throws `RangeError` for other runs, and `Problem` if
     * no cell can request it: answers made elsewhere, one trial of several, or changed settings, data or code.
     */
    keep(run: string, after: string | undefined): string;
    /**
     * Copies a run of another notebook, whose folder is `from`, into this one, adds a run cell for it below a cell, and returns the
     * cell's id. Rejects as `keep` throws, and with `Problem` if this notebook has a run with the same settings.
     */
    bring(run: string, from: string, after: string | undefined): Promise<string>;
    /**
     * Removes a stray run from disk with its results and corrections; this cannot be undone. Rejects with `RangeError` for other
     * runs, with `Problem` if it is needed or cannot be removed.
     */
    remove(run: string): Promise<void>;
  };

  /** Adds a run cell that forks a saved trajectory at a request, with another model, strategy or message. */
  fork(
    ref: TaskRef,
    request: number,
    change: { readonly model?: string; readonly strategy?: string; readonly message?: string },
  ): string;

  /** All tasks of a run, in the order they are executed; none until its rows are here, see `hasRows`. */
  board(run: string): readonly BoardTask[];
  /** Returns them at once, even if there are many that were not read yet. */
  rows(run: string): readonly Row[];
  /** Returns whether they have been read; if not, `prepare` reads them, and the workbench changes once they are. */
  hasRows(run: string): boolean;
  /**
   * A task's trajectory: live ones grow with every frame, saved ones are read without holding the screen. Resolves undefined for a
   * task that was never started; rejects with the signal's reason once it is aborted.
   */
  trajectory(ref: TaskRef, signal?: AbortSignal): Promise<Trajectory | undefined>;
  /** The same, at once, while the task is being executed; undefined otherwise. */
  live(ref: TaskRef): Trajectory | undefined;
  /** Returns the plan next to its reference; `known` is the trajectory, which is read if absent. */
  taskView(ref: TaskRef, known?: Trajectory): Promise<TaskView | undefined>;

  /**
   * Returns why an analysis cell with this source, below that cell, would have nothing to show; undefined if it may have
   * something.
   */
  whyEmpty(source: string, below: string | undefined): string | undefined;
  /** Sets one choice of an analysis cell (changes the document); of a list, puts one value in or takes it out. */
  choose(cell: string, name: string, value: string): void;
  /** Returns the expected cost of a run cell with this source, and this front matter if it would change. */
  forecast(source: string, frontMatter?: string): Promise<Forecast>;
  /** Writes an analysis cell's figures below the session's `exports/`; resolves to the paths written. */
  export(cell: string, format: ExportFormat): Promise<readonly string[]>;

  /**
   * Writes the runs of these run cells that have begun, in a format other programs read; resolves to the paths written. `least` is
   * the score from which a task is a training example, `only` the one task that is meant; files that hold several runs have `name`
   * before their own. Rejects with the signal's reason when it is aborted; no file is then half written.
   */
  exportRuns(
    cells: readonly string[],
    format: RunFormat,
    how?: ExportedPart & { readonly least?: number | undefined; readonly name?: string },
  ): Promise<readonly string[]>;

  /** Generates tasks of a suite that can, and installs them; resolves to their folder. */
  makeTasks(suite: string, request: TaskGeneration): Promise<string>;

  /** The choice of executor, if there is one. */
  readonly workers?: Pick<WorkersChoice, keyof WorkersChoice> | undefined;
  /** The tool servers and agents of the user's that runs name, and which of them the user has allowed this folder. */
  readonly programs: Pick<SessionPrograms, "unallowed" | "allow" | "toolNames">;
  readonly endpoints: readonly Endpoint[];
  /** Model names that can be offered in lists: built-in ones, and those endpoints name. */
  modelNames(): readonly string[];
  /** Returns `sample` and, if installed, `published`. */
  dataOf(suite: string): readonly DataKind[];

  /** Ends runs, writes what is pending, gives the session free. */
  close(): Promise<void>;
};

/** Formats of whole runs, for readers in other programs. */
export type RunFormat = "rows.csv" | "rows.jsonl" | "rows.parquet" | "messages" | "training" | "inspect" | "atif";

/** The exported part of runs: one task if `only` names it, otherwise all; until the signal is aborted. */
export type ExportedPart = { readonly only?: TaskRef | undefined; readonly signal?: AbortSignal | undefined };

/** Trajectories in a report: all, or those of tasks that were not answered correctly. */
export const reportedTasks = ["all", "failed"] as const;
export type ReportedTasks = (typeof reportedTasks)[number];
