/** Sends what happens in one attempt to the stream: at once, and for as long as it takes; what Redis lost is sent again. */
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

/** Entries sent at a time. */
const most = 500;
/** Milliseconds between shipments of nothing but pieces of text. */
const piecesApart = 15;

export type ShippingOptions = Pick<Shipment, "task" | "attempt" | "worker"> & {
  /** As `appendShipment`. */
  readonly append: (shipment: Shipment, spent: Spent) => Promise<number | undefined>;
  /** Aborted when nothing can be sent any more: what is left is lost. Absent: it is tried for as long as it takes. */
  readonly abandoned?: AbortSignal;
  /** Called once, when another attempt counts. */
  readonly superseded: () => void;
  /** What Redis says to a shipment it does not take (it is full); undefined once it takes them again. */
  readonly refused: (message: string | undefined) => void;
  /** Gets every event. */
  readonly take: (event: TaskEvent) => void;
  /** Whether somebody looks on. */
  readonly isWatched: () => boolean;
  readonly clock?: Clock;
};

export class Shipping implements EventSink {
  readonly #options: ShippingOptions;
  readonly #clock: Clock;
  /** All events of the attempt. */
  readonly #events: NewEvent[] = [];
  /** Requests that were answered by saved replies: they were sent to nobody. */
  readonly #saved = new Set<number>();
  #waiting: StreamEntry<NewEvent>[] = [];
  /** Number of the first event that is not sent. */
  #from = 0;
  #end: TaskEnd | undefined;
  #isOver = false;
  #sending: Promise<void> | undefined;

  constructor(options: ShippingOptions) {
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
  }

  /** Takes the place of a log: stamps an event and sends it. Throws `Problem` for what could not be read again. */
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

  /** Sends how the attempt ended; resolves when all is in the stream, another attempt counts, or it is abandoned. */
  async end(end: TaskEnd): Promise<void> {
    this.#end = end;
    await this.flushed();
  }

  /** Resolves when all there is so far is in the stream, another attempt counts, or it is abandoned. */
  async flushed(): Promise<void> {
    this.#sending ??= this.#pump();
    await this.#sending;
  }

  #send(entry: StreamEntry<NewEvent>): void {
    this.#waiting.push(entry);
    this.#sending ??= this.#pump();
  }

  async #pump(): Promise<void> {
    // What comes in the same turn goes along.
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
    // Redis has lost the last of it, or has had it before: it says from where on it has none.
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
