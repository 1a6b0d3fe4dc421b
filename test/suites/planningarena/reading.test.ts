/** Parsing models' texts: equal to the written rules, in linear time, whatever the text. */
import { describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { pick, randomFrom } from "../../../source/engine/statistics/random.ts";
import type { Json } from "../../../source/engine/types.ts";
import { datesIn, dateOfSpan, readDate } from "../../../suites/planningarena/data/calendar.ts";
import { canon } from "../../../suites/planningarena/data/canonical.ts";
import { readGenerated } from "../../../suites/planningarena/data/task-files.ts";
import { valuesPassed } from "../../../suites/planningarena/score/dependencies.ts";
import { evaluate } from "../../../suites/planningarena/score/evaluate.ts";
import { givenBy } from "../../../suites/planningarena/score/given.ts";
import { parseCall, parseLiteral, splitCall } from "../../../suites/planningarena/data/literal.ts";
import { appMentions, appName } from "../../../suites/planningarena/score/mentions.ts";
import { hasType } from "../../../suites/planningarena/data/parameters.ts";
import { readObject, transcriptOfRaw } from "../../../suites/planningarena/score/transcript.ts";
import { writtenCall } from "../../../suites/planningarena/data/literal.ts";

describe("app mentions in a step", () => {
  /** The rules as regular expressions, which may take quadratic time. */
  const byRule = (text: string) => [
    ...[...text.matchAll(/\btap(?:ping)? on the (.+?)(?: app)? icon to open it/gi)].map((match) => match[1]!),
    ...[...text.matchAll(/\bopen the (.+?) app\b/gi)].map((match) => match[1]!),
  ];

  test("equal the matches of the regular expressions, on random combinations of parts", () => {
    const parts = [
      "tap on the ",
      "Tapping on the ",
      "x",
      " app",
      " app icon to open it",
      " icon to open it",
      "open the ",
      "Open the ",
      "apple",
      " ",
      "\n",
      "_",
      "İ",
    ];
    const random = randomFrom("mentions");
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 9) }, () => pick(parts, random)).join("");
      expect({ text, found: appMentions(text).sort() }).toEqual({ text, found: byRule(text).sort() });
    }
  });

  test("are compared without quotes, case or the word app", () => {
    expect(["'Google  Pay'", "EA App", '"Zoom" '].map(appName)).toEqual(["google pay", "ea", "zoom"]);
  });
});

