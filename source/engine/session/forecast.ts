/** Forecasts the cost of an experiment before anything is sent. */
import type { Models } from "../models/models.ts";
import { failureOf, Problem } from "../problem.ts";
import { lackingVariant } from "../settings/varied.ts";
import { randomFrom } from "../statistics/random.ts";
import { takenText } from "../log/rows/row-notes.ts";
import type { AnsweredRun } from "./answered-run.ts";
import type { CellProblem } from "./cell.ts";
import { detectableAgainst, type Detectable, type SavedRun } from "./detectable.ts";
import { planRunCell, type CellContext, type PlannedCell, type PlannedRun } from "./run-cell.ts";
import { withSystem } from "../run/ask.ts";
import { costOf, judgesOfRun, roleModels } from "../run/run-models.ts";
import { optionModels } from "./fields/run-options.ts";
import { pointFacets } from "../run/fork-point.ts";
import { chosenTasks, filteredTasks } from "../run/sampling.ts";
import { type Estimate, servedContext, type Strategy, type TaskContext } from "../strategy.ts";
import { dataWarnings, lackingForAll, type LoadedSuite, type PreparationRequests } from "../loaded-suite.ts";
import type { Suites } from "../suite.ts";
import { counted } from "../text/counted.ts";
import { tokensOf } from "../text/tokens.ts";
import type { Row, RunSpec, Task } from "../types.ts";
import { eventLoopYielder } from "../work/event-loop.ts";
import { wholeOf } from "../work/whole-of.ts";

/** The forecast of an experiment. */
export type Forecast = {
  readonly runs: number;
  /**
   * Number of runs that cannot start for the reasons in `problems`, so that the forecast does not include them; absent if there
   * are none.
   */
  readonly stuck?: number;
  readonly tasks: number;
  /**
   * Numbers of tasks that the runs could have without a limit, ascending; several if the runs differ. Absent if there is no
   * limit.
   */
  readonly available?: readonly number[];
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** undefined if a model has no price. */
  readonly cost: number | undefined;
  /** True if calls, tokens and cost are upper bounds set by budgets; the strategy may well need less. */
  readonly atMost?: boolean;
  readonly problems: readonly CellProblem[];
  readonly warnings: readonly string[];
  /** The difference that the first run can detect against a saved run of the same tasks; absent without a saved run. */
  readonly detectable?: Detectable;
};

/** Returns the remaining work in one line. */
export function restText({ runs, stuck = 0, tasks, calls, input, output, cost, atMost }: Forecast): string {
  const cannot = `${counted(stuck, "run")} cannot start`;
  if (stuck === runs) return `Remaining: ${cannot}`;
  const most = atMost === true ? "at most " : "";
  const price = cost === undefined ? ", price unknown" : cost === 0 ? "" : `, cost ${most}about ${cost.toPrecision(3)}`;
  const amounts = `${most}${counted(calls, "request")}, ${most}about ${counted(input, "input token")} and ${counted(output, "output token")}`;
  const begins = `${counted(tasks, "task")} of ${counted(runs - stuck, "run")}`;
  return `Remaining: ${begins}, ${amounts}${price}${stuck === 0 ? "" : `; ${cannot}`}`;
}

/** Number of tasks for which prompts are rendered, spread over the run; prompts of other tasks are assumed to be similar. */
const looked = 12;

type Need = Spent & {
  readonly tasks: readonly string[];
  readonly atMost?: boolean;
  /** True if all answers exist, so that only the judge receives requests. */
  readonly onlyJudged?: true;
};

/** Existing results. */
export type Saved = {
  /** Saved runs, against which detectable differences are computed. */
  readonly runs: readonly SavedRun[];
  /** Returns the saved runs from which a run reuses answers. */
  answered(spec: RunSpec): Promise<readonly AnsweredRun[]>;
  /** Returns the rows of the run, and the rows of other runs with its model, suite and strategy. If absent, there are none. */
  learnt?(run: string, spec: RunSpec): Promise<Learnt>;
  /** Returns the requests at which a run of forks starts, as its tasks. If absent, they are not known. */
  places?(run: PlannedRun): Promise<readonly Task[]>;
  /** Returns whether the forecast leaves out a task. Absent: none. */
  isScored?(run: string, task: string): boolean;
};

