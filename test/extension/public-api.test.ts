import { expect, it } from "vitest";
import { evaluate, hasParts } from "../../source/engine/measures/measure.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { type Analysis, type Measure, ownAnalysis, ownSuite } from "../../source/extension/public-api.ts";
import { meanMeasure, ratioMeasure } from "../../source/kit.ts";
import { madeRun, madeSuite } from "../analyses/made-run.ts";
import { bareRow } from "../bare-row.ts";

const about = { mode: "own", unit: "number", better: "lower" } as const;
const rows = [
  bareRow("r", "a", { calls: 2, counts: { "stage:plan": 1 }, seconds: 3 }),
  bareRow("r", "b", { calls: 4, counts: { "stage:plan": 3 }, seconds: 5 }),
];

it("measures in a user's file receive the fields of rows as in version 0.1.0", () => {
  const plans: Measure = {
    ...about,
    name: "plans",
    title: "Plans",
    of: (own) => ({ value: own.reduce((sum, row) => sum + row.counts["stage:plan"]!, 0), n: own.length }),
    each: (row) => row.calls,
    has: ({ seconds }) => seconds > 3,
  };
  const [measure] = ownSuite({ ...madeSuite, measures: [plans] }).measures;
  expect(evaluate(measure!, rows)).toEqual({ value: 4, n: 2 });
  expect(rows.map((row) => measure!.each!(row))).toEqual([2, 4]);
  expect(rows.map((row) => hasParts(measure!, row))).toEqual([false, true]);
});

it("a measure that overrides a part of a built-in kind is evaluated by the override", () => {
  const mean = { ...meanMeasure("right", { ...about, name: "right", title: "Right" }), of: () => ({ value: 7, n: 1 }) };
  const suite: Suite = ownSuite({ ...madeSuite, measures: [mean] });
  expect(evaluate(suite.measures[0]!, rows)).toEqual({ value: 7, n: 1 });
});

it("analyses in a user's file receive rows as in version 0.1.0, and measures with `of`", () => {
  const own: Analysis = {
    name: "own",
    title: "Own",
    question: "How many?",
    choices: (runs) => ({ measures: runs[0]!.suite.measures.map(({ name }) => name) }),
    compute: ([run]) => [
      {
        kind: "table",
        title: String(run!.rows.reduce((sum, row) => sum + row.calls + row.counts["stage:plan"]!, 0)),
        columns: [],
        rows: [],
        notes: run!.suite.measures.map((measure) => String(measure.of(run!.rows).value)),
      },
    ],
  };
  const scored = rows.map((row, at) => ({
    ...row,
    score: { value: at, metrics: { right: at, hits: 1, tries: 2 }, checks: [], errors: [] },
  }));
  const runs = [{ ...madeRun("r", []), rows: scored }];
  const analysis = ownAnalysis(own);
  expect(analysis.choices(runs)["measures"]).toEqual(["strict.right", "strict.argument-em", "loose.waste"]);
  expect(analysis.compute(runs, {})).toMatchObject([{ title: "10", notes: ["0.5", "0.5", "undefined"] }]);
});

it("ratioMeasure and meanMeasure make measures with a readable value", () => {
  const ratio = ratioMeasure("hits", "tries", { name: "hits", title: "Hits", mode: "own" });
  const row = bareRow("r", "a", { score: { value: 1, metrics: { hits: 1, tries: 4 }, checks: [], errors: [] } });
  expect(ratio.of([row as never])).toEqual({ value: 0.25, n: 4 });
  expect(ratio.each).toBeUndefined();
});
