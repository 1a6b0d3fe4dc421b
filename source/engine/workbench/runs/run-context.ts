/** What the runs of a session share, and where runs are executed that this program does not execute itself. */
import type { Models } from "../../models/models.ts";
import type { Execution } from "../../run/execute-task.ts";
import type { CachedReplies } from "../../run/cached-replies.ts";
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
  /** Replies of earlier requests, of this session and of others. */
  readonly cache: CachedReplies;
  readonly changed: () => void;
  readonly clock: Clock;
  /** Agents of the user's, by name; absent: there are none. */
  readonly agent?: Execution["agent"];
  /** Where runs are executed that this program does not execute itself; absent: nowhere. */
  readonly elsewhere?: Elsewhere | undefined;
  /** True where this program alone writes below the folder: from the start, or since it has taken the session over. */
  readonly writes: () => boolean;
  /** True where somebody looks on while long logs are read: see `RunStore`. */
  readonly patient: boolean;
  /** How much of recordings may be read; absent: the usual. */
  readonly reading?: ReadLimits | undefined;
  /** Gets every event of a run as it comes; absent: nobody asks. */
  readonly onEvent?: ((run: string, event: Event) => void) | undefined;
};

/** A run that is given away. What its tasks need of the machine that executes them is that machine's. */
export type GivenAway = Omit<
  RunnerOptions,
  "model" | "agent" | "cache" | "places" | "loaded" | "pool" | "concurrency"
> & {
  readonly run: string;
  readonly folder: SessionFolder;
  readonly store: RunStore;
  readonly prices: Prices;
  /** Tasks at a time, where somebody has chosen; else as many as can be executed. */
  readonly concurrency: number | undefined;
  readonly cache: boolean;
  /** True for a run that was given away before: it is taken up again, and never begun. */
  readonly isOut: boolean;
  /** What the tasks share, such as the toolkits of a whole catalogue: made here, once, and given along. */
  readonly prepared: () => Promise<MadeToolkits>;
};

/** A run by its id, and its folder. */
export type RunPlace = { readonly run: string; readonly folder: string };

/** What was given away of a run and has not all come back. */
export type GivenOut = {
  /** Ids of its tasks. */
  readonly tasks: ReadonlySet<string>;
  /** Where it can be had, by an address that the user has named; undefined if none of those fits. */
  readonly url: string | undefined;
};

/** Whether what was given away can still be had: at the user's address, no longer there (`why`), or at no address of the user's. */
export type FoundOut =
  | { readonly kind: "there" }
  | { readonly kind: "foreign" }
  | { readonly kind: "gone"; readonly why: string };

export type Elsewhere = {
  /** The address at which runs are to be executed; undefined if this program executes them. */
  readonly url: string | undefined;
  /** What the files of a run say; connects to nothing. */
  out(place: RunPlace): GivenOut | undefined;
  /** Looks for what was given away. Rejects with `Problem` if the user's address cannot be asked. */
  find(place: RunPlace): Promise<FoundOut>;
  /** The user says where it can be had. Resolves to whether it is there, and then keeps that with the run. Rejects as `find`. */
  adopt(place: RunPlace, url: string): Promise<boolean>;
  /** Forgets that a run was given away: whoever has it is not told. */
  giveUp(place: RunPlace): void;
  /** How many can execute tasks for whoever is at this address. Rejects with `Problem` where that cannot be asked. */
  workers(url: string): Promise<number>;
  /** Gives a run away, or takes up again what was given away. Throws `Problem` where that is not possible. */
  start(given: GivenAway): Promise<TaskRunner>;
};
