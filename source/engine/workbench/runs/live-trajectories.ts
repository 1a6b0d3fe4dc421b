/** Trajectories of tasks that are being executed: with every look, the events that have come since the last one are folded. */
import { TrajectoryFold, type Trajectory } from "../../log/trajectory.ts";
import type { TaskEvent, TaskRef } from "../../types.ts";

/** More than can be on a screen at one time. */
const most = 16;

type Live = { readonly events: readonly TaskEvent[]; readonly version: number };

export class LiveTrajectories {
  readonly #kept = new Map<string, Following>();

  /** The same object until there are new events; undefined where the task is not being executed. */
  of({ run, task }: TaskRef, live: Live | undefined): Trajectory | undefined {
    if (live === undefined) return undefined;
    const key = `${run} ${task}`;
    let kept = this.#kept.get(key);
    // A task that is executed again has other events.
    if (kept?.events !== live.events) {
      if (this.#kept.size > most) this.#kept.clear();
      kept = new Following(task, live.events);
      this.#kept.set(key, kept);
    }
    return kept.trajectory(live.version);
  }
}

/** Follows the events of one attempt at a task. */
class Following {
  readonly events: readonly TaskEvent[];
  readonly #fold: TrajectoryFold;
  #version: number | undefined;
  #folded = 0;
  /** How much text of the last of these events is folded: a stream makes it longer. */
  #length = 0;

  constructor(task: string, events: readonly TaskEvent[]) {
    this.events = events;
    this.#fold = new TrajectoryFold(task);
  }

  trajectory(version: number): Trajectory {
    if (version !== this.#version) this.#readOn();
    this.#version = version;
    return this.#fold.trajectory;
  }

  #readOn(): void {
    const last = this.events[this.#folded - 1];
    if (isText(last) && last.text.length > this.#length)
      this.#fold.take({ ...last, text: last.text.slice(this.#length) });
    for (; this.#folded < this.events.length; this.#folded++) this.#fold.take(this.events[this.#folded]!);
    const end = this.events.at(-1);
    this.#length = isText(end) ? end.text.length : 0;
  }
}

function isText(
  event: TaskEvent | undefined,
): event is TaskEvent & { readonly type: "text" | "thinking"; text: string } {
  return event?.type === "text" || event?.type === "thinking";
}
