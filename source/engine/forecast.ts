/** What an experiment will take, worked out before anything is sent. */
import type { Benches } from "./benches.ts";
import type { Models } from "./models/models.ts";
import { failureOf } from "./problem.ts";
import { randomFrom } from "./random.ts";
import { planRunCell, type CellContext, type PlannedRun } from "./run-cell.ts";
import { Preparations } from "./preparations.ts";
import { roleModels } from "./role-models.ts";
import { optionModels } from "./run-options.ts";
import { chosenTasks } from "./sampling.ts";
import type { Estimate } from "./strategy.ts";
import type { Task } from "./types.ts";
import type { CellProblem, Forecast } from "./workbench.ts";

/** Prompts are rendered for this many tasks, spread over the run; the rest is taken to be alike. */
const looked = 12;

type Need = Omit<Estimate, "atMost"> & {
  readonly tasks: number;
  readonly cost: number | undefined;
  readonly atMost?: boolean;
};

export async function forecastCell(
  source: string,
  cell: CellContext,
  benches: Benches,
  models: Models,
): Promise<Forecast> {
  const planned = planRunCell(source, cell);
  const prepared = new Preparations();
  const problems: CellProblem[] = [...planned.problems];
  const warnings = new Set<string>();
  const sum = { runs: planned.runs.length, tasks: 0, calls: 0, input: 0, output: 0 };
  let cost: number | undefined = 0;
  let atMost = false;
  for (const run of planned.runs) {
    const suite = benches.suite(run.spec.suite);
    for (const name of [...roleModels(run.spec), ...optionModels(suite, run.spec)]) {
      const problem = models.problem(name);
      if (problem !== undefined && !problems.some(({ message }) => message === problem))
        problems.push({ message: problem });
    }
    try {
      const need = await needOf(run, benches, models, warnings, prepared);
      sum.tasks += need.tasks;
      sum.calls += need.calls;
      sum.input += need.input;
      sum.output += need.output;
      atMost ||= need.atMost ?? false;
      cost = cost === undefined || need.cost === undefined ? undefined : cost + need.cost;
    } catch (thrown) {
      problems.push({ message: failureOf(thrown).message });
    }
  }
  const before = prepared.sum(models);
  sum.calls += before.calls;
  sum.input += before.input;
  sum.output += before.output;
  atMost ||= before.calls > 0;
  cost = cost === undefined || before.cost === undefined ? undefined : cost + before.cost;
  const all = [...before.words, ...warnings];
  return { ...sum, cost, ...(atMost ? { atMost } : {}), problems, warnings: all };
}

async function needOf(
  { spec, predictions }: PlannedRun,
  benches: Benches,
  models: Models,
  warnings: Set<string>,
  prepared: Preparations,
): Promise<Need> {
  if (predictions !== undefined) return { tasks: 0, calls: 0, input: 0, output: 0, cost: 0 };
  const bench = await benches.bench(spec.suite, spec.data);
  if (spec.judge !== undefined) warnings.add(`What ${spec.judge} is asked as the judge comes on top of this`);
  for (const warning of bench.warnings) warnings.add(warning);
  const pool = await benches.tasks(spec.suite, spec.data, spec.split);
  const tasks = chosenTasks(pool, spec, bench.suite);
  prepared.add(spec, bench.preparing?.(spec, tasks) ?? []);
  const strategy = bench.suite.strategies.find(({ name }) => name === spec.strategy);
  const none = { tasks: tasks.length, calls: 0, input: 0, output: 0, cost: 0 };
  if (strategy === undefined || strategy.roles.length === 0 || tasks.length === 0) return none;
  const some = tasks.filter((_, index) => index % Math.ceil(tasks.length / looked) === 0);
  const mean = { calls: 0, input: 0, output: 0 };
  let atMost = false;
  for (const task of some) {
    const one = strategy.estimate?.({ task, bench, spec, shots: shotsOf(task) });
    if (one === undefined) {
      warnings.add(`How many calls \`${strategy.name}\` makes depends on the model; tokens are not forecast`);
      return { ...none, cost: undefined };
    }
    atMost ||= one.atMost ?? false;
    mean.calls += one.calls / some.length;
    mean.input += one.input / some.length;
    mean.output += one.output / some.length;
  }
  const need = {
    calls: mean.calls * tasks.length,
    input: mean.input * tasks.length,
    output: mean.output * tasks.length,
  };
  const price = models.problem(spec.model) === undefined ? models.model(spec.model).price : undefined;
  const cost = price === undefined ? undefined : (need.input * price.input + need.output * price.output) / 1_000_000;
  return {
    tasks: tasks.length,
    calls: Math.round(need.calls),
    input: Math.round(need.input),
    output: Math.round(need.output),
    cost,
    atMost,
  };

  function shotsOf(task: Task): readonly Task[] {
    return spec.shots === 0 ? [] : bench.shots(task, spec.shots, pool, randomFrom(spec.seed));
  }
}