export type Learnt = { readonly own: readonly Row[]; readonly others: readonly Row[] };

const nothingSaved: Saved = { runs: [], answered: () => Promise.resolve([]) };

export const forecastCell = async (
  source: string,
  cell: CellContext,
  suites: Suites,
  models: Models,
  saved: Saved = nothingSaved,
): Promise<Forecast> => forecastRuns(planRunCell(source, cell), suites, models, saved);

/** Returns the forecast of these runs. */
export async function forecastRuns(planned: PlannedCell, suites: Suites, models: Models, saved: Saved) {
  const prepared = new Preparations();
  const problems: CellProblem[] = [...planned.problems];
  const warnings = new Set<string>(repeatsAlike(planned.runs) ? [alikeWarning] : []);
  let detectable: Detectable | undefined;
  const available = new Set<number>();
  const ids = new Set(planned.runs.map(({ run }) => run));
  const needs: Need[] = [];
  for (const run of planned.runs) {
    const suite = suites.suite(run.spec.suite);
    const most = await unlimitedTasks(run, suites, saved).catch(() => undefined);
    if (most !== undefined) available.add(most);
    let asked = [...roleModels(run.spec), ...optionModels(suite, run.spec)];
    try {
      const need = await needOf(run, suites, models, saved, warnings, prepared);
      if (need.onlyJudged === true) asked = [...judgesOfRun(run.spec)];
      if (run === planned.runs[0])
        detectable = await detectableAgainst(need.tasks, ofSameTasks(run.spec, saved.runs), suite.measures, ids);
      needs.push(need);
    } catch (thrown) {
      problems.push({ message: failureOf(thrown).message });
    }
    for (const message of asked.map((name) => models.problem(name)))
      if (message !== undefined && !problems.some((known) => known.message === message)) problems.push({ message });
  }
  if (planned.cache === true) warnings.add("Cached replies are not requested again, so this is an upper bound");
  const before = prepared.sum(models);
  const stuck = planned.runs.length - needs.length;
  const atMost = planned.cache === true || before.calls > 0 || needs.some((need) => need.atMost === true);
  return {
    runs: planned.runs.length,
    tasks: needs.reduce((sum, { tasks }) => sum + tasks.length, 0),
    ...sumOf([...needs, before]),
    ...(stuck > 0 && { stuck }),
    ...(available.size > 0 && { available: [...available].toSorted((one, other) => one - other) }),
    ...(atMost ? { atMost } : {}),
    problems,
    warnings: [...before.notes, ...warnings],
    ...(detectable === undefined ? {} : { detectable }),
  };
}

/** Requests with their tokens; `cost` is undefined if a model has no price. */
type Spent = {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cost: number | undefined;
};

const nothingSpent: Spent = { calls: 0, input: 0, output: 0, cost: 0 };

const sumOf = (all: readonly Spent[]): Spent =>
  all.reduce(
    (sum, { calls, input, output, cost }): Spent => ({
      calls: sum.calls + calls,
      input: sum.input + input,
      output: sum.output + output,
      cost: sum.cost === undefined || cost === undefined ? undefined : sum.cost + cost,
    }),
    nothingSpent,
  );

const ofSameTasks = ({ suite, split, data, dataset }: RunSpec, saved: readonly SavedRun[]): readonly SavedRun[] =>
  saved.filter(
    ({ spec }) => spec.suite === suite && spec.split === split && spec.data === data && spec.dataset === dataset,
  );

const alikeWarning =
  "Repeats at temperature 0 are of little use, because most models give the same answer each time: set a temperature above 0";

/**
 * Returns whether runs that differ only in their trial send requests at temperature 0. Built-in models draw again in each trial.
 */
function repeatsAlike(runs: readonly PlannedRun[]): boolean {
  const asking = runs.filter(
    ({ spec, predictions }) =>
      predictions === undefined &&
      spec.temperature === 0 &&
      !samples(spec) &&
      spec.model !== "none" &&
      !spec.model.startsWith("builtin/"),
  );
  return new Set(asking.map(({ spec }) => JSON.stringify({ ...spec, trial: 0 }))).size < asking.length;
}

