/** Mistakes in answers and plans, on hand-made values. */
import { describe, expect, test } from "vitest";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import type { Json, Mistake } from "../../../source/engine/types.ts";
import {
  awarenessMistakes,
  creationMistakes,
  readingMistakes,
  selectionMistakes,
  shown,
  usageMistakes,
} from "../../../suites/ultratool/score/mistakes.ts";
import type { Reading } from "../../../suites/ultratool/score/reading.ts";
import {
  depthOf,
  entriesByNumber,
  planMistakes,
  planSteps,
  stepNumber,
} from "../../../suites/ultratool/score/steps.ts";

const python = (value: Json) => parseJsonAsPython(JSON.stringify(value))!;
const reading = (value: Json, more: Partial<Reading> = {}): Reading =>
  ({ value: python(value), ok: true, attempts: 1, repair: "as is", work: 0, ...more }) as Reading;
const kinds = (mistakes: readonly Mistake[]) =>
  mistakes.map(({ kind, step, got }) => [kind, step, got].filter((part) => part !== undefined).join(" "));

describe("steps of a plan or an answer", () => {
  test("are numbered by the text before the first space", () => {
    expect(["1.2 Send", "1.", "", "1.2\u3000Send"].map(stepNumber)).toEqual(["1.2", "1.", "", "1.2\u3000Send"]);
    expect(["1. a", "1.2 a", "1.2.1 a", ".", "x"].map(depthOf)).toEqual([1, 2, 3, 1, 1]);
    expect(planSteps(" 1. a\n1.2 b\nc 1\n1.x d\n10.20.30. e\n1")).toEqual(["1. a", "1.2 b", "10.20.30. e", "1"]);
  });

  test("are the dicts of an answer that have a text, in order", () => {
    const list = [{ step: "1 a", x: 1 }, "no", { step: 7 }, { x: 1 }, { step: "2 b" }, { step: "1 again" }];
    expect([...entriesByNumber(python(list))].map(([number, own]) => [number, own.length])).toEqual([
      ["1", 2],
      ["2", 1],
    ]);
    expect(entriesByNumber(python({ step: "1" })).size).toBe(0);
  });

  test("form a tree in a plan: numbered uniquely, below their parents", () => {
    expect(planMistakes("1. a\n1.1 b\n\n1.1.1 c\n2 d")).toEqual([]);
    expect(planMistakes("1. a\nb\n 1 again\n2.1 c\n2.1.1 d\n3. e\n3.1. f")).toEqual([
      { kind: "not-numbered", step: 1, got: "b" },
      { kind: "duplicate-number", step: 2, got: "1 again" },
      { kind: "orphan", step: 3, expected: "2", got: "2.1" },
    ]);
    expect(planMistakes("x".repeat(300))[0]!.got).toHaveLength(200);
    expect(planMistakes(`1 a\n1 ${"x".repeat(300)}`)[0]!.got).toHaveLength(200);
    expect(planMistakes(Array.from({ length: 150 }, () => "x").join("\n"))).toHaveLength(100);
  });
});

