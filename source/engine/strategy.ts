/** A way of asking. The runner gives it a play; it yields steps. */
import type { LoadedSuite, Option } from "./suite.ts";
import type { Message, Model, Role, RunSpec, Step, Task } from "./types.ts";

/** A way of asking: direct, chain of thought, react, dialogue, tree search. */
export type Strategy = {
  readonly name: string;
  readonly title: string;
  /** Raised when its rules or prompts change, so that old scores are never passed off as new. */
  readonly revision: number;
  readonly roles: readonly Role[];
  readonly options?: readonly Option[];
  run(context: TaskContext): AsyncIterable<Step>;
  /** About how much one task takes, for the set-up form. Undefined, or absent, where nothing can be said beforehand. */
  estimate?(context: Pick<TaskContext, "task" | "loaded" | "spec" | "shots">): Estimate | undefined;
};

export type Estimate = {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** True where the model decides when it has done: these are then the most its budgets let it take, not a guess. */
  readonly atMost?: boolean;
};

/** Everything a strategy may use while it plays one task. */
export type TaskContext = {
  readonly task: Task;
  readonly loaded: LoadedSuite;
  readonly spec: RunSpec;
  readonly shots: readonly Task[];
  /** The model that plays this role; throws when the run names none. */
  model(role: Role): Model;
  /** Uniform in [0, 1), seeded by spec.seed, spec.trial and the task. */
  random(): number;
  /** What is really sent instead of these messages; `ask` heeds it. */
  rewrite?(request: number, messages: readonly Message[]): readonly Message[];
  readonly signal: AbortSignal;
  /** Next request number of this task. */
  nextRequest(): number;
};