/** Returns whether a strategy draws samples at its own temperature. */
const samples = ({ options }: RunSpec): boolean =>
  Object.entries(options).some(([name, value]) => name.endsWith(".temperature") && Number(value) > 0);

/** Undefined for answers from a file. */
async function unlimitedTasks(planned: PlannedRun, suites: Suites, saved: Saved): Promise<number | undefined> {
  if (planned.predictions !== undefined) return undefined;
  return filteredTasks(await poolOf(planned, suites, saved), planned.spec).length;
}

/** Returns the tasks among which a run chooses: the tasks of its data, or the requests at which forks start. */
function poolOf(planned: PlannedRun, suites: Suites, { places }: Saved): Promise<readonly Task[]> {
  const { suite, data, split, forks } = planned.spec;
  return forks === undefined || places === undefined ? suites.tasks(suite, data, split) : places(planned);
}

/** Throws `Problem` if data are missing, so that the run could not start. */
async function needOf(
  planned: PlannedRun,
  suites: Suites,
  models: Models,
  saved: Saved,
  warnings: Set<string>,
  prepared: Preparations,
): Promise<Need> {
  const { run, spec, predictions, samples: picked } = planned;
  if (predictions !== undefined) return { tasks: [], ...nothingSpent };
  if (picked !== undefined && spec.pick === "judge")
    warnings.add("The forecast leaves out the judge that picks among samples, which is asked once per task");
  if (picked !== undefined) return { tasks: [], ...nothingSpent };
  const loaded = await suites.open(spec.suite, spec.data);
  const pool = await poolOf(planned, suites, saved);
  const tasks = chosenTasks(pool, spec, loaded.suite).filter(({ id }) => saved.isScored?.(run, id) !== true);
  const lacking = lackingForAll(loaded, tasks, spec) ?? lackingVariant(loaded, tasks, spec);
  if (lacking !== undefined) throw new Problem("tool", lacking);
  const answered = await saved.answered(spec);
  const unscored = loaded.suite.unscored?.(spec);
  if (unscored !== undefined) warnings.add(unscored);
  const { asked, unjudged } = openOf(tasks, answered, warnings);
  for (const warning of dataWarnings(loaded, spec)) warnings.add(warning);
  if (asked.length > 0) prepared.add(spec, loaded.toolkits?.requests(spec, asked) ?? []);
  const strategy = suites.suite(spec.suite).strategies.find(({ name }) => name === spec.strategy);
  const learnt = (await saved.learnt?.(run, spec)) ?? { own: [], others: [] };
  const ids = tasks.map(({ id }) => id);
  const shots = (task: Task) => (spec.shots === 0 ? [] : loaded.shots(task, spec.shots, pool, randomFrom(spec.seed)));
  const needed = (some: readonly Task[]) =>
    strategy && estimated(strategy, some, (task) => ({ task, loaded, spec, shots: shots(task) }));
  const byId = new Map(pool.map((task) => [task.id, task]));
  const known = asked.length === tasks.length ? learntFrom(learnt.own, asked, byId, needed) : undefined;
  if (known !== undefined) {
    warnings.add(`Estimated from ${counted(known.from, "finished task")} of this run`);
    return { ...known.spent, tasks: ids };
  }
  const { note, ...judging } = await judgingOf(spec, unjudged, loaded, models);
  if (note !== undefined) warnings.add(note);
  const isJudged = judging.calls > 0;
  if (tasks.length > 0 && asked.length === 0) return { ...judging, tasks: ids, atMost: isJudged, onlyJudged: true };
  if (strategy === undefined || strategy.roles.length === 0 || tasks.length === 0)
    return { tasks: ids, ...nothingSpent };
  const whole = asked.reduce((sum, task) => sum + partLeft(task), 0);
  const alike = learntFrom(learnt.others.map(withoutJudge), asked, byId, needed, whole);
  if (alike !== undefined) {
    warnings.add(
      `Estimated from ${counted(alike.from, "task")} of earlier runs of ${spec.model} with \`${spec.strategy}\``,
    );
    return { ...sumOf([alike.spent, judging]), tasks: ids, ...(isJudged && { atMost: true }) };
  }
  const need = needed(asked);
  if (need === undefined) {
    warnings.add(`The number of calls of \`${strategy.name}\` depends on the model; tokens are not forecast`);
    return { tasks: ids, ...nothingSpent, cost: undefined };
  }
  const { calls, input, output } = need;
  const rounded = { calls: Math.round(calls), input: Math.round(input), output: Math.round(output) };
  const own = { ...rounded, cost: costOf(models, spec.model, need) };
  return { tasks: ids, ...sumOf([own, judging]), atMost: need.atMost || isJudged };
}

