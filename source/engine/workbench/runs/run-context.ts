/** Resources shared by the runs of a session, and the executor of runs given to workers. */
import type { Models } from "../../models/models.ts";
import type { Execution } from "../../run/execute-task.ts";
import type { CachedReplies } from "../../run/cached-replies.ts";
import type { KeptFloors } from "../figures/kept-floors.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { Clock } from "../../work/clock.ts";
import type { ReadLimits } from "../../text/read-bounds.ts";
import type { Event } from "../../types.ts";
import type { LoadedSuites } from "../document/loaded-suites.ts";
import type { RunnerOptions } from "../../run/runner.ts";
import type { TaskRunner } from "../../run/runner.ts";
import type { MadeToolkits } from "../../loaded-suite.ts";
import type { RunStore } from "../../log/run-store.ts";
import type { Prices } from "../../log/rows/rows.ts";

export type RunContext = {
  readonly loadedSuites: LoadedSuites;
  readonly models: Models;
  readonly folder: SessionFolder;
  /** Replies to earlier requests, of this session and others. */
  readonly cache: CachedReplies;
  /** Scores of trivial answers. */
  readonly floors: KeptFloors;
  readonly changed: () => void;
  readonly clock: Clock;
  /** The user's agents by name; absent if there are none. */
  readonly agent?: Execution["agent"];
  /** Executes runs outside this program; absent if no other program does. */
  readonly elsewhere?: Elsewhere | undefined;
  /** True if only this program writes below the folder: from the start, or after it took over the session. */
  readonly writes: () => boolean;
  /** True if a user watches while long logs are read: see `RunStore`. */
  readonly patient: boolean;
  /** True if numbers of many rows are computed in a thread even without a screen. */
  readonly isThreaded?: boolean;
  /** Limits for reading recordings; absent for the defaults. */
  readonly reading?: ReadLimits | undefined;
  /** Receives every event of a run as it happens; absent if unused. */
  readonly onEvent?: ((run: string, event: Event) => void) | undefined;
};

/** A run that was given to workers. The machine that executes it provides everything that its tasks need. */
export type GivenAway = Omit<
  RunnerOptions,
  "model" | "agent" | "cache" | "places" | "loaded" | "pool" | "concurrency"
> & {
  readonly run: string;
  readonly folder: SessionFolder;
  readonly store: RunStore;
  readonly prices: Prices;
  /** Tasks at a time if the user chose a number; otherwise as many as workers can execute. */
  readonly concurrency: number | undefined;
  readonly cache: boolean;
  /** True for a run that was given to workers before: its results are collected, and no task is started. */
  readonly isOut: boolean;
  /**
   * Resources that the tasks of the run share, such as the toolkits of a whole catalogue: made by this program once and sent with
   * the run.
   */
  readonly prepared: () => Promise<MadeToolkits>;
  /** The names of the user's own files of code, with which a worker must be started. */
  readonly codeFiles?: readonly string[];
};

/** A run by its id, and its folder. */
export type RunPlace = { readonly run: string; readonly folder: string };

/** Tasks of a run that were given to workers and whose results have not all arrived. */
export type GivenOut = {
  /** Ids of the run's tasks. */
  readonly tasks: ReadonlySet<string>;
  /** The address of the run, among those that the user has named; undefined if none matches. */
  readonly url: string | undefined;
};

/**
 * The state of tasks that were given to workers: available at the user's address, no longer there (`why`), or at no address of
 * the user.
 */
export type FoundOut =
  | { readonly kind: "there" }
  | { readonly kind: "foreign" }
  | { readonly kind: "gone"; readonly why: string };

export type Elsewhere = {
  /** The address at which runs are executed; undefined if this program executes them. */
  readonly url: string | undefined;
  /** Returns the record in a run's files without connecting. */
  out(place: RunPlace): GivenOut | undefined;
  /** Finds given tasks. Rejects with `Problem` if the user's address cannot be reached. */
  find(place: RunPlace): Promise<FoundOut>;
  /**
   * Accepts an address from the user. Resolves to whether the round is at this address, and then saves the address with the run.
   * Rejects as `find` does.
   */
  adopt(place: RunPlace, url: string): Promise<boolean>;
  /** Forgets that a run was given away, without notifying workers. */
  giveUp(place: RunPlace): void;
  /** Returns how many workers accept tasks at this address. Rejects with `Problem` if it cannot be reached. */
  workers(url: string): Promise<number>;
  /** Gives a run to workers, or collects a run that was given to them before. Throws `Problem` if that is not possible. */
  start(given: GivenAway): Promise<TaskRunner>;
};
