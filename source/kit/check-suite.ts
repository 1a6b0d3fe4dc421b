/** Contract test for users' suites, executed on their own tasks. */
import { type LoadedSuite, perfectReply, type ScoreContext } from "../engine/loaded-suite.ts";
import { verdictOf } from "../engine/log/rows/verdict.ts";
import { evaluate } from "../engine/measures/measure.ts";
import { noUsage } from "../engine/log/rows/run-sums.ts";
import { planRunCell } from "../engine/session/run-cell.ts";
import { sampleOf } from "../engine/settings/package-folder.ts";
import { randomFrom } from "../engine/statistics/random.ts";
import type { Strategy } from "../engine/strategy.ts";
import type { Suite } from "../engine/suite.ts";
import { MissingFile } from "../engine/text/json-lines.ts";
import type { DataKind, Row, RunSpec, Score, Task } from "../engine/types.ts";
import { runBuiltin } from "./builtin-run.ts";
import { missingOfToolkits, wrongTransfer } from "./toolkit-contract.ts";
import { toyPrograms, toys, toyTools } from "./toy-tools.ts";

type Checked = {
  readonly suite: Suite;
  readonly loaded: LoadedSuite;
  readonly data: DataKind;
  readonly tasks: readonly SplitTask[];
  /** Settings by the text of their cell, because parsing this text takes longer than executing most tasks. */
  readonly specs: Map<string, RunSpec>;
};
type SplitTask = { readonly split: string; readonly task: Task };

/**
 * Resolves to a sentence for each violation of the contract; empty if the suite satisfies it. Names and ids are unique, and
 * facets match the tasks. Perfect replies are right in every task and strategy, and reach the best value, or the declared
 * ceiling, of every percent measure. Each kind of fault is detected as itself, and toolkits can be transferred to a worker. Uses
 * the suite's sample or its own tasks and skips splits whose files the sample lacks, unless all are missing; `unscored` names
 * splits without an answer key. Rejects with errors that the suite throws.
 */
export async function checkContract(suite: Suite, unscored: readonly string[] = []): Promise<readonly string[]> {
  await suite.ready?.();
  const data = suite.identity === undefined ? "sample" : "own";
  const loaded = await suite.open({ folder: sampleOf(suite), data, toolSources: toyTools });
  try {
    const problems = [...namesTwice(suite), ...unknownNames(suite)];
    const tasks: SplitTask[] = [];
    for (const { name: split } of suite.splits) {
      const all = await tasksOf(loaded, split);
      if (all === undefined) continue;
      if (all.length === 0) problems.push(`Split \`${split}\` has no tasks`);
      problems.push(...repeated(all.map(({ id }) => id)).map((id) => `Split \`${split}\` has task \`${id}\` twice`));
      tasks.push(...all.map((task) => ({ split, task })));
    }
    if (tasks.length === 0 && problems.length === 0) problems.push("The sample has no files for any split");
    problems.push(...wrongFacets(suite, tasks));
    problems.push(...missingOfToolkits(loaded));
    const specs = new Map<string, RunSpec>();
    const scored = distinct(tasks.filter(({ split }) => !unscored.includes(split)));
    return [
      ...problems,
      ...(await wrongScores({ suite, loaded, data, tasks: scored, specs })),
      ...(missingOfToolkits(loaded).length === 0 ? await wrongToolkits({ suite, loaded, data, tasks, specs }) : []),
    ];
  } finally {
    loaded.close?.();
  }
}

/** Returns the strategies that ask a model themselves. */
const askingStrategies = ({ strategies }: Suite): readonly Strategy[] =>
  strategies.filter(({ roles, mayLackModel }) => roles.length > 0 && mayLackModel !== true);

async function wrongToolkits(checked: Checked): Promise<readonly string[]> {
  const { suite, loaded, data, tasks } = checked;
  if (loaded.toolkits === undefined) return [];
  const elsewhere = await suite.open({ folder: sampleOf(suite), data, toolSources: toyTools });
  try {
    const split = suite.splits[0]!.name;
    const own = tasks.flatMap((each) => (each.split === split ? [each.task] : []));
    const problems: string[] = [];
    for (const strategy of askingStrategies(suite)) {
      const spec = specOf(checked, split, strategy, "builtin/oracle");
      problems.push(...(await wrongTransfer(loaded, elsewhere, spec, own)));
    }
    return problems;
  } finally {
    elsewhere.close?.();
  }
}

