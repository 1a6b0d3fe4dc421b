/** Where runs are executed that this program does not execute itself: the engine knows no more of workers than this. */
import type { RunnerOptions } from "../run/runner.ts";
import type { TaskRunner } from "../run/task-runner.ts";
import type { MadeToolkits } from "../loaded-suite.ts";
import type { RunStore } from "../log/run-store.ts";
import type { Prices } from "../log/rows.ts";
import type { SessionFolder } from "../session/session-folder.ts";

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
  /** What the tasks share, such as the toolkits of a whole catalogue: made here, once, and given along. */
  readonly prepared: () => Promise<MadeToolkits>;
};

export type Elsewhere = {
  /** Whether runs are to be executed elsewhere. */
  readonly chosen: boolean;
  /** Tasks of a run that were given away and have not all come back, by the run's folder; undefined where there are none. */
  out(folder: string): ReadonlySet<string> | undefined;
  /** How many can execute tasks for whoever is at this address. Rejects with `Problem` where that cannot be asked. */
  workers(url: string): Promise<number>;
  /** Gives a run away, or takes up again what was given away. Throws `Problem` where that is not possible. */
  start(given: GivenAway): Promise<TaskRunner>;
};
