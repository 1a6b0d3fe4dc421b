/** What is told about a reply besides its cause. */
import { describe, expect, it, test } from "vitest";
import type { TextForm } from "../../../source/engine/benchmark.ts";
import { besideCause, readAnyway, type RunReading, writtenAs } from "../../../source/engine/log/rows/cause-beside.ts";
import type { Trajectory, Turn } from "../../../source/engine/log/trajectory.ts";
import type { CauseName } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

const replied = (text: string, more: object = {}) =>
  ({ kind: "turn", role: "model", stage: "plan", text, calls: [], finish: "stop", ...more }) as unknown as Turn;

const reading = (form: TextForm | undefined, name = "a list in JSON"): RunReading => ({
  spec: bareSpec("made"),
  form: () => form,
  formName: ({ stage }) => (stage === "plan" ? name : undefined),
});

const beside = (cause: CauseName, turn: Turn, run?: Partial<RunReading>, others: readonly object[] = []) => {
  const trajectory = { cause: { cause }, entries: [...others, turn], facets: {} } as unknown as Trajectory;
  return besideCause(turn, trajectory, run);
};

describe("a reply in another form", () => {
  it("is told with the form that was asked for", () => {
    expect(beside("other-form", replied("I would go."), reading(undefined))).toEqual([
      "prose instead of a list in JSON",
    ]);
    expect(beside("other-form", replied('{"a": 1}'), reading(undefined))).toEqual(["JSON, but not a list in JSON"]);
  });

  it("is told beside a cut and a repetition, but the beginning of JSON may become the JSON that was asked for", () => {
    for (const cause of ["cut", "repeats"] as const)
      expect(beside(cause, replied("I would go."), reading(undefined))).toEqual([
        "the reply so far is prose, not a list in JSON",
      ]);
    expect(beside("cut", replied('[{"step'), reading(undefined))).toEqual([]);
    expect(beside("cut", replied('[{"step'), reading(undefined, "numbered steps"))).toEqual([
      "the reply so far is JSON, not numbered steps",
    ]);
  });

  it("is not told if nothing is known about the form, if functions were called, or for other causes", () => {
    expect(beside("other-form", replied("I go."))).toEqual([]);
    const { spec, ...without } = reading(undefined);
    for (const run of [{ spec }, without]) expect(beside("other-form", replied("I go."), run)).toEqual([]);
    expect(beside("other-form", replied("I go.", { stage: "thought" }), reading(undefined))).toEqual([]);
    expect(beside("other-form", replied(" "), reading(undefined))).toEqual([]);
    expect(beside("cut", replied("I go.", { calls: [{}] }), reading(undefined))).toEqual([]);
    for (const cause of ["read", "wrapped", "no-call", "empty", "limit"] as const)
      expect(beside(cause, replied("I go."), reading(undefined))).toEqual([]);
    expect(besideCause(replied("x"), { entries: [] } as unknown as Trajectory, reading(undefined))).toEqual([]);
  });
});

it("the score of the answer inside a wrapping is told as that of `unwrapped`, if there is one", () => {
  const wrapped = (cause: CauseName, metrics: object) =>
    besideCause(replied("x"), { cause: { cause }, entries: [], score: { metrics } } as unknown as Trajectory);
  expect(wrapped("wrapped", { unwrapped: 0.96491 })).toEqual(["unwrapped, the answer scores 96.5 %"]);
  expect(wrapped("wrapped", { unwrapped: 0 })).toEqual(["unwrapped, the answer scores 0 %"]);
  expect(wrapped("wrapped", {})).toEqual([]);
  expect(wrapped("read", { unwrapped: 1 })).toEqual([]);
});

it("an answer that the official program reads, although it is cut or copied, is told", () => {
  const read = reading({ got: "x", extent: "open" });
  for (const cause of ["cut", "echo", "repeats"] as const)
    expect(beside(cause, replied("x"), read)).toEqual([readAnyway]);
  expect(beside("no-call", replied("x"), read)).toEqual([]);
  // Any text is an answer, so that nothing is known.
  expect(beside("cut", replied("x"), reading({ got: "", extent: "open" }))).toEqual([]);
});

it("other replies that were cut are counted, those of the judge apart", () => {
  const cut = replied("x", { finish: "length" });
  const last = replied("x", { finish: "length" });
  expect(beside("no-call", last, undefined, [cut])).toEqual(["the other reply was also cut"]);
  expect(beside("no-call", last, undefined, [cut, cut, replied("y"), { kind: "note" }])).toEqual([
    "2 of the 3 other replies were also cut",
  ]);
  expect(beside("no-call", last, undefined, [cut, replied("y")])).toEqual(["1 of the 2 other replies was also cut"]);
  expect(beside("no-call", replied("x"), undefined, [cut, cut])).toEqual(["all 2 other replies were cut"]);
  expect(beside("no-call", last, undefined, [replied("y"), replied("z", { role: "judge", finish: "length" })])).toEqual(
    [],
  );
});

test.each([
  ['[{"a": 1}]', "JSON"],
  ['{"a": ', "JSON"],
  ["[]", "JSON"],
  ['"a"', "JSON"],
  ['Sure:\n```json\n{"a": 1}\n```', "JSON"],
  ["[12:30] I go.", "prose"],
  ["def plan():\n  pass", "code"],
  ["```\nplan\n```", "code"],
  ["print(1)", "code"],
  ["1.1.1. 2.1.2.", "numbers"],
  ["17", "numbers"],
  ["- go\n- come", "a plain-text list"],
  ["My plan:\n1. go\n2) come", "a plain-text list"],
  ["Step 1: go\nand then", "a plain-text list"],
  ["My plan is this:\n1. go\nand come", "prose"],
  ["1. go", "prose"],
  ["I go.", "prose"],
] as const)("%j is written as %s", (text, kind) => {
  expect(writtenAs(text)).toBe(kind);
});