/** The tasks of a split; undefined if the sample lacks its files. */
async function tasksOf(loaded: LoadedSuite, split: string): Promise<readonly Task[] | undefined> {
  try {
    return await loaded.tasks(split);
  } catch (error) {
    if (error instanceof MissingFile) return undefined;
    throw error;
  }
}

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

function namesTwice({ splits, facets, strategies, options, measures, errorKinds, faultKinds }: Suite): string[] {
  const lists = { splits, facets, strategies, options, measures, errorKinds, faultKinds };
  return Object.entries(lists).flatMap(([list, parts]) =>
    repeated(parts.map(({ name }) => name)).map((name) => `\`${list}\` has \`${name}\` twice`),
  );
}

function unknownNames({ errorKinds, faultKinds, measures, ceilings = [] }: Suite): string[] {
  const [kinds, names] = [errorKinds.map(({ name }) => name), measures.map(({ name }) => name)];
  const errors = faultKinds.flatMap(({ name, errors: own = [name] }) => own).filter((name) => !kinds.includes(name));
  const ofNothing = ceilings.filter(({ measure }) => !names.includes(measure));
  return [
    ...errors.map((name) => `A kind of fault causes the error \`${name}\`, which is not among \`errorKinds\``),
    ...ofNothing.map(({ measure }) => `A ceiling names the measure \`${measure}\`, which is not among \`measures\``),
  ];
}

function wrongFacets({ facets }: Suite, tasks: readonly SplitTask[]): string[] {
  const present = new Set(tasks.flatMap(({ task }) => Object.keys(task.facets)));
  const declared = facets.map(({ name }) => name);
  const unordered = facets.flatMap(({ name, order }) =>
    order === undefined
      ? []
      : tasks.flatMap(({ task }) => {
          const value = task.facets[name];
          return value === undefined || order.includes(value) ? [] : [{ name, task }];
        }),
  );
  return [
    ...[...present]
      .filter((name) => !declared.includes(name))
      .map((name) => `Tasks have a facet \`${name}\`, which is not among \`facets\``),
    ...declared.filter((name) => !present.has(name)).map((name) => `No task has the facet \`${name}\``),
    ...unordered.map(
      ({ name, task }) =>
        `\`${task.facets[name]}\`, the \`${name}\` of task \`${task.id}\`, is not in the facet's order`,
    ),
  ];
}