/** Returns the tasks without an answer, and the tasks without a score. Adds the sources of the other answers to `warnings`. */
function openOf(tasks: readonly Task[], answered: readonly AnsweredRun[], warnings: Set<string>) {
  const taken = new Set<string>();
  const scored = new Set<string>();
  for (const { source, store, tasks: ids, isScoredAlike } of answered) {
    const own = tasks.filter(({ id }) => ids.has(id));
    if (own.length > 0) warnings.add(takenText({ source, answers: own.length }));
    for (const { id } of own) {
      taken.add(id);
      if (isScoredAlike && store.table.row(id)?.state === "scored") scored.add(id);
    }
  }
  return { asked: tasks.filter(({ id }) => !taken.has(id)), unjudged: tasks.filter(({ id }) => !scored.has(id)) };
}

/** Returns the share of a task's requests that are repeated: less than 1 if it continues from a later request. */
function partLeft({ facets }: Task): number {
  const [request, requests] = [facets[pointFacets.request], facets[pointFacets.requests]].map(Number);
  return request! > 0 && requests! > 0 ? (requests! - request! + 1) / requests! : 1;
}

/** Number of ended tasks from which a forecast learns. */
const leastLearnt = 3;

/**
 * Extrapolates the mean usage of scored tasks to `tasks`. Also scales inputs by the tokens of the tasks' first requests, because
 * prompts differ in length. `amount` is less than the number of tasks if some start in the middle. Undefined if too few of the
 * scored tasks sent requests.
 */
function learntFrom(
  rows: readonly Row[],
  tasks: readonly Task[],
  known: ReadonlyMap<string, Task>,
  needed: (some: readonly Task[]) => Needed | undefined,
  amount = tasks.length,
): { readonly spent: Spent; readonly from: number } | undefined {
  const asked = rows.filter(
    ({ state, counted: { calls }, notes }) =>
      state === "scored" && calls > 0 && !notes.some(({ type }) => type === "answer-from"),
  );
  if (asked.length < leastLearnt) return undefined;
  const used = sumOf(asked.map(({ counted: { calls, cost, tokens } }) => ({ ...tokens, calls, cost })));
  const times = amount / asked.length;
  const ended = asked.map(({ task }) => known.get(task)).filter((task) => task !== undefined);
  const before = ended.length === asked.length ? needed(ended)?.first : undefined;
  const after = before ? needed(tasks)?.first : undefined;
  const longer = before && after ? after / before / times : 1;
  const input = used.input * times * longer;
  const output = used.output * times;
  const cost = used.cost && (used.cost * (input + output)) / (used.input + used.output);
  const rounded = { calls: Math.round(used.calls * times), input: Math.round(input), output: Math.round(output) };
  return { spent: { ...rounded, cost }, from: asked.length };
}

/** Returns the row without its judge's usage, because runs that differ only in the judge are otherwise alike. */
function withoutJudge(row: Row): Row {
  const { counted: all, judging } = row;
  if (judging === undefined) return row;
  const tokens = {
    ...all.tokens,
    input: all.tokens.input - judging.tokens.input,
    output: all.tokens.output - judging.tokens.output,
  };
  const cost = all.cost === undefined || judging.cost === undefined ? undefined : all.cost - judging.cost;
  return { ...wholeOf(row), counted: { ...all, calls: all.calls - judging.calls, tokens, cost } };
}

type Needed = Required<Estimate>;

