import { expect, it } from "vitest";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { scoreAwareness, scoreSelection } from "../../../suites/ultratool/score/awareness.ts";
import { createdTools } from "../../../suites/ultratool/score/creation.ts";
import { planMistakes } from "../../../suites/ultratool/score/steps.ts";
import { argumentScore, scoreUsage } from "../../../suites/ultratool/score/usage.ts";

const read = (value: unknown) => parseJsonAsPython(JSON.stringify(value));
const step = "1.1 Look up";

it("UltraTool counts the first of two entries for a step, whatever the words of the step", () => {
  const flags = read([
    { step: "1.1 Look", tool: 0 },
    { step, tool: 1 },
  ]);
  expect(scoreAwareness(flags, [{ step, tool: "0" } as never]).correct).toBe(1);
  expect(scoreAwareness(flags, [{ step, tool: "1" } as never]).correct).toBe(0);
  const names = read([
    { step: "1.1 Look", tool: "find" },
    { step, tool: "seek" },
  ]);
  expect(scoreSelection(names, [{ step, tool: "find" }]).correct).toBe(1);
  expect(scoreSelection(names, [{ step, tool: "seek" }]).correct).toBe(0);
  expect(createdTools(names, [{ step, tool: {} }])).toEqual([{ step: "1.1 Look", tool: "find" }]);
  const calls = read([
    { step: "1.1 Look", param: { town: "Rome" } },
    { step, param: { town: "Oslo" } },
  ]);
  expect(scoreUsage(calls, [{ step, tool: "find", param: { town: "Rome" } }])[0]!.score).toBe(1);
});

it("UltraTool skips entries that lack the scored part", () => {
  const flags = read([
    { step, tool: "perhaps" },
    { step, tool: 1 },
  ]);
  expect(scoreAwareness(flags, [{ step, tool: "1" } as never]).correct).toBe(1);
  expect(scoreSelection(read([{ step }, { step, tool: "find" }]), [{ step, tool: "find" }]).correct).toBe(1);
  expect(createdTools(read([{ step }, { step, tool: "find" }]), [{ step, tool: {} }])[0]!.tool).toBe("find");
  const calls = read([
    { step, tool: "find" },
    { step, param: { town: "Rome" } },
  ]);
  expect(scoreUsage(calls, [{ step, tool: "find", param: { town: "Rome" } }])[0]!.score).toBe(1);
});

it("flags and names are counted by step, and an answer without an entry has a wrong one", () => {
  const steps = ["1.1", "1.2", "1.3"];
  const flags = (value: unknown, ...tools: readonly string[]) =>
    scoreAwareness(
      read(value),
      tools.map((tool, at) => ({ step: steps[at]!, tool })),
    );
  const right = [
    { step: "1.1", tool: "1" },
    { step: "1.2", tool: "0" },
  ];
  expect(flags(right, "1", "0")).toEqual({
    predicted: [1, 0],
    gold: [1, 0],
    found: [true, true],
    correct: 2,
    total: 2,
    global: 1,
  });
  expect(flags(right, "0", "0", "1")).toMatchObject({
    predicted: [1, 0, 0],
    found: [true, true, false],
    correct: 1,
    global: 0,
  });
  expect(flags([], "0")).toMatchObject({ predicted: [1], found: [false], correct: 0, total: 1, global: 0 });
  expect(flags([{ step: "1.1", tool: ["1"] }], "1")).toMatchObject({ found: [false] });
  const names = (value: ReturnType<typeof read>) =>
    scoreSelection(value, [
      { step: "1.1", tool: "a_b" },
      { step: "1.2", tool: "c" },
    ]);
  const list = [
    { step: "1.1", tool: "a\\_b" },
    { step: "1.2", tool: 7 },
  ];
  const one = { predicted: ["a_b", 7], gold: ["a_b", "c"], found: [true, true], correct: 1, total: 2, global: 0 };
  const tuple = (...items: readonly unknown[]) => ({ kind: "tuple", items: items.map(read) }) as never;
  for (const value of [read(list), read([list]), tuple(list), tuple(list, []), tuple([list])])
    expect(names(value)).toEqual(one);
  const none = { ...one, predicted: ["no_good", "no_good"], found: [false, false], correct: 0 };
  for (const value of [read([list, list]), read([[list]]), read("x"), tuple()]) expect(names(value)).toEqual(none);
});

it("a number that a plan uses twice is reported at its second position", () => {
  expect(planMistakes("1. Go\n1.1 Look\n1.1 Look again\n2. Stop")).toEqual([
    { kind: "duplicate-number", step: 2, got: "1.1 Look again" },
  ]);
});

it("an empty argument is right only if it is an empty text or collection, as by Python's `not`", () => {
  const values = [read(""), read([]), read({}), { kind: "tuple", items: [] } as never];
  expect(values.map((value) => argumentScore("", value))).toEqual([1, 1, 1, 1]);
  const others = [read("x"), read([""]), read({ a: "" }), read(0), read(null), { kind: "tuple", items: [1] } as never];
  expect(others.map((value) => argumentScore("", value))).toEqual([0, 0, 0, 0, 0, 0]);
  expect([argumentScore("abcd", read("abcx")), argumentScore("ab", read("abcd"))]).toEqual([0.75, 0.5]);
});

it("the arguments of a call are those of its first key with this name, written with or without backslashes", () => {
  const usage = (param: object) =>
    scoreUsage(read([[{ step, param }], "x"]), [{ step, tool: "t", param: { a_b: "1" } }])[0]!;
  expect(usage({ "a\\_b": "1" })).toEqual({ score: 1, found: true, keys: [{ key: "a_b", score: 1, value: "1" }] });
  expect(usage({ "a\\_b": "2", a_b: "1" }).score).toBe(1);
  expect(usage({ ab: "1" })).toEqual({ score: 0, found: true, keys: [{ key: "a_b", score: 0, value: undefined }] });
  const none = { score: 0, found: false, keys: [{ key: "a_b", score: 0, value: undefined }] };
  expect(scoreUsage(read([{ step, param: "1" }]), [{ step, tool: "t", param: { a_b: "1" } }])).toEqual([none]);
});
