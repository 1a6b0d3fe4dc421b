/** `until: decided`: two runs execute task by task in seeded order until one is better, and no remaining task is missing. */
import { describe, expect, it } from "vitest";
import { isFinished, missingTasks } from "../../../source/commands/session/conditions.ts";
import { seededOrder } from "../../../source/engine/statistics/sequential-test.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { analysisOf, cellNamed, runsOf } from "./temporary-session.ts";
import { tinySessions } from "./tiny-suite.ts";

const { sessions, suite } = tinySessions();
const order = seededOrder(
  Array.from({ length: 12 }, (_, at) => `t${at}`),
  "5",
);

const cell = (settings: string, name = "main") => `\`\`\`run ${name}\nsuite: tiny\nseed: 5\n${settings}\n\`\`\`\n\n`;
const analysis = (settings: string) => `\`\`\`analysis claims\npane: difficulty\n${settings}\n\`\`\`\n`;
const models = "model: [builtin/oracle, builtin/filler]";
const open = (text: string) => sessions.open(text, { suites: [suite] });
const run = async (workbench: SessionWorkbench, name = "main") => {
  workbench.setConcurrency(cellNamed(workbench, name), 1);
  await workbench.run(cellNamed(workbench, name));
  return runsOf(workbench, name);
};
const tasksOf = (workbench: SessionWorkbench, id: string) =>
  workbench
    .rows(id)
    .map(({ task }) => task)
    .sort();
const first = (count: number) => order.slice(0, count).sort();

describe("a cell of two runs with `until: decided`", () => {
  it("executes tasks in seeded order, stops at the task that decides, and reports no missing tasks", async () => {
    const workbench = await open(cell(`${models}\nuntil: decided`));
    const runs = await run(workbench);
    for (const each of runs) {
      expect(each).toMatchObject({ status: "decided", leftOutBy: "decided", total: 12 });
      expect(each.message).toBe(
        "decided after 8 of 12: builtin/oracle better than builtin/filler, 8 to 0, anytime-valid p 0.0352; 33 % of the calls saved",
      );
      expect([missingTasks(each), isFinished(each)]).toEqual([0, true]);
      expect(tasksOf(workbench, each.run)).toEqual(first(8));
    }
  });

  it("continues with the remaining tasks in the same runs if `until` is removed", async () => {
    const workbench = await open(cell(`${models}\nuntil: decided`));
    const before = await run(workbench);
    workbench.edit(cellNamed(workbench, "main"), `suite: tiny\nseed: 5\n${models}\n`);
    const after = await run(workbench);
    expect(after.map(({ run: id }) => id)).toEqual(before.map(({ run: id }) => id));
    expect(after).toMatchObject([
      { status: "done", counts: { right: 12 }, calls: 12 },
      { status: "done", counts: { wrong: 12 }, calls: 12 },
    ]);
  });

  it("executes no further task if it is run again", async () => {
    const workbench = await open(cell(`${models}\nuntil: decided`));
    await run(workbench);
    expect(await run(workbench)).toMatchObject([
      { status: "decided", calls: 8 },
      { status: "decided", calls: 8 },
    ]);
  });

  it("executes all repeats of a task before the next task", async () => {
    const workbench = await open(cell(`${models}\nrepeats: 2\nuntil: decided`));
    const runs = await run(workbench);
    expect(runs).toHaveLength(4);
    for (const each of runs) expect(tasksOf(workbench, each.run)).toEqual(first(8));
  });

  it("is undecided if all tasks end before a decision", async () => {
    const same = await open(cell("model: [builtin/oracle, builtin/slips?wrong=0]\nuntil: decided"));
    const runs = await run(same);
    expect(runs.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(runs[0]!.message).toBe("undecided after 12 of 12: not decided, 0 to 0, anytime-valid p 1.0000");
  });

  it("ends if the budget of one of its runs is used up", async () => {
    const short = await open(cell(`${models}\nbudget: {run: {steps: 3}}\nuntil: decided`));
    for (const each of await run(short)) expect(each).toMatchObject({ status: "partial", leftOutBy: "budget" });
  });

  it.each([
    ["model: builtin/oracle", "in a cell of two runs, which are compared on success, got 1"],
    [
      "model: [builtin/oracle, builtin/filler, builtin/nothing]",
      "in a cell of two runs, which are compared on success, got 3",
    ],
    [
      "model: builtin/oracle\nseed: [1, 2]",
      "for runs of the same tasks in the same order, got several values of `seed`",
    ],
  ])("is rejected with the reason: %s", async (settings, why) => {
    const workbench = await open(`\`\`\`run main\nsuite: tiny\n${settings}\nuntil: decided\n\`\`\`\n`);
    expect(workbench.state(cellNamed(workbench, "main")).problems).toMatchObject([
      { message: `Expected \`until: decided\` ${why}` },
    ]);
  });
});

describe("an analysis cell of claims with `until: decided`", () => {
  const claim = "claim: model=builtin/oracle > model=builtin/filler on right\nuntil: decided";

  it("ends the runs that it reads when its claims are decided", async () => {
    const workbench = await open(cell(models) + analysis(claim));
    const [one] = await run(workbench);
    expect(one).toMatchObject({ status: "decided" });
    expect(one!.message).toContain("model=builtin/oracle better than model=builtin/filler, 8 to 0");
    expect(analysisOf(workbench, "claims").problems).toEqual([]);
  });

  it("shares the probability of a false alarm among its claims", async () => {
    const both =
      "claim:\n  - model=builtin/oracle > model=builtin/filler on right\n  - model=builtin/oracle > model=builtin/nothing on right\nuntil: decided";
    const three = "model: [builtin/oracle, builtin/filler, builtin/nothing]";
    const workbench = await open(cell(three) + analysis(both));
    // 2^9 / 10 = 51.2 is above 2 / 5 % = 40; 2^8 / 9 = 28.4 is not.
    for (const each of await run(workbench)) expect(each.message).toContain("decided after 9 of 12");
  });

  it.each([
    ["until: decided", "Expected `claim` with `until: decided`, got no claim"],
    [`${claim.replace("on right", "on right by 5")}`, "Expected `until: decided` for claims without `by`"],
    [
      "claim: parity=even > parity=odd on right\nuntil: decided",
      "to name a setting of the runs, so that tasks are paired",
    ],
  ])("is rejected with the reason: %s", async (settings, why) => {
    const workbench = await open(cell(models) + analysis(settings));
    expect(analysisOf(workbench, "claims").problems[0]!.message).toContain(why);
  });

  it("is rejected for runs of several cells", async () => {
    const workbench = await open(
      cell("model: builtin/oracle", "a") + cell("model: builtin/filler", "b") + analysis(claim),
    );
    expect(analysisOf(workbench, "claims").problems[0]!.message).toContain("to name one run cell");
  });
});
