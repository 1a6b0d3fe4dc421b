/** A task beside an answer: steps with what they need, matched as in scoring, and what the task offers. */
import { beforeAll, describe, expect, it } from "vitest";
import type { LoadedSuite, TaskView } from "../../../source/engine/loaded-suite.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Json, Task } from "../../../source/engine/types.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import type { ArenaTask } from "../../../suites/planningarena/data/task.ts";
import { plannerForm } from "../../../suites/planningarena/score/form.ts";
import { describeTask } from "../../../suites/planningarena/score/view.ts";

let loaded: LoadedSuite;
let task: Task;
beforeAll(async () => {
  loaded = await planningarena.open({ folder: sampleFolder("planningarena"), data: "sample" });
  task = (await loaded.tasks("examples")).find(({ id }) => id === "49")!;
});
const view = (answer?: Json): TaskView => loaded.describe!(task, answer) as TaskView;
const step = (number: number, description: string, action: string, results: Json): Json => ({
  GlobalThought: "",
  OrderSteps: {
    TotalSteps: 2,
    StepDetail: { StepNumber: number, Description: description, Action: action, Results: results },
  },
});

describe("the reference of a task", () => {
  it("has a step for each subtask, with the call, the result and the steps whose results the call uses", () => {
    const { reference } = view();
    expect(reference).toHaveLength(7);
    expect(reference[0]).toEqual({
      title: "Find me rain jackets in mustard yellow on Marktplein",
      lines: [
        "searchGoods({'article': 'rain jackets', 'colour': 'mustard yellow', 'platform': 'Marktplein'})",
        "→ searchGoods({'goodsId': 'GO-80401', 'maker': 'Hidden Garden', 'price': 587.44})",
      ],
      needs: [],
    });
    expect(reference.slice(1).map(({ needs }) => needs)).toEqual([[0], [0], [0], [0], [0], [0]]);
  });

  it("is shown with the task's level, person and tools beside it", () => {
    const { background } = view();
    expect(background!.map(({ title }) => title)).toEqual(["Level", "Profile dag-1", "Offered: dag"]);
    expect(background![0]!.text).toBe("middle; the numbers of tools and subtasks suggest middle");
    expect(background![1]!.text).toMatch(/^\{\n {2}"/);
    expect(background![1]!.text).toContain('"favorite_shopping_platform": "Marktplein"');
    expect(background![2]!.text).toMatch(/^findCourse, enrol, /);
    const plain = describeTask(
      { ...task, input: { ...(task as ArenaTask).input, profile: undefined, queryZh: "你好" } } as ArenaTask,
      undefined,
    );
    expect(plain.background!.map(({ title }) => title)).toEqual(["Level", "中文", "Offered: dag"]);
  });
});

describe("the view of an answer", () => {
  it("shows the action and result of each step beside the subtask that the step performs", () => {
    const dialogue = [
      step(1, "Search", "searchGoods({'article': 'rain jackets'})", "searchGoods({'goodsId': 'GO-80401'})"),
      step(2, "Put it in", "addToBasket({'goodsId': 'GO-80401', 'quantity': 5})", { cartId: 7 }),
    ];
    const { plan, matches } = view({ end: "complete", dialogue: [{ MessageNumber: "1" }, ...dialogue] });
    expect(plan.map(({ title, lines }) => [title, ...lines])).toEqual([
      ["Search", "searchGoods({'article': 'rain jackets'})", "→ searchGoods({'goodsId': 'GO-80401'})"],
      ["Put it in", "addToBasket({'goodsId': 'GO-80401', 'quantity': 5})", '→ {"cartId":7}'],
    ]);
    expect(plan.map(({ needs }) => needs)).toEqual([[], [0]]);
    expect(matches).toContainEqual([0, 0]);
    expect(matches.filter(([, at]) => at === 1)).toHaveLength(1);
  });

  it("is absent without steps", () => {
    expect(view({ end: "playing", dialogue: [] })).toMatchObject({ plan: [], matches: [] });
    expect(view("text")).toMatchObject({ plan: [], matches: [] });
  });
});

describe("a Planner's reply", () => {
  const reply = (total: Json) =>
    JSON.stringify({
      GlobalThought: "x",
      OrderSteps: { TotalSteps: total, StepDetail: { StepNumber: 1, Description: "d", Action: "a" } },
    });

  it("is read if it announces a whole number of steps", () => {
    expect(plannerForm(reply(2))).toMatchObject({ extent: "closed" });
    expect(plannerForm(reply(0))).toMatchObject({ extent: "closed" });
    for (const total of [1.5, "2", null]) expect(plannerForm(reply(total))).toBeUndefined();
    expect(plannerForm("I plan")).toBeUndefined();
  });
});
