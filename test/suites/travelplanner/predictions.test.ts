import { describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { PredictionRequest } from "../../../source/engine/prediction.ts";
import type { Json } from "../../../source/engine/types.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import { readQueries } from "../../../suites/travelplanner/data/queries.ts";
import { describePublished, shared, sharedJson } from "../../shared.ts";

const scorer = travelplanner.predictions!;
const lines = (values: readonly unknown[]) =>
  values.map((value, index) => ({ number: index + 1, value: value as Json }));
const request = (values: readonly unknown[], split: string, data: "sample" | "published"): PredictionRequest => ({
  lines: lines(values),
  folder: data === "sample" ? sampleFolder("travelplanner") : shared("data/travelplanner"),
  data,
  split,
  flags: {},
  signal: new AbortController().signal,
});

type Case = { query_set: string; query_idx: number; query_override: Json; plan: Json; expected: Record<string, Json> };
type Submission = {
  query_set: string;
  plans: { idx: number; plan: Json }[];
  expected: { scores: Json; detailed: Details };
};
/** By group, level and days of the trip, for each constraint. */
type Details = Record<string, Record<string, Record<string, Record<string, { true: number }>>>>;

describePublished("submissions, compared with the official evaluator", () => {
  test.each(["train", "validation"])("have one record for each plan of %s, in input order", async (split) => {
    const { cases } = sharedJson<{ cases: Case[] }>("conformance/travelplanner/plans_a.json.gz");
    const of = cases.filter(({ query_set }) => query_set === split);
    const { records, aggregate, entries } = await scorer.score(request(of, split, "published"));
    for (const [index, { expected }] of of.entries()) expect(records[index]).toMatchObject(expected);
    expect(records).toHaveLength(of.length);
    expect(entries).toHaveLength(of.length);
    expect(aggregate).toMatchObject({ partial: true, plans: of.length });
  });

  test("are scored for 877 delivered and 13 undelivered plans, including tables", async () => {
    const { cases } = sharedJson<{ cases: Case[] }>("conformance/travelplanner/plans_a.json.gz");
    const { submissions } = sharedJson<{ submissions: Record<string, Submission> }>(
      "conformance/travelplanner/aggregates_a.json.gz",
    );
    const all = Object.values(submissions).flatMap(({ query_set, plans }) =>
      plans.map(({ idx, plan }) => ({ query_set, query_idx: idx, plan })),
    );
    let scored = 0;
    for (const split of ["train", "validation"]) {
      const of = [...cases, ...all].filter(({ query_set }) => query_set === split);
      scored += (await scorer.score(request(of, split, "published"))).records.length;
    }
    expect(scored).toBeGreaterThan(850);
  });

  const { submissions } = sharedJson<{ submissions: Record<string, Submission> }>(
    "conformance/travelplanner/aggregates_a.json.gz",
  );
  test.each(Object.entries(submissions))(
    "have the official rates and details for %s",
    async (_name, { query_set, plans, expected }) => {
      const { aggregate, figures } = await scorer.score(request(plans, query_set, "published"));
      expect(aggregate).toEqual(expected);
      expect(figures.map(({ title }) => title)).toEqual([`TravelPlanner, ${query_set}`, "Constraints by level"]);
      expect(figures[0]!.notes).toContain("flight data incomplete: plans with flights may fail Within Sandbox");
    },
  );

  test.each(Object.entries(submissions))(
    "have the official rates, and the official details for every trip length in their tables, for %s",
    async (_name, { query_set, plans, expected }) => {
      const { figures } = await scorer.score(request(plans, query_set, "published"));
      const [rates, constraints] = figures.map((figure) => (figure.kind === "table" ? figure.rows : []));
      const shares = Object.fromEntries(rates!.map(([name, rate]) => [name!.text, rate!.value]));
      expect(shares).toEqual(expected.scores);
      for (const [, rate] of rates!) expect(rate!.text).toBe((100 * Number(rate!.value)).toFixed(1));
      // The paper's evaluation: 8 commonsense constraints per plan, and as many hard constraints as the request contains.
      const of = query_set === "train" ? [45, 360, 45, 105, 45, 45] : [180, 1440, 180, 420, 180, 180];
      expect(rates!.map(([, rate]) => rate!.n)).toEqual(of);
      const asked = { commonsense: 0, hard: 0 };
      for (const [group, title, ...cells] of constraints!)
        for (const [index, level] of ["easy", "medium", "hard"].entries()) {
          const named = group!.text === "hard" ? "Hard Constraint" : "Commonsense Constraint";
          const lengths = Object.values(expected.detailed[named]![level]!);
          const kept = lengths.reduce((all, details) => all + (details[title!.text]?.true ?? 0), 0);
          const { value, n } = cells[index]!;
          asked[group!.text as keyof typeof asked] += n!;
          expect([title!.text, level, value]).toEqual([title!.text, level, n === 0 ? undefined : kept / n!]);
        }
      expect(asked).toEqual({ commonsense: of[1], hard: of[3] });
    },
  );
});

test("a prediction line can change the task's request, as the official fixtures do, whereas null changes nothing", async () => {
  const [first] = await readQueries(sampleFolder("travelplanner"), "train");
  const plan = first!.plan as Json;
  const line = { idx: first!.query.idx, plan };
  const cheap = { ...line, query_override: { budget: 1 } };
  const { records } = await scorer.score(request([line, { ...line, query_override: null }, cheap], "train", "sample"));
  const passes = records.map((record) => (record as { hard: { Cost: unknown } }).hard);
  expect(records[1]).toEqual(records[0]);
  expect(passes[2]).not.toEqual(passes[0]);
});

describe("malformed prediction files", () => {
  test.each([
    [[7], "Line 1: Expected an object"],
    [
      [
        { query_idx: 1, plan: [] },
        { query_idx: 99, plan: [] },
      ],
      "Line 2: Expected `query_idx` from 1 to 18, got `99`",
    ],
    [[{ plan: [] }], "Line 1: Expected `query_idx`"],
    [[{ idx: 1 }], "Line 1: Expected `plan`"],
    [[{ idx: 1, plan: [], query_override: [] }], "Line 1: Expected `query_override` to be an object"],
    [
      [{ idx: 1, plan: [], query_override: { days: "x" } }],
      "Line 1: Expected `days` in `query_override` to be a whole number",
    ],
  ])("are rejected by line: %j", async (values, message) => {
    await expect(scorer.score(request(values, "train", "sample"))).rejects.toThrow(message);
  });

  test("predictions for the test split are rejected, because it cannot be scored on this machine", async () => {
    await expect(scorer.score(request([], "test", "sample"))).rejects.toThrow("from the authors' leaderboard");
  });
});

test("unreadable plans get a score, never an error", async () => {
  const plans: Json[] = [
    null,
    [],
    "Day 1",
    5,
    {},
    [null],
    [[]],
    [{ current_city: 3 }],
    [{}, {}, {}],
    [{ lunch: { a: 1 } }],
  ];
  const { records, aggregate } = await scorer.score(
    request(
      plans.map((plan) => ({ query_idx: 1, plan })),
      "train",
      "sample",
    ),
  );
  expect(records.map((record) => (record as { delivered: boolean }).delivered)).toEqual([
    false,
    false,
    true,
    true,
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(aggregate).toMatchObject({ partial: true });
  expect(records[2]).toMatchObject({ commonsense: null, not_evaluable: "Expected a list of days, got a string" });
});

test("a run exported as a submission has the same score after an import", async () => {
  const folder = sampleFolder("travelplanner");
  const loaded = await travelplanner.open({ folder, data: "sample" });
  const tasks = await loaded.tasks("train");
  const requests = await readQueries(folder, "train");
  const rows = tasks.map((task, index) => ({ task, answer: index === 3 ? undefined : requests[index]!.plan }));
  const text = travelplanner.exporters!["travelplanner"]!(rows.toReversed());
  const values = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { idx: number; query: string; plan: Json });
  expect(values.map(({ idx }) => idx)).toEqual(tasks.map((_, index) => index + 1));
  expect(values[3]).toEqual({ idx: 4, query: requests[3]!.query.query, plan: null });
  const { aggregate, figures } = await scorer.score(request(values, "train", "sample"));
  // A single plan of 18 is not delivered: each rate that does not depend on a request's constraints is 17 of 18.
  const rates = figures[0]!.kind === "table" ? figures[0]!.rows : [];
  expect(rates.map(([, rate]) => rate!.n)).toEqual([18, 144, 18, 42, 18, 18]);
  expect(rates.filter((_, at) => at !== 3).map(([, rate]) => rate!.text)).toEqual([
    "94.4",
    "94.4",
    "94.4",
    "94.4",
    "94.4",
  ]);
  expect(aggregate).toMatchObject({ scores: { "Delivery Rate": 17 / 18, "Final Pass Rate": 17 / 18 } });
  loaded.close!();
});
