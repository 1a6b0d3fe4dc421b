/** Limits on requests, tokens, seconds and cost: a task or a run that reaches one ends there. */
import { Problem } from "./problem.ts";
import type { Limits, Model, Step } from "./types.ts";

/** Counts what a task (or a run) uses. Throws a `budget` problem naming the limit when one is reached. */
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
    if (price !== undefined) this.cost += (step.input * price.input + step.output * price.output) / 1_000_000;
  }

  /** Looked at before a request is sent, so a limit of 3 steps allows 3. */
  check(): void {
    const used = { steps: this.steps, tokens: this.tokens, cost: this.cost, seconds: (Date.now() - this.#from) / 1000 };
    for (const [name, limit] of Object.entries(this.#limits)) {
      const value = used[name as keyof Limits & keyof typeof used];
      if (limit !== undefined && value >= limit)
        throw new Problem("budget", `The ${this.#of}'s limit of ${limit} ${name} is used up`);
    }
  }
}
