/** What every suite promises, proved on its sample. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyses } from "../../analyses/index.ts";
import type { LoadedSuite, ScoreContext } from "../../source/engine/loaded-suite.ts";
import { perfectReply } from "../../source/engine/loaded-suite.ts";
import { verdictOf } from "../../source/engine/log/verdict.ts";
import type { ToolSources } from "../../source/engine/protocol.ts";
import { planRunCell } from "../../source/engine/session/run-cell.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { Row, RunSpec, Score, Task } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { bareRow } from "../bare-row.ts";
import { runWithBuiltin } from "./run-with-builtin.ts";

/** Splits without answer keys: their answers can only be handed in. */
const unscored: Readonly<Record<string, readonly string[]>> = { travelplanner: ["test"] };

type SplitTask = { readonly split: string; readonly task: Task };

/** Every task once, with the first split that has it. */
async function tasksOf(loaded: LoadedSuite, splits: readonly string[]): Promise<readonly SplitTask[]> {
  const found = new Map<string, SplitTask>();
  for (const split of splits)
    for (const task of await loaded.tasks(split)) {
      const key = JSON.stringify([task.id, task.facets]);
      if (!found.has(key)) found.set(key, { split, task });
    }
  return [...found.values()];
}

/** The settings a run cell that names no more than these gets. */
function specOf(suite: Suite, split: string, strategy: string, model: string): RunSpec {
  const { roles } = suite.strategies.find(({ name }) => name === strategy)!;
  const responder = roles.includes("responder") ? "responder: builtin/oracle\n" : "";
  const tools = suite.takesTools === true ? "tools: [toys]\n" : "";
  const source = `suite: ${suite.name}\nsplit: ${split}\nstrategy: ${strategy}\nmodel: ${model}\n${responder}${tools}judge: builtin/oracle\n`;
  const programs = () => ({ toolServers: new Map([["toys", "of these tests"]]), agents: new Map<string, string>() });
  const { runs, problems } = planRunCell(source, { suites: [suite], defaultData: () => "sample", programs });
  expect(problems).toEqual([]);
  return runs[0]!.spec;
}

/** Tools for suites that take some: one that says what it is given. */
const toolSources: ToolSources = {
  tokens: () => 20,
  open: async () => ({
    description: "Toys",
    tools: [
      {
        name: "echo",
        description: "Says it again",
        parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      },
    ],
    call: async ({ text }) => ({ ok: true, observation: text, status: "ok" }),
    close: async () => {},
  }),
};

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

