/** Which error of a score a correction means, and what the score is with it. */
import { describe, expect, it } from "vitest";
import {
  addressOf,
  addressText,
  fitting,
  overridden,
  withUnscored,
} from "../../../../source/engine/log/corrections/overridden.ts";
import {
  checkOverrides,
  isOfError,
  isOfScore,
  type Override,
} from "../../../../source/engine/log/corrections/overrides.ts";
import { withoutOverrides } from "../../../../source/engine/log/corrections/correct-task.ts";
import type { Benchmark } from "../../../../source/engine/benchmark.ts";
import type { Mistake, Score } from "../../../../source/engine/types.ts";

const errors: readonly Mistake[] = [
  { kind: "value", step: 1, key: "day" },
  { kind: "value", step: 1, key: "town" },
  { kind: "order", step: 1 },
  { kind: "place", step: 2 },
  { kind: "place", step: 2 },
  { kind: "order" },
];
const score: Score = { value: 0.25, metrics: { right: 0 }, checks: [], errors };
const made = { source: "ada", reason: "why" };
const suite = { errorKinds: [{ name: "value" }, { name: "place" }, { name: "order" }] } as unknown as Benchmark;

describe("the address of an error", () => {
  it("is as short as possible: the step and kind, the key, or the number among equal errors", () => {
    expect(errors.map((_, at) => addressOf(errors, at))).toEqual([
      { step: 1, was: "value", key: "day" },
      { step: 1, was: "value", key: "town" },
      { step: 1, was: "order" },
      { step: 2, was: "place", number: 1 },
      { step: 2, was: "place", number: 2 },
      { was: "order" },
    ]);
  });

  it("matches every error with that step, kind and key, or the error with the given 1-based number", () => {
    expect(fitting(errors, { step: 1 })).toEqual([0, 1, 2]);
    expect(fitting(errors, { step: 1, was: "value" })).toEqual([0, 1]);
    expect(fitting(errors, { step: 1, was: "value", key: "town" })).toEqual([1]);
    expect(fitting(errors, { step: 2, number: 1 })).toEqual([3]);
    expect(fitting(errors, { step: 2, number: 2 })).toEqual([4]);
    expect(fitting(errors, { step: 2, number: 3 })).toEqual([]);
    // An address without a step means an error of the task as a whole.
    expect(fitting(errors, {})).toEqual([5]);
    expect(fitting(errors, { step: 0 })).toEqual([]);
  });

  it("contains only the parts that are given", () => {
    expect(addressText({ task: "t", kind: "x", ...made })).toBe("t");
    expect(addressText({ task: "t", step: 0, was: "value", key: "day", number: 2, kind: "x", ...made })).toBe(
      "t, step 0, value, day, 2",
    );
  });
});

describe("a corrected score", () => {
  const corrected = (...overrides: readonly object[]) =>
    overridden(
      score,
      overrides.map((each) => ({ task: "t", ...made, ...each })) as unknown as readonly Override[],
      suite,
      {},
    );

  it("keeps the new and the previous kind of a changed error, and counts changed errors", () => {
    const found = corrected({ step: 1, was: "order", kind: "place" }, { kind: "no-mistake" });
    expect(found.errors[2]).toEqual({ kind: "place", step: 1, override: { was: "order", ...made } });
    expect(found.errors[5]).toEqual({ kind: "no-mistake", override: { was: "order", ...made } });
    expect(found.errors.slice(0, 2)).toEqual(errors.slice(0, 2));
    expect(found.metrics).toEqual({ right: 0, "errors.overridden": 2 });
    expect(found.value).toBe(0.25);
    expect(corrected()).toEqual(score);
    // The last one counts, against what the scorer said.
    expect(corrected({ kind: "value" }, { kind: "place" }).errors[5]).toMatchObject({
      kind: "place",
      override: { was: "order" },
    });
  });

  it("is rejected if a correction matches no error, or more than one", () => {
    expect(() => corrected({ step: 7, kind: "place" })).toThrow(
      "Expected the override of t, step 7 to match one error, but it matches 0",
    );
    expect(() => corrected({ step: 1, kind: "place" })).toThrow("t, step 1 to match one error, but it matches 3");
    expect(() => corrected({ step: 2, was: "place", kind: "value" })).toThrow("but it matches 2");
  });

  it("has the last value given, and the measures that follow from that value", () => {
    const follows = { ...suite, withValue: (value: number) => ({ right: value, half: value / 2 }) } as Benchmark;
    const values = [0.5, 1].map((value) => ({ task: "t", value, ...made }));
    const found = overridden(
      score,
      [...values, { task: "t", kind: "place", ...made }] as readonly Override[],
      follows,
      {},
    );
    expect(found).toMatchObject({ value: 1, override: { was: 0.25, metrics: { right: 0 }, ...made } });
    expect(found.metrics).toEqual({ right: 1, half: 0.5, "errors.overridden": 1 });
    expect(overridden(score, values, suite, {}).metrics).toEqual({ right: 0 });
    expect(withoutOverrides(found)).toEqual(score);
  });

  it("equals the scorer's own score after all corrections are removed, even if only errors were corrected", () => {
    const found = corrected({ step: 1, was: "order", kind: "place" });
    expect(withoutOverrides(found)).toEqual(score);
    expect(withoutOverrides(score)).toEqual(score);
  });
});

it("a report names at most three corrections of tasks without a score", () => {
  const store = {
    table: { row: (task: string) => ({ a: { state: "scored" }, b: { state: "failed" } })[task] },
  } as never;
  const problem = (tasks: readonly string[], before?: string) =>
    withUnscored(before, new Map(tasks.map((task) => [task, []])), store);
  const names = "overrides.json names tasks that have no score here";
  expect(problem(["a"])).toBeUndefined();
  expect(problem(["a"], "before")).toBe("before");
  expect(problem(["a", "b"])).toBe(`${names}: b`);
  expect(problem(["b", "c", "d"])).toBe(`${names}: b, c, d`);
  expect(problem(["b", "c", "d", "e"], "before")).toBe(`before; ${names}: b, c, d and 1 more`);
});

describe("the file of corrections", () => {
  const checked = (...entries: readonly unknown[]) => checkOverrides(entries, "o.json", suite);
  const error = { task: "t", kind: "place", ...made };

  it("has corrections of errors and of scores", () => {
    const all = checked(
      { ...error, step: 0, number: 1 },
      { task: "t", value: 0, ...made },
      { task: "t", value: 1, ...made },
    );
    expect(all.map((each) => [isOfError(each), isOfScore(each)])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  it.each([
    [[error, { ...error, step: -1 }], "1.step"],
    [[{ ...error, step: 0.5 }], "0.step"],
    [[{ ...error, number: 0 }], "0.number"],
    [[{ ...error, reason: " " }], "0.reason"],
    [[{ task: "t", value: 1.1, ...made }], "0.value"],
    [[{ task: "t", value: -0.1, ...made }], "0.value"],
    [[{ ...error, other: 1 }], "Unrecognized"],
    [[null], "0: "],
    [[{ ...error, kind: "luck" }], "to be one of value, place, order, no-mistake, got `luck`"],
  ])("is rejected, and the message contains the position of the mistake: %j", (entries, message) => {
    expect(() => checked(...entries)).toThrow(message);
  });
});
