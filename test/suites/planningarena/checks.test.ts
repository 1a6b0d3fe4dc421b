/** The checks of a dialogue and their findings, on tasks of one or two subtasks. */
import { describe, expect, test } from "vitest";
import { type CheckInput, checkDialogue, checkNames } from "../../../suites/planningarena/score/checks.ts";
import type { Dependencies } from "../../../suites/planningarena/score/dependencies.ts";
import type { Evaluation } from "../../../suites/planningarena/score/evaluate.ts";
import { givenBy } from "../../../suites/planningarena/score/given.ts";
import { isRight, joinedText, matchSubtasks, rightArguments } from "../../../suites/planningarena/score/matching.ts";
import { findings, readAnswer, scoreOf } from "../../../suites/planningarena/score/score.ts";
import type { Gold, PlanStepRecord, Subtask } from "../../../suites/planningarena/data/records.ts";
import type { Json, Row } from "../../../source/engine/types.ts";

const call = (tool: string, args: { readonly [name: string]: Json } = {}, description = ""): PlanStepRecord =>
  ({ description, action: `${tool}(...)`, call: { tool, args } }) as unknown as PlanStepRecord;
const app = (action: Json, description = ""): PlanStepRecord =>
  ({ description, action, call: undefined }) as unknown as PlanStepRecord;
const argument = (name: string, value: Json, check: "PC" | "TR" | "TD" = "PC") => ({ name, value, check });

const none: Dependencies = {
  value: 1,
  n: 0,
  m: 0,
  correct: 0,
  found: [],
  missed: [],
  extra: [],
  reversed: [],
} as unknown as Dependencies;
const parameter = (name: string, type: string, required: boolean) => ({ name, type, required });
const offer = {
  name: "1_travel",
  apps: ["Maps", "Trains app"],
  apis: new Map([
    ["look", { tool: "look", parameters: [parameter("city", "str", true), parameter("days", "int", false)] }],
    ["book", { tool: "book", parameters: [] }],
  ]),
};

function checked(
  steps: readonly PlanStepRecord[],
  gold: Partial<Gold> & { readonly subtasks: readonly Subtask[] },
  more: Partial<CheckInput> = {},
) {
  const { checks, findings: all } = checkDialogue({
    api: true,
    gold: { edges: [], ...gold } as unknown as Gold,
    offer: offer as unknown as CheckInput["offer"],
    steps,
    matches: matchSubtasks(gold.subtasks, steps),
    dependencies: none,
    given: givenBy("", undefined),
    ...more,
  });
  return { checks, found: all.map(({ check, text, step }) => `${check} ${step ?? "-"}: ${text}`), all };
}
const looked: Subtask = { id: "s1", tool: "look" };

