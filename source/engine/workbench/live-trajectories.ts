/** Trajectories of tasks that are being executed, folded once per change of their events. */
import { trajectoryOf, type Trajectory } from "../log/trajectory.ts";
import type { TaskEvent, TaskRef } from "../types.ts";

/** More than can be on a screen at one time. */
const most = 16;

export class LiveTrajectories {
  readonly #kept = new Map<string, { readonly version: number; readonly trajectory: Trajectory }>();

  /** The same object until there are new events; undefined where the task is not being executed. */
  of(
    { run, task }: TaskRef,
    live: { readonly events: readonly TaskEvent[]; readonly version: number } | undefined,
  ): Trajectory | undefined {
    if (live === undefined) return undefined;
    const key = `${run} ${task}`;
    const kept = this.#kept.get(key);
    if (kept?.version === live.version) return kept.trajectory;
    const trajectory = trajectoryOf(task, live.events);
    if (this.#kept.size > most) this.#kept.clear();
    this.#kept.set(key, { version: live.version, trajectory });
    return trajectory;
  }
}
