/** Events of an agent that wait for the strategy of their task. */
import type { Problem } from "../../problem.ts";
import type { AgentEvent } from "../../protocol.ts";

/** Maximum number of a task's events in the queue. While the queue is full, the program's output is not read. */
const mostWaiting = 100;

export class AgentEvents {
  readonly #waiting: AgentEvent[] = [];
  #end: (() => Problem) | undefined;
  /** False while no task takes events; new events are then dropped. */
  #isOpen: boolean;
  /** Resolves when an event arrives, and when there may be room for another event. */
  #happened = Promise.withResolvers<void>();
  #taken = Promise.withResolvers<void>();

  constructor(isOpen: boolean) {
    this.#isOpen = isOpen;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  open(): void {
    this.#isOpen = true;
  }

  /** Drops all waiting events, and all events that arrive from now on. */
  close(): void {
    this.#isOpen = false;
    for (const event of this.#waiting.splice(0)) drop(event);
    this.#wakeWriters();
  }

  /** Resolves once there is room for the event. */
  async put(event: AgentEvent): Promise<void> {
    while (this.#waiting.length >= mostWaiting && this.#isOpen) await this.#taken.promise;
    if (!this.#isOpen) return drop(event);
    this.#waiting.push(event);
    this.#happened.resolve();
  }

  /** Ends the events: `next` throws this problem once all earlier events have been taken. */
  end(why: () => Problem): void {
    this.#end ??= why;
    this.#happened.resolve();
  }

  /** Resolves to the next event. Throws the problem of `end`, or the reason of the signal. */
  async next(signal: AbortSignal): Promise<AgentEvent> {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const event = this.#waiting.shift();
        this.#wakeWriters();
        if (event !== undefined) return event;
        if (this.#end !== undefined) throw this.#end();
        await Promise.race([this.#happened.promise, aborted.promise]);
        this.#happened = Promise.withResolvers<void>();
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #wakeWriters(): void {
    this.#taken.resolve();
    this.#taken = Promise.withResolvers<void>();
  }
}

/** Refuses the request of a dropped event, so that the program does not wait for a reply. */
function drop(event: AgentEvent): void {
  if (event.type === "request") event.refuse("No task is being answered");
}