describe("calls that are written as text", () => {
  test("are the same after they are written and parsed", () => {
    const values: Json[] = [
      "it's",
      'a "b"',
      "back\\slash",
      "two\nlines\ttab",
      3,
      -2.5,
      1e21,
      true,
      false,
      null,
      [1, ["x"]],
      { "a b": { c: [] } },
    ];
    const args = Object.fromEntries(values.map((value, index) => [`k${index}`, value]));
    expect(parseCall(writtenCall("tool_1", args))).toEqual({ tool: "tool_1", args });
  });

  test.each<[string, unknown]>([
    ["{'a': 1,}", { a: 1 }],
    ["[1, 2,]", [1, 2]],
    ["{'a': 1,,}", undefined],
    ["{a: 1}", undefined],
    ["'\\u00e9\\q'", "éq"],
    ["'\\u00'", undefined],
    ["1e3", 1000],
    [".5", undefined],
    ["Trueish", undefined],
    ["{'a': None} x", undefined],
    ["'open", undefined],
  ])("are parsed with the literal %s", (text, value) => {
    expect(parseLiteral(text)).toEqual(value);
  });

  test("can have a space before the bracket, or no bracket", () => {
    expect(parseCall(" 1688DataHub ( {'q': 1} ) ")).toEqual({ tool: "1688DataHub", args: { q: 1 } });
    expect(parseCall("PositivityTips()")).toEqual({ tool: "PositivityTips", args: {} });
    expect(parseCall("f({'departureDate ': 1})")).toEqual({ tool: "f", args: { departureDate: 1 } });
    expect(splitCall("no call")).toBeUndefined();
  });

  test("keep keys such as `__proto__` as values", () => {
    const call = parseCall("f({'__proto__': {'polluted': True}, 'constructor': 1})")!;
    expect(Object.keys(call.args)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("canonical values", () => {
  test.each<[Json, string]>([
    ["20.70", "20.7"],
    [20.7, "20.7"],
    ["007", "007"],
    ["-0.50", "-0.5"],
    ["1234567890123456", "1234567890123456"],
    [1e21, "1000000000000000000000"],
    [1e-7, "0.0000001"],
    ["  Tmall   Global ", "tmall global"],
    ["December 13th, 2024", "2024-12-13"],
    ["2024年2月9日", "2024-02-09"],
    ["2024/2/30", "2024/2/30"],
    [{ b: 1, a: ["X", null] }, '{"a":["X",null],"b":1}'],
    [true, "true"],
  ])("of %j are %s", (value, expected) => {
    expect(canon(value)).toBe(expected);
  });
});

describe("a value that the task gives", () => {
  test("is in the profile, or in separate words of the request", () => {
    const given = givenBy("Buy 2 Pianos in\n Paris, not parisian ones", { userInfo: { likes: ["Tea"] } });
    expect(["paris", "pianos in paris", "piano", "2", "tea", "coffee"].map(given)).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
  });
});

describe("dates in a text", () => {
  test("are found in ISO, slash and English form if the date exists", () => {
    const text = "From 2024-2-9 or 2024/02/10 to February 11th, 2024; not 2024-02-30, 12024-02-12 or Smarch 1, 2024";
    expect([...datesIn(text)]).toEqual(["2024-02-09", "2024-02-10", "2024-02-11"]);
    expect(readDate("on 2024-02-09")).toBeUndefined();
  });

  test.each([
    ["In 3 days", "2024-02-05"],
    ["two weeks later", "2024-02-16"],
    ["the day after tomorrow", "2024-02-04"],
    ["next next Friday", "2024-02-16"],
    ["this Monday", "2024-01-29"],
    ["in 3 days later", undefined],
    ["eight days later", undefined],
    ["soon", undefined],
  ])("are, relative to Friday, 2 February 2024, for %s %s", (span, date) => {
    expect(dateOfSpan("2024-02-02", span)).toBe(date);
  });
});

test.each<[Parameters<typeof hasType>[0], Json, boolean]>([
  ["str", "", false],
  ["str", 5, true],
  ["str", true, false],
  ["int", "12", true],
  ["int", 1.5, false],
  ["number", "1.5", true],
  ["number", " -3 ", true],
  ["number", 0.25, true],
  ["number", "1.5.2", false],
  ["number", "three", false],
  ["number", "", false],
  ["number", true, false],
  ["number", null, false],
  ["bool", "true", true],
  ["bool", "yes", false],
  ["date", "2024-02-30", false],
  ["date", "2024-02-29", true],
  ["time", "09:30", true],
  ["time", "2024-02-29 24:00", false],
  ["array", [], true],
])("the type %s accepts %j: %s", (type, value, fits) => {
  expect(hasType(type, value)).toBe(fits);
});

describe("a plan of several steps", () => {
  test.each([
    [1, true],
    [20, true],
    [21, false],
  ])("with %i steps is valid: %s", async (count, generated) => {
    const [task] = (await readGenerated(sampleFolder("planningarena"))).filter(
      ({ facets }) => facets["interface"] === "API",
    );
    const { head, offer } = task!.input;
    const raw = Array.from({ length: count }, (_, index) => {
      const StepDetail = { StepNumber: index + 1, Description: "d", Action: "f()" };
      const plan = { GlobalThought: "t", OrderSteps: { TotalSteps: count, StepDetail } };
      const reply = { OrderSteps: { StepDetail: { Results: 1 } } };
      return [
        { role: "planner", content: JSON.stringify(plan) },
        { role: "responder", content: JSON.stringify(reply) },
      ] as const;
    });
    const evaluation = evaluate({ task: head, gold: task!.answer.gold, offer, profile: undefined, raw: raw.flat() });
    expect(evaluation.generated).toBe(generated);
    expect(evaluation.findings.filter(({ check }) => check === "generated")).toEqual(
      generated ? [] : [{ check: "generated", step: 0, expected: "1 to 20 steps", got: "21", text: "announced steps" }],
    );
  });
});

describe("a value that a later step uses", () => {
  const step = (stepNumber: number, args: Record<string, Json>, results: Json) => ({
    thought: "",
    totalSteps: 2,
    stepNumber,
    description: "",
    action: "f()",
    call: { tool: "f", args },
    results,
  });
  test.each<[Json, boolean]>([
    [9, false],
    [-9.5, false],
    [-10, true],
    [123, true],
    ["ab", false],
    ["abc", true],
    [true, false],
  ])("was passed on only if it is distinctive: %j: %s", (value, passed) => {
    const steps = [step(1, {}, { found: value }), step(2, { wanted: value }, {})];
    expect(valuesPassed(steps, () => false)).toEqual(passed ? [[0, 1]] : []);
  });

  test("comes from the closest earlier step that returned it, otherwise from the first later step", () => {
    const made = (number: number) => step(number, {}, { found: "ticket" });
    const used = (number: number) => step(number, { wanted: "ticket" }, {});
    const pairs = (...steps: ReturnType<typeof step>[]) => valuesPassed(steps, () => false);
    expect(pairs(made(1), made(2), used(3), made(4))).toEqual([[0, 2]]);
    expect(pairs(used(1), made(2), made(3), made(4))).toEqual([[1, 0]]);
    expect(pairs(made(1), used(2), used(3))).toEqual([
      [0, 1],
      [0, 2],
    ]);
  });

  test("is not passed on by a step that received it from another step, nor by a step that is not a call", () => {
    const again = step(2, { wanted: "ticket" }, { found: "ticket" });
    const prose = { ...step(1, {}, { found: "ticket" }), call: undefined };
    expect(valuesPassed([again, step(3, { wanted: "ticket" }, {})], () => false)).toEqual([]);
    expect(valuesPassed([prose, step(2, { wanted: "ticket" }, {})] as never, () => false)).toEqual([]);
    expect(valuesPassed([step(1, {}, ["ticket"]), step(2, { wanted: "ticket" }, {})], () => true)).toEqual([]);
  });
});

describe("raw answers of a dialogue", () => {
  const plan = {
    role: "planner",
    content:
      '{"GlobalThought":"t","OrderSteps":{"TotalSteps":1,"StepDetail":{"StepNumber":1,"Description":"d","Action":"f()"}}}',
  } as const;
  const reply = { role: "responder", content: '{"OrderSteps":{"StepDetail":{"Results":1}}}' } as const;
  test.each([
    ["a responder first", [reply], "json"],
    ["two responders", [plan, reply, reply], "json"],
    ["nothing", [], "empty"],
    ["a planner alone, which is dropped", [plan], "empty"],
  ] as const)("are garbled if %s", (_, raw, reason) => {
    expect(transcriptOfRaw(raw, true)).toMatchObject({ garbled: true, reason });
  });

  test("omit a last answer of the planner that has no reply from the responder", () => {
    expect(transcriptOfRaw([plan, reply, plan], true).steps).toHaveLength(1);
  });

  test("have code fences and following white space removed", () => {
    expect(readObject('```json\n{"a": 1}\n```  ')).toEqual({ a: 1 });
    expect(readObject("[1]")).toBeUndefined();
  });
});

test("hostile texts of 300 KB are scored in linear time", () => {
  const size = 300_000;
  const texts = [
    "tap on the ",
    "open the ",
    "2024-",
    "January 1",
    " ",
    "'",
    "\\",
    "[",
    "{'a':",
    "(",
    ")",
    " icon to open it",
  ].map((part) => part.repeat(size / part.length));
  const head = { id: 1, scenario: "1_travel", structure: null, level: "easy", userId: null, query: "Go." } as const;
  const offer = { name: "apps", apps: [], apis: new Map() };
  for (const text of texts)
    for (const [operationalScenario, relation, action] of [
      ["APP", "SAPP", { Tap: text }],
      ["API", "DAPI", `f({'a': '${text}'})`],
      ["API", "DAPI", `f(${text})`],
    ] as const) {
      const detail = { StepNumber: 1, Description: text, Action: action, Results: text };
      const dialogue = [{ GlobalThought: text, OrderSteps: { TotalSteps: 1, StepDetail: detail } }];
      const gold = { subtasks: [{ id: "s1", text }], edges: [], literals: [text], dates: ["2024-01-01"] };
      evaluate({ task: { ...head, operationalScenario, relation }, gold, offer, profile: { text }, dialogue });
    }
});
