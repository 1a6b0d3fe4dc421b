/** The messages between the screen and the thread of analyses, as plain data. */
import type { PackedFigures, PackedTasks } from "../../figures/packed-figures.ts";
import type { NumbersBeside } from "../../measures/beside.ts";
import type { Row, Task } from "../../types.ts";
import type { Codebook } from "../../analysis.ts";
import type { AnalysisJob, AnalysisState } from "../figures/analysis-state.ts";
import type { StatedClaim } from "../session-state.ts";
import type { PoolableRun } from "../runs/wanted-runs.ts";

/** A run with the name of its suite and without its rows, which the thread has. */
export type ThreadRun = Omit<PoolableRun, "suite" | "codes"> & { readonly suite: string };

/** The request of an analysis cell, and its runs with tasks without a score. */
export type ThreadJob = AnalysisJob<ThreadRun> & {
  readonly open: readonly string[];
  /** The codes of the cell's runs, and a key that changes with the codes; absent if the session has none. */
  readonly codes?: { readonly key: string; readonly codebook: Codebook };
};

/** Rows of a run that differ from those in the thread, with their indexes, or rows of further tasks. */
export type RunBlock = {
  readonly run: string;
  readonly rows?: readonly (readonly [at: number, row: Row])[];
  readonly tasks?: readonly Pick<Task, "id" | "question" | "facets">[];
};

export type ToThread =
  | { readonly type: "file"; readonly run: string; readonly path: string }
  | { readonly type: "block"; readonly block: RunBlock }
  /** Follows the last block of a run, with its number of rows. */
  | { readonly type: "rows"; readonly run: string; readonly count: number }
  | { readonly type: "job"; readonly job: ThreadJob }
  /** Requests the shares of the tables that the last answer for this cell left out. */
  | { readonly type: "filled"; readonly cell: string }
  /** Requests the numbers shown beside a run of this suite; `seed` if it has tasks without a score. */
  | { readonly type: "beside"; readonly run: string; readonly suite: string; readonly seed: number | undefined };

/** The result of a claim for `--json` and conditions. */
type PackedClaim = Omit<StatedClaim, "deciding"> & { readonly deciding: PackedTasks };

export type ThreadAnswer = PackedFigures & {
  /** Without what the screen knows itself. */
  readonly state: Omit<AnalysisState, "analysis" | "figures" | "runs" | "claims">;
  readonly claims: readonly PackedClaim[] | undefined;
  /** Runs with tasks that have no score. */
  readonly open: readonly string[];
  /** The number of ended tasks that the cell's figures count. */
  readonly ended: number;
  /** True if the shares of the tables are still to be requested. */
  readonly isFilledLater: boolean;
  /** The runs that places refer to, in order: a run's tasks follow the tasks of the runs before it. */
  readonly places: readonly { readonly run: string; readonly count: number }[];
};

export type FromThread =
  /** How many rows of a file are read so far. */
  | { readonly type: "reading"; readonly run: string; readonly rows: number }
  /** The names of a file's tasks as JSON; undefined if the file has changed. */
  | { readonly type: "read"; readonly run: string; readonly tasks: string | undefined }
  | { readonly type: "done"; readonly answer: ThreadAnswer }
  | { readonly type: "filled"; readonly filled: AnalysisState["filled"] }
  | { readonly type: "numbers"; readonly numbers: NumbersBeside }
  | { readonly type: "failed"; readonly message: string };
