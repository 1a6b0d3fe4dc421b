/** A run that another program executes, read from its growing log and from the streamed text that is not logged yet. */
import { LiveStream } from "../../log/live-stream.ts";
import type { RunStore } from "../../log/run-store.ts";
import { lastAttempt } from "../../run/saved-replies.ts";
import type { TaskEvent } from "../../types.ts";
import type { ToldRun } from "./session-message.ts";

export class FollowedRun {
  readonly #store: RunStore;
  readonly #choice: string | undefined;
  readonly #streams = new Map<string, LiveStream>();
  /** The last report of the executing program; undefined while it cannot be reached. */
  told: ToldRun | undefined;
  /** True once the log has grown while it was followed; the log of a run killed long ago does not grow. */
  #grew = false;

  /** `choice`: the id of the cell's tasks; absent: all of the run. */
  constructor(store: RunStore, choice?: string) {
    this.#store = store;
    this.#choice = choice;
    // Several cells may follow one log.
    store.followers.add((event) => {
      this.#grew = true;
      if ("task" in event) this.#take(event);
    });
  }

  /** Applies new events of the log; returns whether there were any. */
  readOn(): boolean {
    return this.#store.follow();
  }

  /** Receives a report of the executing program; undefined means that it no longer executes the run. */
  tell(told: ToldRun | undefined): void {
    this.told = told;
    this.#grew = false;
    this.readOn();
    // If the log has another length, it may already contain the texts.
    if (told === undefined || this.#store.bytes !== told.bytes) return;
    for (const [task, stream] of this.#streams)
      stream.replaceTail(told.texts.flatMap(({ task: of, ...step }) => (of === task ? [step] : [])));
  }

  /** Returns the status. Without a report the log decides: the run is running until the log contains its end. */
  get status(): ToldRun["status"] | undefined {
    if (this.told !== undefined) return this.told.status;
    return this.#grew && this.#store.table.isOpen(this.#choice) ? "running" : undefined;
  }

  /** Ids of the running tasks. */
  running(): readonly string[] {
    return this.status === undefined ? [] : this.#store.table.begun();
  }

  /** Returns the stream of a running task, the same object for as long as the task runs; undefined for any other task. */
  live(task: string): LiveStream | undefined {
    if (this.status === undefined || this.#store.table.row(task)?.state !== "running") return undefined;
    let stream = this.#streams.get(task);
    if (stream === undefined) {
      stream = new LiveStream(task, lastAttempt(this.#store.task(task)));
      this.#streams.set(task, stream);
    }
    return stream;
  }

  #take(event: TaskEvent): void {
    if (["started", "scored", "failed"].includes(event.type)) this.#streams.delete(event.task);
    else this.#streams.get(event.task)?.take({ event });
  }
}