/** Returns the tokens that the run's own system message adds to each request. */
const systemTokens = (context: Pick<TaskContext, "loaded" | "spec">): number =>
  tokensOf(
    withSystem(context, [])
      .map(({ content }) => content)
      .join(),
  );

/** Extrapolates a strategy's requests for these tasks from a few of the tasks; undefined if the requests depend on the model. */
function estimated(
  strategy: Strategy,
  asked: readonly Task[],
  contextOf: (task: Task) => Pick<TaskContext, "task" | "loaded" | "spec" | "shots">,
): Needed | undefined {
  const some = asked.filter((_, index) => index % Math.ceil(asked.length / looked) === 0);
  const mean = { calls: 0, input: 0, output: 0, first: 0 };
  let atMost = false;
  for (const task of some) {
    const context = contextOf(task);
    const one = strategy.estimate?.(servedContext(strategy, context));
    if (one === undefined) return undefined;
    const before = systemTokens(context);
    const part = partLeft(task) / some.length;
    atMost ||= one.atMost ?? false;
    mean.calls += one.calls * part;
    mean.input += (one.input + one.calls * before) * part;
    mean.output += one.output * part;
    mean.first += ((one.first ?? one.input) + before) / some.length;
  }
  return {
    calls: mean.calls * asked.length,
    input: mean.input * asked.length,
    output: mean.output * asked.length,
    first: mean.first * asked.length,
    atMost,
  };
}

/**
 * Approximate tokens that a judge's prompt has in addition to the request in it (instructions, an answer, a reference), and
 * tokens of its reply.
 */
const judgesTokens = { input: 800, output: 100 };

/** Returns the maximum number of requests to the judge of a run, and a note on it. */
async function judgingOf(
  spec: RunSpec,
  tasks: readonly Task[],
  loaded: LoadedSuite,
  models: Models,
): Promise<Spent & { readonly note?: string }> {
  const { suite } = spec;
  const judges = judgesOfRun(spec);
  if (judges.length === 0) return nothingSpent;
  if (loaded.judging === undefined)
    return { ...nothingSpent, note: `\`${suite}\` is scored by rules: no judge is asked` };
  const need = { calls: 0, input: 0, output: 0 };
  const yieldIfDue = eventLoopYielder();
  for (const task of tasks) {
    await yieldIfDue();
    const calls = loaded.judging?.(task, spec) ?? 0;
    need.calls += calls;
    need.input += calls * (tokensOf(task.question) + judgesTokens.input);
    need.output += calls * judgesTokens.output;
  }
  const costs = judges.map((judge) => costOf(models, judge, need));
  const all = {
    calls: need.calls * judges.length,
    input: need.input * judges.length,
    output: need.output * judges.length,
  };
  const who = judges.length === 1 ? `${judges[0]} as the judge` : `${judges.join(", ")} as judges`;
  const note = `At most ${all.calls.toLocaleString("en")} of these calls are to ${who}`;
  const cost = costs.includes(undefined) ? undefined : costs.reduce<number>((sum, each) => sum + each!, 0);
  return { ...all, cost, note };
}

/** The requests that the runs of a cell send before their first tasks, each once, because runs of a grid share them. */
class Preparations {
  readonly #all = new Map<string, PreparationRequests>();

  /** Adds the requests of one run; a request that another run has added already is counted once for both. */
  add({ data, suite }: RunSpec, needed: readonly PreparationRequests[]): void {
    for (const one of needed) this.#all.set(JSON.stringify([suite, data, one.model, one.what, one.of]), one);
  }

  /** Returns the upper bound, with a sentence for each model and purpose. */
  sum(models: Models): Spent & { readonly notes: readonly string[] } {
    const all = [...this.#all.values()];
    const purposes = Map.groupBy(all, ({ model, what }) => `${model} ${what}`);
    const notes = [...purposes.values()].map((same) => {
      const calls = same.reduce((sum, one) => sum + one.calls, 0);
      const { model, what } = same[0]!;
      return `First, ${model}: at most ${counted(calls, "request")} for ${what}; replies are cached`;
    });
    return { ...sumOf(all.map((one) => ({ ...one, cost: costOf(models, one.model, one) }))), notes };
  }
}