describe("the mistakes of an answer", () => {
  const asked = [{ step: "1.1 Find" }, { step: "1.2 Reserve" }];

  test("are shown with at most 300 characters", () => {
    expect(shown("x".repeat(300))).toHaveLength(300);
    expect(shown("x".repeat(301))).toBe(`${"x".repeat(300)}...`);
    expect(shown(python([1, "a"]))).toBe("[1, 'a']");
    // Surrogates that Python does not join to one character are no JavaScript text.
    const apart = { kind: "text", codes: [0xd83d, 0xde00, 0x1f600] } as const;
    expect(shown(apart)).toBe("😀😀");
    expect(shown({ kind: "text", codes: [...apart.codes.slice(0, 2), ...Array(400).fill(120)] })).toHaveLength(300);
  });

  test("include how the answer was parsed", () => {
    expect(readingMistakes(reading([], { ok: false, attempts: 3 }), asked)).toEqual([{ kind: "unreadable" }]);
    expect(readingMistakes(reading([{ step: "1.1 x" }]), asked)).toEqual([]);
    expect(readingMistakes(reading([], { attempts: 2, repair: "change quotes" }), asked)).toEqual([
      { kind: "repaired", got: "change quotes" },
    ]);
    expect(readingMistakes(reading({ a: 1 }, { attempts: 2, repair: "change quotes" }), asked)).toEqual([
      { kind: "repaired", got: "change quotes" },
      { kind: "not-a-list", got: "{'a': 1}" },
    ]);
  });

  test("include steps that were not requested, in a list, a list of lists and a tuple", () => {
    const other = [{ step: "1.1 x" }, { step: "9 y" }];
    const extra = [{ kind: "extra-step", got: "9" }];
    expect(readingMistakes(reading(other), asked)).toEqual(extra);
    expect(readingMistakes(reading([other]), asked)).toEqual(extra);
    const tuple = { kind: "tuple", items: [python(other)] } as never;
    expect(readingMistakes(reading([], { value: tuple }), asked)).toEqual(extra);
    const more = { kind: "tuple", items: [python(other), python([])] } as never;
    expect(readingMistakes(reading([], { value: more }), asked)).toEqual(extra);
    expect(readingMistakes(reading([other, "x"]), asked)).toEqual(extra);
    const many = Array.from({ length: 60 }, (_, at) => ({ step: `9.${at} y` }));
    expect(readingMistakes(reading(many), asked)).toHaveLength(50);
    expect(readingMistakes(reading([{ step: "y".repeat(400) }]), asked)[0]!.got).toHaveLength(300);
  });

  const judged = <Value>(predicted: readonly Value[], gold: readonly Value[], found: readonly boolean[]) =>
    ({ predicted, gold, found, correct: 0, total: 0, global: 0 }) as const;

  test("are missed needs, needless requests, absent flags and missing steps for awareness", () => {
    expect(
      kinds(awarenessMistakes(judged([1, 0, 1, 7, 0, -1], [1, 1, 0, 1, 1, 0], [true, true, true, true, false, true]))),
    ).toEqual(["missed-need 1 0", "needless 2 1", "no-flag 3 7", "missing-step 4", "no-flag 5 -1"]);
  });

  test("are wrong, invented and missing tools for selection", () => {
    const toolset = [{ name: "find" }, { name: "book" }] as never;
    const predicted = ["find", "book", "fly", 3, "x"].map((value) => python(value));
    const gold = ["find", "find", "find", "find", "find"].map((value) => python(value));
    expect(kinds(selectionMistakes(judged(predicted, gold, [true, true, true, true, false]), toolset))).toEqual([
      "wrong-tool 1 book",
      "invented-tool 2 fly",
      "invented-tool 3 3",
      "missing-step 4",
    ]);
  });

  test("are missing, changed, unmarked and unexpected arguments for usage", () => {
    const gold = { step: "1.1 Find", tool: "find", param: { seats: "4", room: "<1.0>", day: "Mon" } };
    const key = (name: string, score: number, value?: string) => ({ key: name, score, value });
    const usage = (found: boolean, ...keys: readonly ReturnType<typeof key>[]) => ({ score: 0, found, keys });
    const value = python([{ step: "1.1 Find", param: { seats: "5", colour: "red", "a\\_b": 1 } }]);
    const keys = [key("seats", 0.5, "5"), key("room", 0, "Blue"), key("day", 0)];
    expect(usageMistakes([usage(true, ...keys)], [gold], value)).toEqual([
      { kind: "changed-value", step: 0, key: "seats", expected: "4", got: "5" },
      { kind: "unmarked-result", step: 0, key: "room", expected: "<1.0>", got: "Blue" },
      { kind: "missing-argument", step: 0, key: "day", expected: "Mon" },
      { kind: "extra-argument", step: 0, key: "colour" },
      { kind: "extra-argument", step: 0, key: "a_b" },
    ]);
    expect(usageMistakes([usage(true, key("room", 0, "<2>"))], [gold], value)[0]!.kind).toBe("changed-value");
    for (const room of ["<1.0", "1.0>"])
      expect(
        usageMistakes([usage(true, key("room", 0, "Blue"))], [{ ...gold, param: { room } }], python([]))[0]!.kind,
      ).toBe("changed-value");
    expect(usageMistakes([usage(true, key("seats", 1, "4"))], [gold], python([]))).toEqual([]);
    expect(usageMistakes([usage(false)], [gold], value)).toEqual([{ kind: "missing-step", step: 0, expected: "find" }]);
    const twice = python([
      [{ step: "1.1 x" }, { step: "1.1 y", param: { late: 1 } }, { step: "1.1 z", param: { never: 1 } }],
      "x",
    ]);
    expect(usageMistakes([usage(true)], [gold], twice)).toEqual([{ kind: "extra-argument", step: 0, key: "late" }]);
    const more = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, at]));
    expect(usageMistakes([usage(true)], [gold], python([{ step: "1.1 x", param: more }]))).toHaveLength(50);
    expect(usageMistakes([usage(true)], [gold], python([{ step: "1.1 x", param: "all" }]))).toEqual([]);
  });

  test("are values that are not tools, and tools that lack a part, for creation", () => {
    const tool = (value: Json) => ({ step: "1", tool: python(value) });
    expect(
      creationMistakes([
        tool(""),
        tool({}),
        tool({ name: "a", arguments: {} }),
        tool({ name: "a", description: "b", arguments: {}, results: {} }),
      ]),
    ).toEqual([
      { kind: "no-tool", step: 0, got: "" },
      { kind: "no-tool", step: 1, got: "{}" },
      { kind: "malformed-tool", step: 2, expected: "description, results" },
    ]);
  });
});
