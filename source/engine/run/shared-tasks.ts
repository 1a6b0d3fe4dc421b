/** Tasks of one run that several cells execute at the same time: each task is executed once, for all cells. */
import type { TaskHold } from "./task-hold.ts";
import type { LiveStream } from "../log/live-stream.ts";
import type { Recorder } from "../log/recorder.ts";
import type { Model, Step, Task } from "../types.ts";
import type { TaskEnd } from "./task-end.ts";

/** A task in execution and its cell, which may change when a cell is stopped. */
export type TaskFlight = {
  readonly task: Task;
  readonly recorder: Recorder;
  readonly stopping: AbortController;
  owner: TaskSharer;
  readonly hold: TaskHold;
};

/** The part of a runner that other runners of the same run use. */
export type TaskSharer = {
  /** Returns whether it waits for this task. */
  asks(task: string): boolean;
  /** Throws if a limit is used up. */
  check(): void;
  /** Counts a step of a task for its limits. */
  take(step: Step, price: Model["price"]): void;
  /**
   * Called when a task that another runner executed has ended; this runner continues to wait if the task was interrupted
   * (`isCut`).
   */
  ended(task: string, isCut: boolean): void;
  /** Takes over a task in execution. */
  adopt(flight: TaskFlight): void;
  /** Called when a task of the sharing runner has ended, or threw `end`. */
  landed(task: Task, end: TaskEnd | Error): void;
  running(): readonly string[];
  live(task: string): LiveStream | undefined;
};

export class SharedTasks {
  readonly #sharers = new Set<TaskSharer>();

  /** True if no cell executes any. */
  get isEmpty(): boolean {
    return this.#sharers.size === 0;
  }
  join(sharer: TaskSharer): void {
    this.#sharers.add(sharer);
  }
  leave(sharer: TaskSharer): void {
    this.#sharers.delete(sharer);
  }

  /** Returns the others that wait for a task. */
  othersFor(task: string, own: TaskSharer): readonly TaskSharer[] {
    return [...this.#sharers].filter((each) => each !== own && each.asks(task));
  }

  /** Ids of the tasks in execution, for any cell. */
  running(): readonly string[] {
    return [...this.#sharers].flatMap((each) => each.running());
  }
  live(task: string): LiveStream | undefined {
    for (const each of this.#sharers) {
      const stream = each.live(task);
      if (stream !== undefined) return stream;
    }
    return undefined;
  }

  /** Informs the other runners that a task has ended. */
  ended(task: string, isCut: boolean, own: TaskSharer): void {
    for (const each of this.othersFor(task, own)) each.ended(task, isCut);
  }
}
