/** The budget of a planning strategy, after which it must answer with its results so far. */
import type { Option } from "../../option.ts";
import type { RunSpec, Step } from "../../types.ts";

export type Bounds = {
  readonly replans: number;
  readonly apisPerToolkit: number;
  readonly requests: number;
  readonly calls: number;
  /** In milliseconds, because the run's own limit would end the task without an answer. */
  readonly time: number;
};

/** Options of all planning strategies, so that they are compared with equal limits. */
export const boundOptions: readonly Option[] = [
  count("planner.requests", "Most model requests", 60),
  count("planner.calls", "Most tool calls", 60),
];
export const replanOptions: readonly Option[] = [
  count("planner.replans", "Most new plans", 3),
  {
    ...count("planner.apis", "Most APIs tried per toolkit", 10),
    words: ["all"],
    paper: { value: "all", title: "all" },
  },
];

function count(name: string, title: string, fallback: number): Option {
  return { name, title, values: "number", default: fallback };
}

/** Requests reserved for the final answer and one reminder. */
const reserve = 2;

/** Returns the limits of a run: its options, or the task's budget if that is smaller. */
export function boundsOf(spec: Pick<RunSpec, "options" | "budget">): Bounds {
  const limit = (name: string, fallback: number) => {
    if (spec.options[name] === "all") return Infinity;
    const value = Number(spec.options[name] ?? fallback);
    return Number.isFinite(value) && value >= 0 ? value : fallback;
  };
  const { steps = Infinity, seconds = Infinity } = spec.budget.task ?? {};
  return {
    replans: limit("planner.replans", 3),
    apisPerToolkit: limit("planner.apis", 10),
    requests: Math.max(1, Math.min(limit("planner.requests", 60), steps) - reserve),
    calls: limit("planner.calls", 60),
    time: seconds * 900,
  };
}

/** Returns the maximum number of requests of a task, including requests for the answer. */
export const mostRequests = (spec: Pick<RunSpec, "options" | "budget">): number => boundsOf(spec).requests + reserve;

/** Counts usage. `reached` names the first bound that is reached. */
export class Usage {
  requests = 0;
  calls = 0;
  replans = 0;
  readonly bounds: Bounds;
  readonly #from = performance.now();

  constructor(bounds: Bounds) {
    this.bounds = bounds;
  }

  take(step: Step): void {
    if (step.type === "prompt") this.requests += 1;
    if (step.type === "result") this.calls += 1;
  }

  reached(): string | undefined {
    if (this.requests >= this.bounds.requests)
      return `the ${this.bounds.requests} model requests before the answer are used up`;
    if (this.calls >= this.bounds.calls) return `${this.bounds.calls} tool calls are used up`;
    if (performance.now() - this.#from >= this.bounds.time) return "the time before the answer is used up";
    return undefined;
  }

  /** Yields the steps and counts them. */
  async *counted<Result>(steps: AsyncGenerator<Step, Result>): AsyncGenerator<Step, Result> {
    for (;;) {
      const next = await steps.next();
      if (next.done === true) return next.value;
      this.take(next.value);
      yield next.value;
    }
  }
}