describe("the checks of calls", () => {
  test("pass for a plan that satisfies the request, and leave the checks of apps and times undefined", () => {
    expect(checked([call("look", { city: "Rome" })], { subtasks: [looked] })).toMatchObject({
      checks: { SC: true, SR: true, TD: true, "FD-APP": null, OSC: null, "FD-API": true, PC: true, TR: null },
      found: [],
    });
  });

  test("find missing and redundant steps, but count an invented tool only once", () => {
    const { checks, found, all } = checked([call("look", { city: "Rome" }), call("book"), call("fly")], {
      subtasks: [looked, { id: "s2", tool: "rent" }, { id: "s3", text: "look around" }, { id: "s4" }],
    });
    expect(found).toEqual([
      "SC -: no step does this",
      "SC -: no step does this",
      "SC -: no step does this",
      "SR 1: no subtask needs this step",
      "FD-API 2: not offered to this task",
    ]);
    expect(all.slice(0, 3).map(({ expected }) => expected)).toEqual(["rent", "look around", "s4"]);
    expect(checks).toMatchObject({ SC: false, SR: false, "FD-API": false, PC: true });
  });

  test("find missing, unknown and mistyped parameters, and values that differ from the key", () => {
    const steps = [
      call("look", { days: "many", colour: "red" }),
      call("look", { city: "Rome" }),
      call("fly", { x: 1 }),
    ];
    const { found, all } = checked(steps, {
      subtasks: [looked, { ...looked, id: "s2", args: [argument("city ", "Oslo"), argument("days", 2)] }],
    });
    expect(found.filter((text) => text.startsWith("PC"))).toEqual([
      "PC 0: missing",
      "PC 0: type",
      "PC 0: unknown",
      "PC 1: value",
      "PC 1: value",
    ]);
    expect(all.filter(({ check, step }) => check === "PC" && step === 0)).toEqual([
      { check: "PC", step: 0, key: "city", text: "missing" },
      { check: "PC", step: 0, key: "days", got: "many", text: "type" },
      { check: "PC", step: 0, key: "colour", got: "red", text: "unknown" },
    ]);
    expect(all.filter(({ check, subtask }) => check === "PC" && subtask === "s2")).toEqual([
      { check: "PC", step: 1, subtask: "s2", key: "city ", expected: "oslo", got: "rome", text: "value" },
      { check: "PC", step: 1, subtask: "s2", key: "days", expected: "2", text: "value" },
    ]);
  });

  test("find required words that are missing from the plan", () => {
    const gold = { subtasks: [looked], literals: ["Blue  Train", "sea"] };
    expect(checked([call("look", { city: "a" }, "the BLUE train")], gold).found).toEqual([
      "PC -: missing from the plan",
    ]);
  });

  test("find dates that are wrong, in a missing step, or nowhere in the plan", () => {
    const timed = (value: Json): Subtask => ({ ...looked, args: [argument("city", value, "TR")] });
    const right = checked([call("look", { city: "2024-05-01" })], { subtasks: [timed("May 1, 2024")] });
    expect([right.checks.TR, right.found]).toEqual([true, []]);
    const wrong = checked([call("look", { city: "2024-05-02" })], { subtasks: [timed("2024-05-01")] });
    expect([wrong.checks.TR, wrong.checks.PC, wrong.found]).toEqual([false, true, ["TR 0: value"]]);
    expect(checked([], { subtasks: [timed("x")] }).found).toEqual([
      "SC -: no step does this",
      "TR -: the step with this date is missing",
    ]);
    const dated = { subtasks: [looked], dates: ["2024-05-01", "2024-05-03"] };
    const { checks, found } = checked([call("look", { city: "a" }, "on 2024-05-01")], dated);
    expect([checks.TR, found]).toEqual([false, ["TR -: date missing from the plan"]]);
    expect(checked([], { subtasks: [{ ...looked, args: [argument("city", "x", "TD")] }] }).checks.TR).toBeNull();
  });

  test("report dependencies that are missing, invented or reversed", () => {
    const edge = { from: "s1", to: "s2", kind: "value" } as const;
    const at = { ...edge, fromStep: 0, toStep: 1 };
    const dependencies = {
      ...none,
      value: 0.5,
      missed: [edge],
      extra: [at],
      reversed: [at],
    } as unknown as Dependencies;
    const { checks, all } = checked([call("look", { city: "a" })], { subtasks: [looked] }, { dependencies });
    expect(checks.TD).toBe(false);
    expect(all).toEqual([
      { check: "TD", subtask: "s2", expected: "s1 → s2", text: "dependency not found" },
      { check: "TD", step: 1, got: "s1 → s2", text: "dependency that is not required" },
      {
        check: "TD",
        step: 1,
        subtask: "s2",
        expected: "s1 → s2",
        got: "s2 → s1",
        text: "comes before a step it depends on",
      },
    ]);
  });
});