/** Returns every task once, with the first split that contains it. */
function distinct(tasks: readonly SplitTask[]): readonly SplitTask[] {
  const found = new Map<string, SplitTask>();
  for (const each of tasks) {
    const key = JSON.stringify([each.task.id, each.task.facets]);
    if (!found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}

async function wrongScores(checked: Checked): Promise<string[]> {
  const asking = askingStrategies(checked.suite);
  const perfect = new Map<Strategy, readonly Score[]>();
  const problems: string[] = [];
  for (const strategy of asking) {
    const scores: Score[] = [];
    for (const each of checked.tasks) scores.push((await scoreOf(checked, each, strategy)).score);
    perfect.set(strategy, scores);
    problems.push(...shortOfCeilings(checked, strategy, scores), ...(await severalFaults(checked, strategy)));
  }
  for (const kind of checked.suite.faultKinds) problems.push(...(await wrongFault(checked, kind, perfect)));
  return problems;
}

/**
 * Executes a task with mistakes of this kind wherever possible, with `any` kind, or without a kind perfectly. Resolves to the
 * score and the kinds of the mistakes that were made.
 */
async function scoreOf(checked: Checked, { split, task }: SplitTask, strategy: Strategy, kind?: string | typeof any) {
  const { loaded } = checked;
  const made: string[] = [];
  const fault: LoadedSuite["fault"] = (...given) => {
    const reply = loaded.fault?.(...given);
    if (reply !== undefined) made.push(given[2]);
    return reply;
  };
  const model = kind === undefined ? "oracle" : `slips?${kind === any ? "rate" : kind}=1`;
  const spec = specOf(checked, split, strategy, `builtin/${model}`);
  const random = randomFrom(`${String(kind)} ${task.id}`);
  const ask: ScoreContext["ask"] = async (stage, messages) => {
    const asked = { role: "judge", stage, messages, tools: [], spec } as const;
    const reply = kind === undefined || kind === any ? undefined : fault(task, asked, kind, random);
    return (reply ?? perfectReply(loaded, task, asked)).text;
  };
  const { score } = await runBuiltin({ loaded: { ...loaded, fault }, strategy, spec, model, ask }, task);
  return { score, made: [...new Set(made)] };
}

/** Stands for mistakes of any kind. */
const any = Symbol("any kind");

/** Returns the settings of a run cell that contains only these fields. */
function specOf({ suite, data, specs }: Checked, split: string, { name, roles }: Strategy, model: string): RunSpec {
  const responder = roles.includes("responder") ? "responder: builtin/oracle\n" : "";
  const tools = suite.takesTools === true ? `tools: [${toys}]\n` : "";
  const source = `suite: ${suite.name}\nsplit: ${JSON.stringify(split)}\nstrategy: ${name}\nmodel: ${model}\n${responder}${tools}judge: builtin/oracle\n`;
  const known = specs.get(source);
  if (known !== undefined) return known;
  const { runs, problems } = planRunCell(source, {
    suites: [suite],
    defaultData: () => data,
    programs: () => toyPrograms,
  });
  const [run] = runs;
  if (run === undefined) throw new RangeError(problems.map(({ message }) => message).join("; "));
  specs.set(source, run.spec);
  return run.spec;
}

/** A rate of mistakes means nothing if a task gets several. */
async function severalFaults(checked: Checked, strategy: Strategy): Promise<string[]> {
  const problems: string[] = [];
  for (const each of checked.tasks) {
    const { made } = await scoreOf(checked, each, strategy, any);
    if (made.length > 1)
      problems.push(
        `\`slips?rate=1\` makes several faults in task \`${each.task.id}\` with \`${strategy.name}\` (${made.join(", ")}): \`allowsFault\` must state which of them the task allows`,
      );
  }
  return problems;
}

function shortOfCeilings({ suite, tasks }: Checked, { name }: Strategy, scores: readonly Score[]): string[] {
  const wrong = tasks.filter((_, index) => verdictOf(scores[index]) !== "right");
  const rows = tasks.map(({ task }, index) => rowOf(task, scores[index]!));
  const ceilings = new Map((suite.ceilings ?? []).map(({ measure, sample }) => [measure, sample]));
  const short = suite.measures.flatMap((measure) => {
    const { value } = evaluate(measure, rows);
    if (measure.unit !== "percent" || value === undefined) return [];
    const best = ceilings.get(measure.name) ?? (measure.better === "higher" ? 1 : 0);
    return Number(value.toFixed(4)) === best
      ? []
      : [`Perfect replies score ${value} in \`${measure.name}\` with \`${name}\`, not ${best}`];
  });
  return [
    ...wrong.map(({ task }) => `The perfect reply to task \`${task.id}\` does not count as right with \`${name}\``),
    ...short,
  ];
}

function rowOf({ id, question, facets }: Task, score: Score): Row {
  const usage = { counted: noUsage, spent: noUsage, notes: [], from: 0, to: 0 };
  return { run: "", task: id, question, facets, state: "scored", score, failure: undefined, ...usage };
}

/** Uses the first strategy in which such a fault is possible. */
async function wrongFault(
  checked: Checked,
  { name, errors: named = [name] }: Suite["faultKinds"][number],
  perfect: ReadonlyMap<Strategy, readonly Score[]>,
): Promise<string[]> {
  for (const [strategy, oracle] of perfect) {
    const usual = new Set(oracle.flatMap(({ errors }) => errors.map(({ kind }) => kind)));
    const problems: string[] = [];
    let [made, found] = [0, 0];
    for (const [index, each] of checked.tasks.entries()) {
      const faulty = await scoreOf(checked, each, strategy, name);
      if (faulty.made.length === 0) continue;
      made += 1;
      const where = `The fault \`${name}\` in task \`${each.task.id}\``;
      if (named.length > 0 && JSON.stringify(faulty.score) === JSON.stringify(oracle[index]))
        problems.push(`${where} does not change the score`);
      const kinds = faulty.score.errors.map(({ kind }) => kind);
      // Other errors in this task are consequences of the fault.
      const others = kinds.filter((kind) => !usual.has(kind));
      if (kinds.some((kind) => named.includes(kind))) found += 1;
      else if (others.length > 0) problems.push(`${where} is reported as ${others.join(", ")}`);
    }
    if (made === 0) continue;
    if (found > 0 !== named.length > 0)
      problems.push(
        `The fault \`${name}\` is ${found > 0 ? "reported, although `errors` names no error for it" : "never reported"}`,
      );
    return problems;
  }
  return [`The fault \`${name}\` cannot be made in any task`];
}
