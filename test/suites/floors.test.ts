/** Trivial answers in every suite: their scores on its sample and on published data, and that none reads its own task's answer. */
import { describe, expect, it, test } from "vitest";
import type { RunFloors } from "../../source/engine/analysis.ts";
import { type LoadedSuite, usualFloors } from "../../source/engine/loaded-suite.ts";
import { bestFloor } from "../../source/engine/measures/floor.ts";
import { floorSpec, scoreFloors } from "../../source/engine/run/floor-scores.ts";
import { sampleOf } from "../../source/engine/settings/package-folder.ts";
import type { Suite } from "../../source/engine/suite.ts";
import type { DataKind, Task } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { bareRow } from "../bare-row.ts";
import { bareSpec } from "../bare-spec.ts";
import { describePublished, shared } from "../shared.ts";

const named = (name: string) => suites.find((suite) => suite.name === name)!;
const open = (suite: Suite, data: DataKind, folder: string): Promise<LoadedSuite> => suite.open({ folder, data });

type Known = { readonly loaded: LoadedSuite; readonly tasks: readonly Task[]; readonly floors: RunFloors };

async function known(name: string, split: string, folder?: string): Promise<Known> {
  const suite = named(name);
  const data = folder === undefined ? "sample" : "published";
  const loaded = await open(suite, data, folder ?? sampleOf(suite));
  const tasks = await loaded.tasks(split);
  const spec = floorSpec(bareSpec(name, { split, data }), suite);
  return { loaded, tasks, floors: await scoreFloors(loaded, tasks, spec, new AbortController().signal) };
}

/** Returns the best floor of a measure over all of these tasks, as `64.80 the plan is valid`. */
function best(name: string, measure: string, { tasks, floors }: Known): string | undefined {
  const rows = tasks.map(({ id, question, facets }) => bareRow("a", id, { question, facets }));
  const found = named(name).measures.find((each) => each.name === measure)!;
  const scored = floors.floors.flatMap(({ name: of, scores }) => {
    const own = rows.map((row) => ({ ...row, score: scores.get(row.task) }));
    const floor = bestFloor(found, own, [{ rows: own, floors: { floors: [{ name: of, scores }], unscored: [] } }]);
    return floor === undefined ? [] : [floor];
  });
  const [first] = scored.toSorted((one, other) => other.gets - one.gets);
  return first && `${(first.gets * 100).toFixed(2)} ${first.name}`;
}

describe("floors on the suites' samples", () => {
  test.each([
    ["appbench", "all", "official.success", "0.00 nothing"],
    ["appbench", "all", "official.f1-app", "11.68 always the first app"],
    ["ultratool", "en/tool_creation_awareness", "official.tool_creation_awareness.local", "57.89 no for every step"],
    ["ultratool", "en/tool_selection", "official.tool_selection.local", "21.05 always the first tool"],
    ["travelplanner", "validation", "delivery", "100.00 empty days"],
    ["travelplanner", "validation", "commonsense.micro", "66.67 days at home"],
    ["planningarena", "generated", "pgr", "100.00 always the first tool"],
    ["planningarena", "generated", "result", "0.00 nothing"],
    ["toolbench", "all", "rule.success", "0.00 nothing"],
    ["apibench", "torchhub", "official.pass", "25.00 always the first API"],
    ["own", "all", "accuracy", "0.00 nothing"],
    ["mcp", "all", "accuracy", "0.00 nothing"],
    ["planbench", "blocksworld/task_3_plan_verification", "official.right", "33.33 the plan is valid"],
    ["planbench", "blocksworld/task_4_plan_reuse", "official.right", "75.00 the example's plan again"],
    ["planbench", "blocksworld/task_6_replanning", "official.right", "25.00 nothing"],
  ])("%s %s: %s is %s", async (name, split, measure, expected) => {
    expect(best(name, measure, await known(name, split))).toBe(expected);
  });

  it("exclude trivial answers that only a judge could score, and list the kinds of the excluded answers", async () => {
    expect((await known("travelplanner", "validation")).floors.unscored).toEqual(["filler"]);
    const planning = await known("ultratool", "en/planning");
    expect(planning.floors).toEqual({ floors: [], unscored: ["nothing", "filler"] });
  });
});

// Only the process knows the value of a trivial answer.
const told = suites.filter(({ tasksFrom }) => tasksFrom === undefined);
describe.each(told.map((suite) => [suite.name, suite] as const))("the floors of %s", (name, suite) => {
  it("start with the empty and the filler answer, and have different names", async () => {
    const loaded = await open(suite, "sample", sampleOf(suite));
    const spec = bareSpec(name);
    const all = await loaded.tasks(suite.splits[0]!.name);
    const names = (loaded.floors?.(all, spec) ?? usualFloors).map((floor) => floor.name);
    expect(names.slice(0, 2)).toEqual(["nothing", "filler"]);
    expect(new Set(names).size).toBe(names.length);
    loaded.close?.();
  });

  it("never read the reference of the task itself, and read references of other tasks only if they declare this", async () => {
    const loaded = await open(suite, "sample", sampleOf(suite));
    const spec = bareSpec(name);
    const tasks = (await loaded.tasks(suite.splits[0]!.name)).slice(0, 12);
    const answersIn = (all: readonly Task[], task: Task) =>
      (loaded.floors?.(all, spec) ?? usualFloors).map(({ readsAnswerKey, answer }) => ({
        readsAnswerKey,
        answer: answer(task),
      }));
    for (const [at, task] of tasks.entries()) {
      const swapped = withAnswerOf(task, tasks[(at + 1) % tasks.length]!);
      const own = answersIn(tasks, task);
      expect(answersIn(tasks.with(at, swapped), swapped)).toEqual(own);
      const others = tasks.map((other) => (other === task ? task : withAnswerOf(other, task)));
      for (const [index, floor] of answersIn(others, task).entries())
        if (floor.readsAnswerKey !== true) expect(floor).toEqual(own[index]);
    }
    loaded.close?.();
  });
});

/** A user's questions also contain their answer in `input`. */
function withAnswerOf(task: Task, other: Task): Task {
  const input = task.input as { readonly answer?: unknown };
  const answered = "answer" in input ? { ...input, answer: (other.input as typeof input).answer } : input;
  return { ...task, input: answered, answer: other.answer };
}

describePublished("floors on published data", () => {
  test.each([
    ["appbench", "all", "official.f1-app", "17.35 the most frequent API"],
    ["apibench", "torchhub", "official.pass", "84.95 an API of the most frequent domain"],
    ["apibench", "tensorflowhub", "official.pass", "30.09 an API of the most frequent domain"],
    ["travelplanner", "validation", "commonsense.micro", "66.81 days at home"],
    ["planbench", "blocksworld/task_3_plan_verification", "official.right", "64.80 the plan is valid"],
    ["planbench", "blocksworld/task_6_replanning", "official.right", "19.80 nothing"],
    ["planbench", "blocksworld/task_4_plan_reuse", "official.right", "10.00 the example's plan again"],
    ["planbench", "blocksworld/task_8_1_goal_shuffling", "official.right", "100.00 the example's plan again"],
  ])("%s %s: %s is %s", async (name, split, measure, expected) => {
    expect(best(name, measure, await known(name, split, shared("data", name)))).toBe(expected);
  });
});
