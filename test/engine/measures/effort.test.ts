import { expect, it } from "vitest";
import { effortMeasures, isEffort, secondsOf, usageOf } from "../../../source/engine/measures/effort.ts";
import { madeRun } from "../../analyses/made-run.ts";
import { bareRow } from "../../bare-row.ts";

const used = { calls: 3, toolCalls: 0, retries: 0, tokens: { input: 30, output: 9, estimated: false }, seconds: 2.5 };
const judged = { ...used, calls: 1, tokens: { input: 10, output: 2, estimated: false }, seconds: 0.5 };

it("the usage of a task excludes its judge's usage unless requested", () => {
  const row = { ...bareRow("r", "a"), counted: { ...used, cost: 0.75 }, judging: { ...judged, cost: 0.25 } };
  expect(usageOf(row, false)).toEqual({
    calls: 2,
    tokens: { input: 20, output: 7, estimated: false },
    cost: 0.5,
    seconds: 2,
  });
  expect(usageOf(row, true)).toMatchObject({ calls: 3, cost: 0.75, seconds: 2.5 });
});

it("effort is measured in whole milliseconds, and has no time for a task whose replies came from the cache", () => {
  const row = (judge: number, ...how: readonly string[]) => ({
    ...bareRow("r", "a"),
    counted: { ...used, cost: 0 },
    judging: { ...judged, cost: 0, seconds: judge },
    notes: how.map((each) => ({ type: "reply", how: each, times: 1 })) as never,
  });
  expect(usageOf(row(0.0009), false).seconds).toBe(2.499);
  expect(usageOf(row(0.0004), false).seconds).toBe(2.5);
  expect(usageOf(row(0.5, "cut"), false).seconds).toBe(2);
  expect(usageOf(row(0.5, "cut", "cached"), false).seconds).toBeUndefined();
  expect(usageOf(row(0.5, "cached"), true).seconds).toBeUndefined();
  const noted = { ...row(0.5), notes: [{ type: "note", kind: "x", how: "cached", times: 1 }] as never };
  expect(secondsOf(noted)).toBe(2.5);
});

it("effort excludes the judge of an answer", () => {
  const row = { ...bareRow("r", "a"), counted: { ...used, cost: 0.75 }, judging: { ...judged, cost: 0.25 } };
  const measures = effortMeasures([{ ...madeRun("r", []), rows: [row] }]);
  expect(measures.map(({ name, unit, better, each }) => [name, unit, better, each!(row)])).toEqual([
    ["effort.calls", "number", "lower", 2],
    ["effort.tokens", "tokens", "lower", 27],
    ["effort.seconds", "seconds", "lower", 2],
    ["effort.price", "price", "lower", 0.5],
  ]);
  expect(measures.every(isEffort)).toBe(true);
  expect(isEffort({ mode: "strict" })).toBe(false);
});

it.each([
  [undefined, 0.25],
  [0.75, undefined],
])(
  "the cost of an answer is unknown if the cost of its task is %s and the cost of its judge is %s",
  (cost, judging) => {
    const row = { ...bareRow("r", "a"), counted: { ...used, cost }, judging: { ...judged, cost: judging } };
    expect(usageOf(row, false).cost).toBeUndefined();
  },
);

it("effort includes a price only if a task of any run cost something", () => {
  const runOf = (cost?: number) => ({
    ...madeRun("a", []),
    rows: [{ ...bareRow("a", "t"), counted: { ...used, cost } }],
  });
  const names = (...costs: readonly (number | undefined)[]) => effortMeasures(costs.map(runOf)).map(({ name }) => name);
  const free = names(0);
  expect(names(undefined)).toEqual(free);
  expect(names(0, 0.75)).toEqual([...free, "effort.price"]);
});
