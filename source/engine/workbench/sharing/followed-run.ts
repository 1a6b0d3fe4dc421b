/** A run that another program executes: folded from its log as that grows, with what is being streamed and not yet in it. */
import { LiveStream } from "../../log/live-stream.ts";
import type { RunStore } from "../../log/run-store.ts";
import { lastAttempt } from "../../run/saved-replies.ts";
import type { TaskEvent } from "../../types.ts";
import type { ToldRun } from "./session-message.ts";

export class FollowedRun {
  readonly #store: RunStore;
  readonly #streams = new Map<string, LiveStream>();
  /** What its program says of it; undefined while that cannot be asked. */
  #told: ToldRun | undefined;
  /** True once the log has grown while it was looked at: a run that was killed long ago does not. */
  #grew = false;

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** Folds what has come into the log; true if anything has. */
  readOn(): boolean {
    const grew = this.#store.follow((event) => {
      if ("task" in event) this.#take(event);
    });
    this.#grew ||= grew;
    return grew;
  }

  /** What the program that executes it says of it; undefined: that it executes it no more. */
  tell(told: ToldRun | undefined): void {
    this.#told = told;
    this.#grew = false;
    this.readOn();
    // At another length of the log, the texts may be in it already.
    if (told === undefined || this.#store.bytes !== told.bytes) return;
    for (const [task, stream] of this.#streams)
      stream.replaceTail(told.texts.flatMap(({ task: of, ...step }) => (of === task ? [step] : [])));
  }

  /** If nobody says what the program is doing, the log does: it continues until it says that the run has ended. */
  get status(): ToldRun["status"] | undefined {
    if (this.#told !== undefined) return this.#told.status;
    return this.#grew && this.#store.table.ended === undefined ? "running" : undefined;
  }
  get told(): ToldRun | undefined {
    return this.#told;
  }

  /** Ids of the tasks being executed. */
  running(): readonly string[] {
    return this.status === undefined ? [] : this.#store.table.begun();
  }

  /** A task being executed, the same stream for as long as it is; undefined for any other. */
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