describe("the checks of apps", () => {
  const apps = (steps: readonly PlanStepRecord[], query = "", profile?: Json) =>
    checked(steps, { subtasks: [] }, { api: false, given: givenBy(query, profile) });
  const open = (name: string) => app({ Tap: `Tap on the ${name} app icon to open it` });

  test("find apps that were never mentioned", () => {
    const { checks, found } = apps([open("Maps"), open("Trains"), open("Ferry")]);
    expect(found).toEqual([
      "SR 0: no subtask needs this step",
      "SR 1: no subtask needs this step",
      "FD-APP 2: neither offered nor in the query or profile",
    ]);
    expect(checks).toMatchObject({ "FD-APP": false, OSC: true, "FD-API": null });
    expect(apps([open("Ferry")], "Use the ferry!").checks["FD-APP"]).toBe(true);
    expect(apps([open("Ferry")], "", { likes: ["Ferry"] }).checks["FD-APP"]).toBe(true);
  });

  test("find invalid operations", () => {
    const osc = (action: Json) =>
      apps([app(action)])
        .all.filter(({ check }) => check === "OSC")
        .map(({ got }) => got);
    expect(osc({ Tap: "x", Back: "y" })).toEqual([]);
    expect(osc({ Tap: "x", Jump: "y", Text: "", Swipe: 3 })).toEqual(["Jump, Text, Swipe"]);
    expect([osc({}), osc("Tap")]).toEqual([["no operation"], ["no operation"]]);
  });
});

describe("the step of a subtask", () => {
  test("is the call of its tool with the most right arguments, or the first such call on a tie; each call belongs to one subtask", () => {
    const steps = [call("look", { a: 1 }), call("look", { a: 1, b: 2 }), call("book"), call("look", { a: 1, b: 2 })];
    const subtask: Subtask = { id: "s", tool: "look", args: [argument("a", 1), argument("b", 2)] };
    expect(matchSubtasks([subtask, subtask, subtask, subtask], steps)).toEqual([1, 3, 0, undefined]);
    expect(matchSubtasks([{ id: "s", tool: "look" }], steps)).toEqual([0]);
    expect(rightArguments(subtask, steps[0]!)).toBe(1);
    expect(rightArguments({ id: "s", tool: "look" }, steps[0]!)).toBe(0);
    expect(isRight(argument("a ", "1.0"), steps[0]!)).toBe(true);
    expect(isRight(argument("c", "1"), steps[0]!)).toBe(false);
  });

  test("is the app step with the most similar words, if at least half of the words are equal", () => {
    const steps = [app({ Tap: "one two" }), app({ Tap: "one two three" }), app("one two three four"), call("look")];
    const match = (text: string) => matchSubtasks([{ id: "s", text }], steps)[0];
    expect(match("one two three four")).toBe(1);
    expect(match("ONE, two")).toBe(0);
    // Dice coefficient: twice the shared words, divided by the words of both.
    expect(match("one a")).toBe(0);
    expect(match("one a b")).toBeUndefined();
    expect(match("")).toBeUndefined();
    expect(joinedText([app({ Tap: "a  b" }, " c "), call("look", {}, "d")])).toMatch(/^c a b d/);
  });
});

test("a value counts as given if the profile contains it, or if the request contains it as whole words", () => {
  const given = givenBy("Go to  Rome2 or Rome, by train.", { home: "Oslo", more: [7] });
  expect(["oslo", "7", "rome", "rome2", "by train"].map(given)).toEqual([true, true, true, true, true]);
  expect(["rom", "ome", "2", "r", "train. and on", "y"].map(given)).toEqual([false, false, false, false, false, false]);
  expect(givenBy("x", "Rome")("rome")).toBe(true);
  // Places may overlap: the first two dashes of three follow a letter, the last two do not.
  expect(givenBy("a---", undefined)("--")).toBe(true);
  expect([givenBy("rome romes", undefined)("rome"), givenBy("romes rome", undefined)("rome")]).toEqual([true, true]);
  expect(givenBy("ab", undefined)("ab")).toBe(true);
});

