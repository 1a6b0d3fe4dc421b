/** What a worker has in hand, and how it has been doing: what it says of itself while it lives. */
import { cpus, loadavg } from "node:os";
import type { TaskEvent } from "../engine/types.ts";
import { type Clock, machineClock } from "../engine/work/clock.ts";
import type { WorkerPresence } from "./presence.ts";

/** Milliseconds of the past over which tokens are counted. */
const window = 60_000;

type HeldTask = WorkerPresence["tasks"][number];

export class WorkerActivity {
  readonly #clock: Clock;
  readonly #from: number;
  readonly #held = new Set<HeldTask>();
  #received: { readonly at: number; readonly tokens: number }[] = [];
  #ended = 0;
  #failed = 0;

  constructor(clock: Clock = machineClock) {
    this.#clock = clock;
    this.#from = clock.now();
  }

  /** Returns what to call when the task is out of hand, with how it ended; nothing where it came to no end here. */
  begin(task: HeldTask): (ended?: "scored" | "failed") => void {
    this.#held.add(task);
    return (ended) => {
      this.#held.delete(task);
      if (ended !== undefined) this.#ended += 1;
      if (ended === "failed") this.#failed += 1;
    };
  }

  /** An event of a task in hand. */
  take(event: TaskEvent): void {
    if (event.type === "usage") this.#receive(event.output);
  }

  #receive(tokens: number): void {
    const at = this.#clock.now();
    this.#received = [...this.#received.filter((each) => each.at > at - window), { at, tokens }];
  }

  /** What is said now of this worker. */
  now(): Pick<WorkerPresence, "load" | "tokensPerSecond" | "ended" | "failed" | "tasks"> {
    const now = this.#clock.now();
    const tokens = this.#received.reduce((sum, each) => (each.at > now - window ? sum + each.tokens : sum), 0);
    const seconds = Math.min(window, now - this.#from) / 1000;
    return {
      load: loadavg()[0]! / cpus().length,
      // In its first second a rate would be of nothing.
      tokensPerSecond: tokens / Math.max(1, seconds),
      ended: this.#ended,
      failed: this.#failed,
      tasks: [...this.#held],
    };
  }
}
