import type { Asked } from "../../../source/engine/protocol.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Task } from "../../../source/engine/types.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import type { TripTask } from "../../../suites/travelplanner/data/task.ts";
import { runWithReplies, specOf } from "./run-with-replies.ts";

let loaded: LoadedSuite;
let train: readonly Task[];
beforeAll(async () => {
  loaded = await travelplanner.open({ folder: sampleFolder("travelplanner"), data: "sample" });
  train = await loaded.tasks("train");
});
afterAll(() => loaded.close?.());

const strategy = (name: string) => travelplanner.strategies.find((each) => each.name === name)!;

describe("the sample of TravelPlanner", () => {
  test("has requests in all nine groups, and each request has a plan that satisfies every constraint", async () => {
    const all = [...train, ...(await loaded.tasks("validation"))];
    const groups = new Set(all.map(({ facets }) => `${facets["level"]} ${facets["days"]}`));
    expect([train.length, all.length, groups.size]).toEqual([18, 27, 9]);
    for (const task of all) {
      const { plan } = (task as TripTask).answer;
      const context = { spec: specOf("direct"), signal: new AbortController().signal };
      const { value, checks } = await loaded.score(
        task,
        { answer: plan as never, steps: [], failure: undefined },
        context,
      );
      expect([value, checks.filter(({ kept }) => kept === false)], task.id).toEqual([1, []]);
    }
  });

  test("needs no warning, whereas the published extract of flights needs a warning", () => {
    expect(loaded.warnings).toEqual([]);
  });
});

describe("requests without the publisher's reference information", () => {
  const bare = () => {
    const [first] = train as readonly TripTask[];
    const { query, split } = first!.input;
    return { ...first!, input: { query, split }, answer: { ...first!.answer, plan: null } };
  };

  test("cannot be executed if the prompt contains the information, and the message gives advice", () => {
    for (const asked of [specOf("direct"), specOf("cot"), specOf("react"), specOf("reflexion")]) {
      expect(loaded.lacking!(bare(), asked), asked.strategy).toContain("choose `split: train`");
      expect(loaded.lacking!(train[0]!, asked), asked.strategy).toBeUndefined();
    }
  });

  test("can be executed if the model searches for the information", () => {
    for (const asked of [specOf("react", "two-stage"), specOf("reflexion", "two-stage"), specOf("greedy")])
      expect(loaded.lacking!(bare(), asked), asked.strategy).toBeUndefined();
  });
});

describe("the oracle in TravelPlanner", () => {
  test.each([
    ["direct", "sole-planning"],
    ["cot", "sole-planning"],
    ["react", "sole-planning"],
    ["reflexion", "sole-planning"],
    ["react", "two-stage"],
    ["reflexion", "two-stage"],
  ])("satisfies every constraint with %s, %s", async (name, mode) => {
    for (const task of train) {
      const { score } = await runWithReplies(
        loaded,
        task,
        strategy(name),
        mode,
        (asked) => loaded.oracle!(task, asked).text,
      );
      expect([score.value, score.labels?.["reader"]], task.id).toEqual([1, "layout"]);
    }
  });

  test("searches, takes notes and plans within thirty steps in two-stage mode, with calls and results", async () => {
    const task = train.at(-1)!;
    const { steps, score } = await runWithReplies(
      loaded,
      task,
      strategy("react"),
      "two-stage",
      (asked) => loaded.oracle!(task, asked).text,
    );
    const calls = steps.flatMap((step) => (step.type === "call" ? [step.call.name] : []));
    const results = steps.flatMap((step) => (step.type === "result" ? [step.name] : []));
    expect(calls).toEqual(results);
    expect(calls.at(-1)).toBe("Planner");
    expect(score.metrics["tool:RestaurantSearch"]).toBe(3);
    expect(score.labels).toMatchObject({ ending: "plan", evaluable: "yes" });
  });

  test("reads other layouts as the judge, and the judge is recorded as the reader", async () => {
    const task = train[0]!;
    const { plan } = (task as TripTask).answer;
    const replies = (asked: { stage: string }) =>
      asked.stage === "extract" ? JSON.stringify(plan) : "We would fly there and see a museum, and fly home.";
    const judged = await runWithReplies(loaded, task, strategy("direct"), "sole-planning", replies, true);
    expect([judged.score.value, judged.score.labels?.["reader"]]).toEqual([1, "judge"]);
    expect(loaded.describe!(task, judged.answer).plan[0]!.title).toContain("Day 1: from");
    const unread = await runWithReplies(loaded, task, strategy("direct"), "sole-planning", replies);
    expect([unread.score.value, unread.score.labels?.["reader"]]).toEqual([undefined, "unread"]);
    expect(unread.score.metrics["delivered"]).toBeUndefined();
  });

  test.each([
    ["direct", "sole-planning"],
    ["react", "two-stage"],
  ])("scores 0 if its judge finds no plan in a text, in %s, %s", async (name, mode) => {
    const replies = (asked: { stage: string }) =>
      asked.stage === "extract" ? "```json\n[]\n```" : asked.stage === "action" ? "Planner[go]" : "A room is a room.";
    const { score } = await runWithReplies(loaded, train[0]!, strategy(name), mode, replies, true);
    expect([score.value, score.metrics["delivered"], score.metrics["finalPass"]]).toEqual([0, 0, 0]);
    expect(score.errors).toEqual([{ kind: "not-delivered" }]);
  });
});

