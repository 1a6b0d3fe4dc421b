/** Executes a suite's task with a built-in model, by the strategy that the run names. */
import type { LoadedSuite, ScoreContext } from "../../source/engine/loaded-suite.ts";
import type { Strategy } from "../../source/engine/strategy.ts";
import type { RunSpec, Task } from "../../source/engine/types.ts";
import { runBuiltin, type TaskRun } from "../../source/kit/builtin-run.ts";
import { suites } from "../../suites/index.ts";

export type { TaskRun };

/** The run's strategy, from the loaded suite. */
export function strategyOf(loaded: LoadedSuite, spec: Pick<RunSpec, "strategy">): Strategy {
  const suite = suites.find(({ name }) => name === loaded.suite.name)!;
  return suite.strategies.find(({ name }) => name === spec.strategy)!;
}

/** Executes one task with `oracle` or `slips?...` and scores it, with the given judge. */
export async function runWithBuiltin(
  loaded: LoadedSuite,
  task: Task,
  spec: RunSpec,
  model: string,
  judge: Pick<ScoreContext, "ask"> = {},
): Promise<TaskRun> {
  return runBuiltin({ loaded, strategy: strategyOf(loaded, spec), spec, model, ...judge }, task);
}
