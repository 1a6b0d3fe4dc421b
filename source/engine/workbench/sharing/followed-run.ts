/** A run that another program executes: folded from its log as that grows, with what is being streamed and not yet in it. */
import type { RunStore } from "../../log/run-store.ts";
import { joins } from "../../text/joined-text.ts";
import type { TaskEvent } from "../../types.ts";
import type { StreamedText, ToldRun } from "./session-message.ts";

type TextEvent = Extract<TaskEvent, { type: "text" | "thinking" }>;

/** A task being executed: its events, the text of the last of which may go on past what is in the log. */
type FollowedTask = {
  readonly events: TaskEvent[];
  version: number;
  /** How much text of the last event is in the log. */
  logged: number;
};

export class FollowedRun {
  readonly #store: RunStore;
  readonly #tasks = new Map<string, FollowedTask>();
  /** What its program says of it; undefined where that cannot be asked. */
  #told: ToldRun | undefined;
  /** True once the log has grown while it was looked at: a run that was killed long ago does not. */
  #grew = false;

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** Folds what has come into the log; true where anything has. */
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
    for (const text of told?.texts ?? []) this.#stream(text, told!.bytes);
  }

  /** Where nobody says what the program is doing, the log does: it goes on until it says that the run has ended. */
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

  /** The events of a task being executed, the same list for as long as it is, with a version that rises as they grow. */
  live(task: string): { readonly events: readonly TaskEvent[]; readonly version: number } | undefined {
    if (this.status === undefined || this.#store.table.row(task)?.state !== "running") return undefined;
    return this.#task(task);
  }

  #task(task: string): FollowedTask {
    let followed = this.#tasks.get(task);
    if (followed === undefined) {
      const events: TaskEvent[] = [];
      followed = { events, version: 0, logged: 0 };
      this.#tasks.set(task, followed);
      for (const event of attemptIn(this.#store.task(task))) this.#add(followed, event);
    }
    return followed;
  }

  #take(event: TaskEvent): void {
    const ends = event.type === "scored" || event.type === "failed";
    if (ends || event.type === "started") this.#tasks.delete(event.task);
    const followed = this.#tasks.get(event.task);
    if (followed !== undefined) this.#add(followed, event);
  }

  #add(followed: FollowedTask, event: TaskEvent): void {
    const last = followed.events.at(-1);
    followed.version += 1;
    if (isText(last) && isText(event) && last.request === event.request && joins(last, event)) {
      const known = last.text.slice(0, followed.logged) + event.text;
      // What was streamed before has only come into the log.
      (last as { text: string }).text = last.text.startsWith(known) ? last.text : known;
      followed.logged = known.length;
      return;
    }
    followed.events.push(isText(event) ? { ...event } : event);
    followed.logged = isText(event) ? event.text.length : 0;
  }

  /** Text behind what is in the log, whose length it was streamed at: at another length it may be in there already. */
  #stream({ task, ...text }: StreamedText, bytes: number): void {
    if (this.#store.bytes !== bytes) return;
    const followed = this.#tasks.get(task);
    if (followed === undefined) return;
    const last = followed.events.at(-1);
    followed.version += 1;
    if (isText(last) && last.request === text.request && joins(last, text))
      (last as { text: string }).text = last.text.slice(0, followed.logged) + text.text;
    else {
      followed.events.push({ ...text, task, seq: -1, at: Date.now() } as TextEvent);
      followed.logged = 0;
    }
  }
}

function isText(event: TaskEvent | undefined): event is TextEvent {
  return event?.type === "text" || event?.type === "thinking";
}

/** The events of the attempt that is being made now. */
function attemptIn(events: readonly TaskEvent[]): readonly TaskEvent[] {
  return events.slice(
    Math.max(
      0,
      events.findLastIndex(({ type }) => type === "started"),
    ),
  );
}
