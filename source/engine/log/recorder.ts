/** Writes one task's steps to the log: streamed text is joined for a while first, everything else goes at once. */
import type { Log } from "./file/log.ts";
import { joins } from "../text/joined-text.ts";
import { LiveStream, type TextStep } from "./live-stream.ts";
import { type Clock, machineClock, type Timer } from "../work/clock.ts";
import type { UnsentSetting } from "../run-settings.ts";
import type { Facets, Failure, Score, Step, TaskEvent } from "../types.ts";

/** Milliseconds of text joined into one event. A crash loses at most this much of it. */
const joined = 250;

/** Where a recorder's stream goes to: the log of a run, or a worker's coordinator, who may also ask for pieces of text. */
export type EventSink = Pick<Log, "append"> & { piece?(piece: TextStep): void };

export class Recorder {
  readonly #log: EventSink;
  readonly #task: string;
  readonly #changed: () => void;
  readonly #clock: Clock;
  readonly stream: LiveStream;
  /** By request: runs out when text that has no event yet is to get one. */
  readonly #timers = new Map<number, Timer>();

  /** `changed` is called with every step. */
  constructor(log: EventSink, task: string, changed: () => void = () => {}, clock: Clock = machineClock) {
    this.#log = log;
    this.#task = task;
    this.#changed = changed;
    this.#clock = clock;
    this.stream = new LiveStream(task);
  }

  /** Everything so far, neighbouring text joined: what scorers read. */
  get events(): readonly TaskEvent[] {
    return this.stream.events;
  }

  /** `unset` are the settings that are not sent, as the run's cell sets none. */
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
    // As the log gives it: words that a scorer cut out of a reply would keep all of it in memory as long as the run's rows.
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
    // A timer, for a stream that falls silent brings no later text to notice by that this one is old.
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

  /** Nobody waits for a timer: a log that cannot be written to says so to the next step as well. */
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
