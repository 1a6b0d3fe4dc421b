/** Writes one task's steps to the log: streamed text is joined for a while first, everything else goes at once. */
import type { Log } from "./file/log.ts";
import { joins } from "../text/joined-text.ts";
import { type Clock, machineClock, type Timer } from "../work/clock.ts";
import type { UnsentSetting } from "../run-settings.ts";
import type { Facets, Failure, Score, Step, TaskEvent } from "../types.ts";

/** Milliseconds of text joined into one event. A crash loses at most this much of it. */
const joined = 250;

type Stamped<S> = S extends Step ? S & { readonly seq: number; readonly at: number; readonly task: string } : never;
type TextStep = Extract<Step, { type: "text" | "thinking" }>;

export class Recorder {
  readonly #log: Pick<Log, "append">;
  readonly #task: string;
  readonly #changed: () => void;
  readonly #clock: Clock;
  /** Everything so far, neighbouring text joined: what scorers and the live view read. */
  readonly events: TaskEvent[] = [];
  /** Raised with every step, so that a live view knows when to look again. */
  version = 0;
  readonly #prompts = new Map<number, Extract<TaskEvent, { type: "prompt" }>>();
  readonly #waiting = new Map<number, { step: TextStep; timer: Timer }>();

  /** `changed` is called with every step. */
  constructor(log: Pick<Log, "append">, task: string, changed: () => void = () => {}, clock: Clock = machineClock) {
    this.#log = log;
    this.#task = task;
    this.#changed = changed;
    this.#clock = clock;
  }

  /** `unset` are the settings that are not sent, as the run's cell sets none. */
  start(facets: Facets, question: string, unset: readonly UnsentSetting[] = []): void {
    const more = unset.length === 0 ? {} : { unset };
    this.events.push(this.#log.append({ task: this.#task, type: "started", facets, question, ...more }) as TaskEvent);
  }

  take(step: Step): void {
    this.version += 1;
    this.#changed();
    if (step.type === "text" || step.type === "thinking") return this.#takeText(step);
    if ("request" in step) this.#flush(step.request);
    const event = this.#log.append({ task: this.#task, ...step } as Parameters<Log["append"]>[0]) as TaskEvent;
    this.events.push(event);
    if (event.type === "prompt") this.#prompts.set(event.request, event);
  }

  /** The prompt of a request; undefined where it was not sent yet. */
  prompt(request: number): Extract<TaskEvent, { type: "prompt" }> | undefined {
    return this.#prompts.get(request);
  }

  /** Text that is not in the log yet. */
  unlogged(): readonly TextStep[] {
    return [...this.#waiting.values()].map(({ step }) => step);
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

  #takeText(step: TextStep): void {
    const last = this.events.at(-1);
    // The joined event is this recorder's own object until the task ends, so growing it in place is safe and cheap.
    if (last !== undefined && goesOn(last, step)) (last as { text: string }).text += step.text;
    else this.events.push({ ...step, seq: -1, at: Date.now(), task: this.#task } as Stamped<Step>);
    const waiting = this.#waiting.get(step.request);
    if (waiting !== undefined && goesOn(waiting.step, step)) {
      waiting.step = { ...waiting.step, text: waiting.step.text + step.text };
      return;
    }
    this.#flush(step.request);
    // A timer, for a stream that falls silent brings no later text to notice by that this one is old.
    const timer = this.#clock.setTimeout(() => this.#flushLate(step.request), joined);
    this.#waiting.set(step.request, { step, timer });
  }

  #flush(request: number): void {
    const waiting = this.#waiting.get(request);
    if (waiting === undefined) return;
    this.#clock.clearTimeout(waiting.timer);
    this.#waiting.delete(request);
    this.#log.append({ task: this.#task, ...waiting.step });
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
    for (const request of this.#waiting.keys()) this.#flush(request);
  }
}

function goesOn(before: TaskEvent | TextStep, step: TextStep): boolean {
  return "request" in before && before.request === step.request && joins(before, step);
}
