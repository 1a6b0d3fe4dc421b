/** Logs the steps of one task: streamed text is joined for a short time, all other steps are logged immediately. */
import type { Log } from "./file/log.ts";
import { joins } from "../text/joined-text.ts";
import { LiveStream, type TextStep } from "./live-stream.ts";
import { type Clock, machineClock, type Timer } from "../work/clock.ts";
import type { UnsentSetting } from "../run-settings.ts";
import type { Facets, Failure, Score, Step, TaskEvent } from "../types.ts";

/** Milliseconds of text joined into one event. A crash loses at most this much text. */
const joined = 250;

/** Receives a recorder's events: the log of a run, or a worker's coordinator, which may also request pieces of text. */
export type EventSink = Pick<Log, "append"> & { piece?(piece: TextStep): void };

export class Recorder {
  readonly #log: EventSink;
  readonly #task: string;
  readonly #changed: () => void;
  readonly #clock: Clock;
  readonly stream: LiveStream;
  /** By request; each timer logs the text that has no event yet. */
  readonly #timers = new Map<number, Timer>();

  /** `changed` is called after every step. */
  constructor(log: EventSink, task: string, changed: () => void = () => {}, clock: Clock = machineClock) {
    this.#log = log;
    this.#task = task;
    this.#changed = changed;
    this.#clock = clock;
    this.stream = new LiveStream(task);
  }

  /** All events so far, with consecutive text joined, as scorers read them. */
  get events(): readonly TaskEvent[] {
    return this.stream.events;
  }

  /** `unset` lists the settings that are not sent, because the run's cell does not set them. */
  start(facets: Facets, question: string, unset: readonly UnsentSetting[] = []): void {
    const more = unset.length === 0 ? {} : { unset };
    this.#append({ type: "started", facets, question, ...more });
  }

  take(step: Step): void {
    this.#changed();
    if (step.type === "text" || step.type === "thinking") return this.#takeText(step);
    if ("request" in step) this.#flush(step.request);
    this.#append(step);
  }

  #append(event: object): void {
    const written = this.#log.append({ task: this.#task, ...event } as Parameters<Log["append"]>[0]);
    this.stream.take({ event: written as TaskEvent });
  }

  score(score: Score, suiteRevision: number): void {
    this.#flushAll();
    // Copied as the log returns it, because a substring of a reply would keep the whole reply in memory as long as the rows.
    const written = { ...(JSON.parse(JSON.stringify(score)) as Score), value: score.value };
    this.#log.append({ task: this.#task, type: "scored", score: written, suiteRevision });
  }

  fail(failure: Failure): void {
    this.#flushAll();
    this.#log.append({ task: this.#task, type: "failed", failure });
  }

  #takeText(piece: TextStep): void {
    const { request } = piece;
    const [waiting] = this.stream.tail(request);
    if (waiting !== undefined && !joins(waiting, piece)) this.#flush(request);
    this.stream.take({ piece });
    // A timer is needed, because a stream that falls silent brings no later text.
    if (!this.#timers.has(request))
      this.#timers.set(
        request,
        this.#clock.setTimeout(() => this.#flushLate(request), joined),
      );
    this.#log.piece?.(piece);
  }

  #flush(request: number): void {
    this.#clock.clearTimeout(this.#timers.get(request));
    this.#timers.delete(request);
    for (const step of this.stream.tail(request)) this.#append(step);
  }

  /** A timer has no caller; an unwritable log reports the error to the next step as well. */
  #flushLate(request: number): void {
    try {
      this.#flush(request);
    } catch {
      this.#changed();
    }
  }

  #flushAll(): void {
    for (const request of this.#timers.keys()) this.#flush(request);
  }
}
