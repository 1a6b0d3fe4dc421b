/** Limits on requests, tokens, seconds and cost. A task or run ends when it reaches one. */
import { Problem } from "../problem.ts";
import type { RunEnding } from "../log/rows/rows.ts";
import { type Clock, machineClock, type Timer } from "../work/clock.ts";
import { tokenCost } from "../settings/price.ts";
import type { Limits, Model, Step } from "../types.ts";

/** Maximum milliseconds of a timer; longer timers fire at once. */
export const longestTimer = 2 ** 31 - 1;

/** Milliseconds between two checks of a held task. */
const leastTimer = 50;

/** A limit of the whole run was reached; the runner ends it. */
export class RunLimitProblem extends Problem {
  override readonly name = "RunLimitProblem";

  constructor(message: string) {
    super("stopped", message);
  }
}

/** A task's limit in seconds. */
export class TimeLimit {
  readonly #clock: Clock;
  readonly #over: AbortController | undefined;
  #timer: Timer | undefined;

  /** `held` returns milliseconds that do not count: they are added at the end. */
  constructor(seconds: number | undefined, clock: Clock = machineClock, held: () => number = () => 0) {
    this.#clock = clock;
    if (seconds === undefined) return;
    const over = (this.#over = new AbortController());
    let added = 0;
    const late = () => {
      const more = held() - added;
      if (more <= 0) return over.abort(new DOMException("The time is used up", "TimeoutError"));
      added += more;
      this.#timer = clock.setTimeout(late, Math.min(Math.max(more, leastTimer), longestTimer));
    };
    this.#timer = clock.setTimeout(late, Math.min(seconds * 1000, longestTimer));
  }

  /** Returns a signal that is aborted with the given signal, and with a `TimeoutError` when the seconds are used up. */
  within(signal: AbortSignal): AbortSignal {
    return this.#over === undefined ? signal : AbortSignal.any([signal, this.#over.signal]);
  }

  end(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}

/**
 * Counts the usage of a task, or of a run in all its invocations. At a limit it throws: a `budget` problem for a task, whose
 * answer so far is scored; a `stopped` problem for a run, whose unfinished tasks are executed next time.
 */
export class Meter {
  readonly #limits: Limits;
  readonly #of: string;
  readonly #clock: Clock;
  readonly #from: number;
  steps: number;
  tokens: number;
  cost: number;

  /** `used` is the usage of earlier invocations. */
  constructor(limits: Limits | undefined, of: "task" | "run", clock: Clock = machineClock, used: Limits = {}) {
    this.#clock = clock;
    this.#from = clock.now() - (used.seconds ?? 0) * 1000;
    this.steps = used.steps ?? 0;
    this.tokens = used.tokens ?? 0;
    this.cost = used.cost ?? 0;
    this.#limits = limits ?? {};
    this.#of = of;
  }

  /** Adds a step. `model` received the step's request; its price gives the cost. */
  take(step: Step, price: Model["price"]): void {
    if (step.type === "prompt") this.steps += 1;
    if (step.type !== "usage") return;
    this.tokens += step.input + step.output;
    this.cost += tokenCost(step, price) ?? 0;
  }

  /** Checked before a request is sent, so a limit of 3 steps allows 3. */
  check(): void {
    const used = {
      steps: this.steps,
      tokens: this.tokens,
      cost: this.cost,
      seconds: (this.#clock.now() - this.#from) / 1000,
    };
    for (const [name, limit] of Object.entries(this.#limits)) {
      const value = used[name as keyof Limits & keyof typeof used];
      if (limit !== undefined && value >= limit)
        throw this.#of === "run"
          ? new RunLimitProblem(usedUpText("run", limit, name))
          : new Problem("budget", usedUpText("task", limit, name));
    }
  }
}

/** Returns the ending of a run that used up one of its limits, with this message. */
export const usedUp = (message: string): RunEnding => ({ reason: "stopped", message, rule: "budget" });

/** Returns `The run reached its limit of 3 steps`; `name` is that of the limit. */
export const usedUpText = (of: "run" | "task", limit: number | undefined, name: string): string =>
  `The ${of} reached its limit of ${limit} ${limit === 1 ? name.replace(/s$/, "") : name}`;
