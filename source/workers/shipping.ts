/**
 * Sends the events of one attempt to the stream at once, retries until Redis accepts them, and sends again what Redis has lost.
 */
import { writableEvent } from "../engine/log/file/event-schema.ts";
import type { NewEvent } from "../engine/log/file/log.ts";
import type { StreamEntry, TextStep } from "../engine/log/live-stream.ts";
import type { EventSink } from "../engine/log/recorder.ts";
import type { TaskEnd } from "../engine/run/task-end.ts";
import type { Event, TaskEvent } from "../engine/types.ts";
import { type Clock, machineClock } from "../engine/work/clock.ts";
import type { Spent } from "./attempts.ts";
import { beforeAgain } from "./connection.ts";
import type { Shipment } from "./messages.ts";

/** Maximum entries per shipment. */
const most = 500;
/** Milliseconds between shipments that contain only pieces of text. */
const piecesApart = 15;

export type ShippingOptions = Pick<Shipment, "task" | "attempt" | "worker"> & {
  /** As `appendShipment`. */
  readonly append: (shipment: Shipment, spent: Spent) => Promise<number | undefined>;
  /** Aborted when no more can be sent; unsent events are then lost. If absent, sending is retried without limit. */
  readonly abandoned?: AbortSignal;
  /** Called once, when another attempt counts. */
  readonly superseded: () => void;
  /**
   * Called with Redis's error if it rejects a shipment because it is full, and with undefined once it accepts shipments again.
   */
  readonly refused: (message: string | undefined) => void;
  /** Called with every event. */
  readonly take: (event: TaskEvent) => void;
  /** Returns whether someone is watching the run. */
  readonly isWatched: () => boolean;
  readonly clock?: Clock;
};

export class Shipping implements EventSink {
  readonly #options: ShippingOptions;
  readonly #clock: Clock;
  /** All events of the attempt. */
  readonly #events: NewEvent[] = [];
  /** Requests answered by saved replies, which were not sent to any model. */
  readonly #saved = new Set<number>();
  #waiting: StreamEntry<NewEvent>[] = [];
  /** Index of the first unsent event. */
  #from = 0;
  #end: TaskEnd | undefined;
  #isOver = false;
  #sending: Promise<void> | undefined;

  constructor(options: ShippingOptions) {
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
  }

  /** Adds time and number to an event, as a log does, and sends it. Throws `Problem` if the event could not be read again. */
  append(event: NewEvent): Event {
    const { worker: name, attempt, take } = this.#options;
    const by = event.type === "started" ? { worker: { name, attempt } } : {};
    const stamped = { at: Date.now(), ...event, ...by };
    const whole = writableEvent({ seq: this.#events.length, ...stamped });
    this.#events.push(stamped);
    if (event.type === "prompt" && event.saved !== undefined) this.#saved.add(event.request);
    take(whole as TaskEvent);
    this.#send({ event: stamped });
    return whole;
  }

  piece(piece: TextStep): void {
    if (this.#options.isWatched()) this.#send({ piece });
  }

  /**
   * Sends how the attempt ended. Resolves when all events are in the stream, another attempt counts, or sending was abandoned.
   */
  async end(end: TaskEnd): Promise<void> {
    this.#end = end;
    await this.flushed();
  }

  /** Resolves when all events so far are in the stream, another attempt counts, or sending was abandoned. */
  async flushed(): Promise<void> {
    this.#sending ??= this.#pump();
    await this.#sending;
  }

  #send(entry: StreamEntry<NewEvent>): void {
    this.#waiting.push(entry);
    this.#sending ??= this.#pump();
  }

  async #pump(): Promise<void> {
    // Collects everything added in the same turn of the event loop.
    await Promise.resolve();
    const { abandoned } = this.#options;
    while (!this.#isOver && abandoned?.aborted !== true && (this.#waiting.length > 0 || this.#end !== undefined)) {
      await this.#shipNext();
      if (this.#waiting.length > 0 && this.#waiting.every((entry) => "piece" in entry)) await this.#pause(piecesApart);
    }
    this.#sending = undefined;
  }

  async #shipNext(): Promise<void> {
    const { task, attempt, worker, append, refused } = this.#options;
    const entries = this.#waiting.splice(0, most);
    const end = this.#waiting.length === 0 ? this.#end : undefined;
    let number: number | undefined;
    try {
      const spent = spentIn(entries, this.#saved);
      number = await append({ task, attempt, worker, from: this.#from, entries, ...(end && { end }) }, spent);
    } catch (error) {
      this.#waiting.unshift(...entries);
      refused((error as Error).message);
      return this.#pause(beforeAgain);
    }
    refused(undefined);
    if (number === undefined) {
      this.#isOver = true;
      this.#options.superseded();
      return;
    }
    const sent = this.#from + entries.filter((entry) => "event" in entry).length;
    this.#from = number;
    if (number === sent) this.#isOver = end !== undefined;
    // Redis has lost the last shipment or already had it, so continue with the first event that it lacks.
    else this.#waiting = this.#events.slice(number).map((event) => ({ event }));
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.setTimeout(resolve, milliseconds));
  }
}

function spentIn(entries: Shipment["entries"], saved: ReadonlySet<number>): Spent {
  const events = entries.flatMap((entry) => ("event" in entry ? [entry.event as TaskEvent] : []));
  const sent = events.filter((event) => "request" in event && !saved.has(event.request));
  return {
    requests: sent.filter(({ type }) => type === "prompt").length,
    tokens: sent.reduce((sum, event) => sum + (event.type === "usage" ? event.input + event.output : 0), 0),
  };
}
