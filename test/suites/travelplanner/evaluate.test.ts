import { beforeAll, expect, test } from "vitest";
import type { Json } from "../../../source/engine/types.ts";
import { DENOMINATORS, detailedOf, ratesOf } from "../../../suites/travelplanner/score/aggregate.ts";
import { evaluate, officialResults } from "../../../suites/travelplanner/score/evaluate.ts";
import type { Query } from "../../../suites/travelplanner/score/plan.ts";
import type { Request } from "../../../suites/travelplanner/data/queries.ts";
import type { Sandbox } from "../../../suites/travelplanner/data/sandbox.ts";
import { describePublished, sharedJson } from "../../shared.ts";
import { publishedQueries, publishedSandbox } from "./world.ts";

type Split = "train" | "validation";
type Case = {
  id: string;
  kind: string;
  query_set: Split;
  query_idx: number;
  query_override: Partial<Query> | null;
  plan: Json;
  expected: Record<string, Json>;
};
type Submission = {
  query_set: Split;
  plans: { idx: number; plan: Json }[];
  expected: { scores: Json; detailed: Json };
};

describePublished("TravelPlanner's evaluation, compared with the official evaluator", () => {
  let sandbox: Sandbox;
  let queries: Record<Split, readonly Request[]>;
  beforeAll(async () => {
    [sandbox, queries] = await Promise.all([publishedSandbox(), publishedQueries()]);
  });

  test("has the same results, messages, gates and costs for all 455 plans", () => {
    const { cases } = sharedJson<{ cases: Case[] }>("conformance/travelplanner/plans_a.json.gz");
    expect(cases).toHaveLength(455);
    for (const { id, query_set, query_idx, query_override, plan, expected } of cases) {
      const query = { ...queries[query_set][query_idx - 1]!.query, ...query_override };
      const { not_evaluable, ...record } = officialResults(evaluate(query, plan, sandbox));
      expect(record, id).toEqual(expected);
      expect(not_evaluable !== undefined, id).toBe("raises" in expected);
    }
  });

  test("returns a result for a plan of any shape, without an exception", () => {
    const day = { ...queries.train[0]!.plan![0]! };
    const shapes: Json[] = [
      7,
      "Day 1:",
      { "1": day },
      [null],
      [[]],
      ["x"],
      [{ ...day, lunch: 5 }],
      [{ ...day, attraction: ["a"] }],
    ];
    for (const shape of [...shapes, [{ ...day, transportation: true }], [{ ...day, current_city: "from" }]]) {
      const { delivered, raises, passes } = evaluate(queries.train[0]!.query, shape, sandbox);
      expect([delivered, raises?.stage, passes.final], JSON.stringify(shape)).toEqual([true, "commonsense", false]);
    }
    for (const empty of [null, [], "", 0, {}])
      expect(evaluate(queries.train[0]!.query, empty, sandbox).delivered).toBe(false);
  });

  const { submissions } = sharedJson<{ submissions: Record<string, Submission> }>(
    "conformance/travelplanner/aggregates_a.json.gz",
  );
  test.each(Object.entries(submissions))(
    "has the same rates and details for the submission %s",
    (_name, submission) => {
      const scored = submission.plans.map(({ plan }, index) => {
        const { query } = queries[submission.query_set][index]!;
        return { query, evaluation: evaluate(query, plan, sandbox) };
      });
      expect(ratesOf(scored, DENOMINATORS[submission.query_set])).toEqual(submission.expected.scores);
      expect(detailedOf(scored)).toEqual(submission.expected.detailed);
    },
  );
});