describe("injected faults in TravelPlanner", () => {
  test.each(travelplanner.faultKinds.map(({ name }) => name))("break only %s", async (kind) => {
    let made = 0;
    for (const task of train) {
      const reply = (asked: Asked) =>
        (loaded.fault!(task, asked, kind, randomFrom(task.id)) ?? loaded.oracle!(task, asked)).text;
      const { score } = await runWithReplies(loaded, task, strategy("direct"), "sole-planning", reply);
      const broken = score.checks.filter(({ kept }) => kept === false).map(({ name }) => name);
      const faulty = broken.length > 0;
      if (faulty) made += 1;
      expect(broken.length, task.id).toBeLessThanOrEqual(1);
      expect(
        score.errors.map((error) => error.kind),
        task.id,
      ).toEqual(faulty ? [kind] : []);
    }
    expect(made).toBeGreaterThan(0);
  });

  test("change only the planner's reply, in two-stage and in sole-planning mode", async () => {
    const task = train[0]!;
    const reply = (asked: Asked) =>
      (loaded.fault!(task, asked, "within-sandbox", () => 0.3) ?? loaded.oracle!(task, asked)).text;
    for (const mode of ["two-stage", "sole-planning"]) {
      const { score } = await runWithReplies(loaded, task, strategy("react"), mode, reply);
      expect(
        score.errors.map((error) => error.kind),
        mode,
      ).toEqual(["within-sandbox"]);
      expect(score.checks.find(({ name }) => name === "Budget")).toMatchObject({ kept: undefined });
    }
  });
});

describe("the day-by-day view", () => {
  test("shows the cost of each day and the constraints that the day violates", async () => {
    const task = train[0]!;
    const { plan } = (task as TripTask).answer;
    const days = plan!.with(1, { ...plan![1]!, lunch: "Nowhere Inn, Bramble Point" });
    const view = loaded.describe!(task, days as never);
    expect(view.plan.at(-1)!.lines.at(-1)).toBe(
      "✗ Within Sandbox, day 2: The lunch in day 2 is invalid in the sandbox.",
    );
    const context = { spec: specOf("direct"), signal: new AbortController().signal };
    const outcome = { answer: days as never, steps: [], failure: undefined };
    const { errors } = await loaded.score(task, outcome, context);
    expect(errors).toEqual([{ kind: "within-sandbox", step: 1, got: "The lunch in day 2 is invalid in the sandbox." }]);
    expect(view.plan[0]!.lines.at(-1)).toMatch(/^cost: \$\d+ \(transport \d+, meals \d+, lodging \d+\)$/);
    expect(view.plan.at(-1)!.lines).toContain(
      "hard constraints do not count: the plan is not both complete and within the sandbox",
    );
    expect(view.matches).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      // Differences of the whole trip are shown for the whole trip.
      [3, 3],
    ]);
  });

  test("accepts any answer", () => {
    const task = train[0]!;
    for (const answer of [undefined, null, 3, "plan?", [{}], [[1]], { output: "x" }, [{ lunch: 5 }], { a: 1 }])
      expect(loaded.describe!(task, answer as never).reference).toHaveLength(4);
  });
});

