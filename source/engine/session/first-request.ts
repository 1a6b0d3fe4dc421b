/** The first request of a run, made as the runner would make it, and never sent. */
import { failureOf, Problem } from "../problem.ts";
import { modelName } from "../run/execute-task.ts";
import { askedTask } from "../run/fork-point.ts";
import { chosenTasks } from "../run/sampling.ts";
import type { LoadedSuite } from "../loaded-suite.ts";
import type { Environment } from "../protocol.ts";
import { variedNames } from "../settings/varied-names.ts";
import { variedTask } from "../settings/varied.ts";
import { randomFrom } from "../statistics/random.ts";
import { servedContext, type TaskContext } from "../strategy.ts";
import type { Suites } from "../suite.ts";
import type { Model, RunSpec, Step, Task } from "../types.ts";
import type { PlannedRun } from "./run-cell.ts";

/** A request, with its task and its run. */
export type FirstRequest = {
  readonly task: string;
  readonly spec: RunSpec;
  readonly prompt: Extract<Step, { readonly type: "prompt" }>;
};

/**
 * Executes the strategy on the first task until it has made a request, which is sent to no model. Throws `Problem` if the run
 * sends no request, or if other requests, a saved run or the user's program determine its text.
 */
export async function firstRequest({ spec, predictions }: PlannedRun, suites: Suites): Promise<FirstRequest> {
  const strategy = suites.suite(spec.suite).strategies.find(({ name }) => name === spec.strategy);
  if (predictions !== undefined || strategy === undefined || strategy.roles.length === 0)
    throw new Problem("tool", "This experiment sends no request");
  if (spec.fork !== undefined || spec.forks !== undefined)
    throw new Problem(
      "tool",
      "A fork first repeats requests of another run: open the forked task in that run to read them",
    );
  if (strategy.needs === "process" || strategy.name === "agent")
    throw new Problem("tool", "Your own program makes the requests: they are known once the run has begun");
  const loaded = await suites.open(spec.suite, spec.data);
  const pool = await suites.tasks(spec.suite, spec.data, spec.split);
  const [first] = chosenTasks(pool, spec, loaded.suite);
  if (first === undefined) throw new Problem("tool", "This experiment has no task");
  if ((loaded.toolkits?.requests(spec, [first]) ?? []).length > 0)
    throw new Problem(
      "tool",
      "The prompt contains toolkits that are built when the run begins; it can be shown only after that",
    );
  const stop = new AbortController();
  const opened: Pick<Environment, "close">[] = [];
  const context = contextOf(spec, { loaded, pool, opened, signal: stop.signal }, first);
  try {
    for await (const step of strategy.run(servedContext(strategy, context)))
      if (step.type === "prompt") return { task: first.id, spec, prompt: step };
  } catch (thrown) {
    throw new Problem("tool", `The first request cannot be shown: ${failureOf(thrown).message}`);
  } finally {
    stop.abort();
    await Promise.allSettled(opened.map(async (environment) => environment.close?.()));
  }
  throw new Problem("tool", "The first task sends no request");
}

type Opened = {
  readonly loaded: LoadedSuite;
  readonly pool: readonly Task[];
  readonly opened: Pick<Environment, "close">[];
  readonly signal: AbortSignal;
};

function contextOf(spec: RunSpec, { loaded, pool, opened, signal }: Opened, logged: Task): TaskContext {
  const task = variedTask(loaded, spec, askedTask(spec, logged));
  const names = variedNames(spec);
  const random = randomFrom(`${spec.seed} ${spec.trial} ${task.id}`);
  let request = 0;
  return {
    task,
    loaded,
    spec,
    shots: spec.shots === 0 ? [] : loaded.shots(task, spec.shots, pool, random),
    model: (role) => unasked(modelName(spec, role)),
    random,
    ...(names && { names }),
    signal,
    opened: (environment) => void opened.push(environment),
    nextRequest: () => request++,
  };
}

/** Returns a model that only has a name. */
const unasked = (name: string): Model => ({
  name,
  readsAnswerKey: false,
  stream() {
    throw new Problem("tool", "its text depends on replies to other requests");
  },
});
