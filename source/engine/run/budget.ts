/** Limits on requests, tokens, seconds and cost: a task or a run that reaches one ends there. */
import { Problem } from "../problem.ts";
import { tokenCost } from "../settings/price.ts";
import type { Limits, Model, Step } from "../types.ts";

/** A limit of the whole run: whoever plays it ends it. */
export class RunLimitProblem extends Problem {
  override readonly name = "RunLimitProblem";

  constructor(message: string) {
    super("stopped", message);
  }
}

/**
 * Counts what a task (or a run, in one sitting) uses. When a limit is reached it throws: a `budget` problem for a task, which
 * is scored as far as it got; a `stopped` problem for a run, whose unfinished tasks did nothing wrong and are played next time.
 */
export class Meter {
  readonly #limits: Limits;
  readonly #of: string;
  readonly #from = Date.now();
  steps = 0;
  tokens = 0;
  cost = 0;

  constructor(limits: Limits | undefined, of: "task" | "run") {
    this.#limits = limits ?? {};
    this.#of = of;
  }

  /** `model` is the one the step's request went to; its price makes the cost. */
  take(step: Step, price: Model["price"]): void {
    if (step.type === "prompt") this.steps += 1;
    if (step.type !== "usage") return;
    this.tokens += step.input + step.output;
    this.cost += tokenCost(step, price) ?? 0;
  }

  /** Looked at before a request is sent, so a limit of 3 steps allows 3. */
  check(): void {
    const used = { steps: this.steps, tokens: this.tokens, cost: this.cost, seconds: (Date.now() - this.#from) / 1000 };
    for (const [name, limit] of Object.entries(this.#limits)) {
      const value = used[name as keyof Limits & keyof typeof used];
      if (limit !== undefined && value >= limit)
        throw this.#of === "run"
          ? new RunLimitProblem(`The run's limit of ${limit} ${name} is used up`)
          : new Problem("budget", `The task's limit of ${limit} ${name} is used up`);
    }
  }
}