test("only runs that search for information have an ending, whatever the name of the strategy", async () => {
  const task = train[0]!;
  const oracle = (asked: Asked) => loaded.oracle!(task, asked).text;
  const endingOf = async (name: string, mode: string) =>
    (await runWithReplies(loaded, task, strategy(name), mode, oracle)).score.labels?.["ending"];
  expect(await endingOf("react", "two-stage")).toBe("plan");
  expect(await endingOf("react", "sole-planning")).toBeUndefined();
  expect(await endingOf("reflexion", "sole-planning")).toBeUndefined();
});

test("a request is shown with its first date", () => {
  const task = train.find(({ facets }) => facets["days"] === 3) as TripTask;
  const { text } = loaded.describe!(task, null).background![0]!;
  expect(text).toContain(`3 days from ${task.input.query.date[0]}, `);
});

test("runs with tools that end without a plan are classified as in the paper", async () => {
  const task = train[0]!;
  const ended = async (action: (step: number) => string) => {
    let step = 0;
    const replies = (asked: { stage: string }) => (asked.stage === "action" ? action(step++) : "hm");
    const { score } = await runWithReplies(loaded, task, strategy("react"), "two-stage", replies);
    return [score.labels?.["ending"], score.errors.map(({ kind }) => kind)];
  };
  expect(await ended(() => "CitySearch[Vesperia]")).toEqual([
    "Same Action Dead Loop",
    ["not-delivered", "same-action-loop"],
  ]);
  expect(await ended((step) => `Dance[${step}]`)).toEqual([
    "Invalid Action Dead Loop",
    ["not-delivered", "invalid-action-loop"],
  ]);
  expect(await ended((step) => `RestaurantSearch[City ${step}]`)).toEqual([
    "Argument Error",
    ["not-delivered", "argument-error"],
  ]);
  expect(await ended((step) => `NotebookWrite[${step}]`)).toEqual([
    "Max Step Limit",
    ["not-delivered", "max-step-limit"],
  ]);
  expect(await ended((step) => "x".repeat(200_000) + step)).toEqual([
    "Token overflow",
    ["not-delivered", "token-overflow"],
  ]);
});

test("a tool counts as used if the tool exists, whatever it answers; failures are counted separately", async () => {
  const actions = ["RestaurantSearch[Nowhere]", "Dance[slowly]", "CitySearch[Vesperia]", "Planner[go]"];
  let step = 0;
  const { score } = await runWithReplies(loaded, train[0]!, strategy("react"), "two-stage", (asked) =>
    asked.stage === "action" ? actions[step++]! : "hm",
  );
  const uses = Object.entries(score.metrics).filter(([name]) => name.startsWith("tool:"));
  expect(Object.fromEntries(uses)).toEqual({
    "tool:RestaurantSearch": 1,
    "tool:CitySearch": 1,
    "tool:Planner": 1,
    "tool:failed": 2,
  });
});

test("Reflexion adds a lesson after each step if the last three enquiries were rejected, and keeps its scratchpad", async () => {
  const task = train[0]!;
  const wrong = 'CostEnquiry[{"people_number": 1, "lunch": "Nowhere, Lindow"}]';
  const actions = [
    wrong,
    wrong,
    wrong,
    "Look[around]",
    'CostEnquiry[{"people_number": 1}]',
    "Look[again]",
    "Finish[x]",
  ];
  const prompts: string[] = [];
  const { steps } = await runWithReplies(loaded, task, strategy("reflexion"), "sole-planning", (asked) => {
    if (asked.stage === "reflect") return `lesson ${prompts.length}`;
    prompts.push(asked.messages.at(-1)!.content);
    return asked.stage === "action" ? actions[prompts.length / 2 - 1]! : "hm";
  });
  const lessons = steps.flatMap((step) => (step.type === "note" && step.kind === "reflection" ? [step.text] : []));
  expect(lessons).toEqual(["lesson 6", "lesson 8"]);
  expect(prompts[6]).toContain("- lesson 6\nThought 1: hm");
  expect(prompts.at(-1)).toContain("- lesson 6\n- lesson 8\nThought 1: hm");
});

test("the test split can be executed and exported, but not scored on this machine", async () => {
  const [task] = await loaded.tasks("test");
  const { score } = await runWithReplies(loaded, task!, strategy("react"), "two-stage", (asked) =>
    asked.stage === "action" ? "Planner[go]" : "A plan in words.",
  );
  expect([score.value, score.metrics["delivered"], score.labels?.["reader"]]).toEqual([undefined, undefined, "unread"]);
  expect(score.errors).toEqual([]);
  expect(score.labels?.["evaluable"]).toContain("the answers of the test split are not public");
});
