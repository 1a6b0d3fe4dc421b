import { beforeAll, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { Json } from "../../../source/engine/types.ts";
import { DENOMINATORS, ratesOf } from "../../../suites/travelplanner/score/aggregate.ts";
import { openSandbox } from "../../../suites/travelplanner/data/database.ts";
import { evaluate } from "../../../suites/travelplanner/score/evaluate.ts";
import { greedy, greedyPlan } from "../../../suites/travelplanner/ask/greedy.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import type { Query } from "../../../suites/travelplanner/score/plan.ts";
import type { Request } from "../../../suites/travelplanner/data/queries.ts";
import type { Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import { describePublished, sharedJson } from "../../shared.ts";
import { runWithReplies } from "./run-with-replies.ts";
import { publishedQueries, publishedSandbox, tools } from "./world.ts";

type Recorded = {
  submissions: { greedy_train: { plans: { plan: Json; success: [boolean, string[]] }[]; expected: { scores: Json } } };
};

describePublished("greedy plans for the 45 training requests", () => {
  let sandbox: Sandbox;
  let train: readonly Request[];
  const recorded = sharedJson<Recorded>("conformance/travelplanner/aggregates_a.json.gz").submissions.greedy_train;
  beforeAll(async () => {
    sandbox = await publishedSandbox();
    ({ train } = await publishedQueries());
  });

  test("have the cost and the score of the official search's plans", () => {
    const scored = train.map(({ query }, index) => {
      const { plan, lacks } = greedyPlan(sandbox, query, randomFrom(index));
      const evaluation = evaluate(query, plan as unknown as Json, sandbox);
      const theirs = recorded.plans[index]!;
      expect(evaluation.cost, `request ${index + 1}`).toEqual(evaluate(query, theirs.plan, sandbox).cost);
      expect(lacks.toSorted(), `request ${index + 1}`).toEqual(theirs.success[1].toSorted());
      return { query, evaluation };
    });
    expect(ratesOf(scored, DENOMINATORS.train)).toEqual(recorded.expected.scores);
  });
});

test("the greedy strategy uses no model, and gives a plan even if a part of the trip is unavailable", async () => {
  const loaded = await travelplanner.open({ folder: sampleFolder("travelplanner"), data: "sample" });
  for (const task of await loaded.tasks("train")) {
    const { steps, score } = await runWithReplies(loaded, task, greedy, "sole-planning", () => "never asked");
    expect(steps.filter(({ type }) => type === "prompt")).toEqual([]);
    expect(score.metrics["delivered"]).toBe(1);
    expect(score.checks.find(({ name }) => name === "Diverse Restaurants")!.kept).toBe(false);
  }
  loaded.close!();
});

test("the greedy strategy leaves the rest of a trip empty in a state with too few cities", async () => {
  const sandbox = await openSandbox(sampleFolder("travelplanner"), "sample", tools);
  const query = { org: "Lindow", dest: "Eastmark", days: 7, date: [], people_number: 1 } as unknown as Query;
  const { plan, lacks } = greedyPlan(sandbox, query, () => 0);
  expect(plan).toHaveLength(7);
  expect(lacks).toContain("No valid transportation information.");
  sandbox.close();
});