describe.each(suites.map((suite) => [suite.name, suite] as const))("%s", (_, suite) => {
  const splits = suite.splits.map(({ name }) => name);
  const scoredSplits = splits.filter((split) => !unscored[suite.name]?.includes(split));
  const asking = suite.strategies
    .filter(({ roles, mayLackModel }) => roles.length > 0 && mayLackModel !== true)
    .map(({ name }) => name);
  let loaded: LoadedSuite;
  let tasks: readonly SplitTask[];
  /** Scores of perfect replies, by strategy. */
  const perfect = new Map<string, readonly Score[]>();
  beforeAll(async () => {
    loaded = await suite.open({ folder: sampleFolder(suite.name), data: "sample", toolSources });
    tasks = await tasksOf(loaded, scoredSplits);
  });
  afterAll(() => loaded.close?.());

  /** Executes a task with mistakes of this kind wherever they can be made; without one, perfectly. */
  async function scoreOf({ split, task }: SplitTask, strategy: string, kind?: string) {
    let made = 0;
    const fault: LoadedSuite["fault"] = (...given) => {
      const reply = loaded.fault?.(...given);
      if (reply !== undefined) made += 1;
      return reply;
    };
    const model = kind === undefined ? "oracle" : `slips?${kind}=1`;
    const spec = specOf(suite, split, strategy, `builtin/${model}`);
    const random = randomFrom(`${kind} ${task.id}`);
    const ask: ScoreContext["ask"] = async (stage, messages) => {
      const asked = { role: "judge", stage, messages, tools: [], spec } as const;
      const reply = kind === undefined ? undefined : fault(task, asked, kind, random);
      return (reply ?? perfectReply(loaded, task, asked)).text;
    };
    const { score } = await runWithBuiltin({ ...loaded, fault }, task, spec, model, { ask });
    return { score, made };
  }

  async function perfectScores(strategy: string): Promise<readonly Score[]> {
    let scores = perfect.get(strategy);
    if (scores === undefined) {
      const executed = [];
      for (const each of tasks) executed.push((await scoreOf(each, strategy)).score);
      perfect.set(strategy, (scores = executed));
    }
    return scores;
  }

  test("has tasks in every split, each id once", async () => {
    for (const split of splits) {
      const ids = (await loaded.tasks(split)).map(({ id }) => id);
      expect(ids.length, split).toBeGreaterThan(0);
      expect(repeated(ids), split).toEqual([]);
    }
  });

  test("names each split, facet, strategy, option, measure, error kind and fault kind once", () => {
    const { facets, strategies, options, measures, errorKinds, faultKinds } = suite;
    for (const list of [suite.splits, facets, strategies, options, measures, errorKinds, faultKinds])
      expect(repeated(list.map(({ name }) => name))).toEqual([]);
  });

  test("declares the facets its tasks have, and has tasks with each", async () => {
    const all = await tasksOf(loaded, splits);
    const present = new Set(all.flatMap(({ task }) => Object.keys(task.facets)));
    expect([...present].sort()).toEqual(suite.facets.map(({ name }) => name).sort());
    for (const { name, order } of suite.facets)
      if (order !== undefined)
        expect(order, name).toEqual(expect.arrayContaining(all.map(({ task }) => task.facets[name]!)));
  });

  test("names only analyses that exist, and errors of its own", () => {
    expect(analyses.map(({ name }) => name)).toEqual(expect.arrayContaining([...suite.analyses]));
    const errors = suite.faultKinds.flatMap(({ name, errors: named = [name] }) => named);
    expect(suite.errorKinds.map(({ name }) => name)).toEqual(expect.arrayContaining([...errors]));
    expect(suite.measures.map(({ name }) => name)).toEqual(
      expect.arrayContaining((suite.ceilings ?? []).map(({ measure }) => measure)),
    );
  });

  test.each(asking)("the oracle is right in every task with %s, and reaches the stated ceilings", async (strategy) => {
    const scores = await perfectScores(strategy);
    expect(scores.map(verdictOf)).toEqual(scores.map(() => "right"));
    const rows = tasks.map(({ task }, index): Row =>
      bareRow("r", task.id, { facets: task.facets, score: scores[index]! }),
    );
    const short = suite.measures
      .filter(({ unit }) => unit === "percent")
      .map((measure) => ({ measure, value: measure.of(rows).value }))
      .filter(({ measure: { better }, value }) => value !== undefined && value !== (better === "higher" ? 1 : 0))
      .map(({ measure: { name }, value }) => [name, Number(value!.toFixed(4))] as const);
    const stated = (suite.ceilings ?? []).map(({ measure, sample }) => [measure, sample] as const);
    expect(Object.fromEntries(short)).toEqual(Object.fromEntries(stated));
  });

  test.each(suite.faultKinds)("$name is found as what it is", async ({ name, errors: named = [name] }) => {
    for (const strategy of asking) {
      const oracle = await perfectScores(strategy);
      const usual = new Set(oracle.flatMap(({ errors }) => errors.map(({ kind }) => kind)));
      let [made, found] = [0, 0];
      for (const [index, each] of tasks.entries()) {
        const faulty = await scoreOf(each, strategy, name);
        if (faulty.made === 0) continue;
        made += 1;
        if (named.length > 0) expect(faulty.score, each.task.id).not.toEqual(oracle[index]);
        const kinds = faulty.score.errors.map(({ kind }) => kind);
        if (kinds.some((kind) => named.includes(kind))) found += 1;
        // What else went wrong in this task follows from it.
        else
          expect(
            kinds.filter((kind) => !usual.has(kind)),
            each.task.id,
          ).toEqual([]);
      }
      if (made === 0) continue;
      expect(found > 0).toBe(named.length > 0);
      return;
    }
    throw new Error(`Expected ${name} to be possible in some task of the sample`);
  });
});