describe("the score of a dialogue", () => {
  const evaluation = (more: Partial<Evaluation> = {}): Evaluation =>
    ({
      checks: Object.fromEntries(checkNames.map((name) => [name, name === "TR" ? null : name !== "PC"])),
      da: { value: 0.5, recall: null, literal: 0.25 },
      ser: 0.75,
      lpr: null,
      smar: { eq3: 0.4, table: 0.6 },
      generated: true,
      result: false,
      garbled: false,
      findings: [{ check: "PC", text: "value", step: 0, key: "city", expected: "oslo", got: "rome" }],
      ...more,
    }) as unknown as Evaluation;

  test("has a metric for each check that applies", () => {
    const { value, metrics, checks, errors } = scoreOf(evaluation());
    expect(value).toBe(0);
    expect(metrics).toEqual({
      result: 0,
      pgr: 1,
      garbled: 0,
      "smar.eq3": 0.4,
      "smar.table": 0.6,
      ser: 0.75,
      da: 0.5,
      "da.literal": 0.25,
      SC: 1,
      SR: 1,
      TD: 1,
      "FD-APP": 1,
      OSC: 1,
      "FD-API": 1,
      PC: 0,
    });
    expect(checks[0]).toEqual({ name: "PGR", kept: true });
    expect(checks.find(({ name }) => name === "PC")).toEqual({
      name: "PC",
      kept: false,
      message: "value, expected oslo, got rome",
    });
    expect(checks.find(({ name }) => name === "TR")).toEqual({ name: "TR", kept: undefined });
    expect(errors).toEqual([
      { kind: "fictitious parameter", step: 0, key: "city", expected: "oslo", got: "rome (value)" },
    ]);
  });

  test("has no checks for an unreadable plan, and contains the reason", () => {
    const garbled = scoreOf(
      evaluation({ checks: null, da: null, ser: null, garbled: true, generated: false } as never),
    );
    expect(garbled.metrics).toEqual({ result: 0, pgr: 0, garbled: 1, "smar.eq3": 0.4, "smar.table": 0.6 });
    expect(garbled.checks[0]).toEqual({ name: "PGR", kept: false, message: "cannot be read" });
    expect(garbled.checks.slice(1).every(({ kept }) => kept === undefined)).toBe(true);
    const numbered = [1, 2].map((step) => ({ check: "generated", text: `step ${step}` }));
    expect(scoreOf(evaluation({ generated: false, findings: numbered } as never)).checks[0]).toEqual({
      name: "PGR",
      kept: false,
      message: "step 1; step 2",
    });
    const whole = scoreOf(evaluation({ result: true, lpr: 1, da: { value: 1, recall: 1, literal: null } } as never));
    expect([whole.value, whole.metrics["result"], whole.metrics["lpr"]]).toEqual([1, 1, 1]);
    expect([whole.metrics["da.recall"], "da.literal" in whole.metrics]).toEqual([1, false]);
  });

  test("truncates a check's message at 600 characters", () => {
    const long = [{ check: "PC", text: "x".repeat(700) }];
    const { checks } = scoreOf(evaluation({ findings: long } as never));
    expect(checks.find(({ name }) => name === "PC")!.message).toHaveLength(600);
  });

  test("is computed only from an answer with a list of records", () => {
    expect(readAnswer({ dialogue: [1], end: "complete", unread: null })).toEqual({
      dialogue: [1],
      end: "complete",
      unread: null,
    });
    expect(readAnswer({ dialogue: [], end: 3 })).toEqual({ dialogue: [], end: undefined, unread: undefined });
    expect([readAnswer({ dialogue: {} }), readAnswer("x"), readAnswer(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("has a finding if an older version computed it", () => {
    const row = (value: number | undefined, end = "responder-unparsable") =>
      ({ score: { value, labels: { end } } }) as unknown as Row;
    expect(findings([row(undefined), row(1, "complete")])).toEqual([]);
    expect(findings([row(0)])[0]).toMatch(/^1 score was made when/);
    expect(findings([row(0), row(1)])[0]).toMatch(/^2 scores were made when/);
  });
});
