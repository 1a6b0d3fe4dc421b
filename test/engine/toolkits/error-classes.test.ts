import { describe, expect, it } from "vitest";
import {
  classOfCall,
  classOfQuery,
  notPlanned,
  agreedClass,
  type FailedCall,
} from "../../../source/engine/toolkits/error-classes.ts";
import type { ToolSpec } from "../../../source/engine/types.ts";

const tool: ToolSpec = {
  name: "trains",
  description: "Trains",
  parameters: {
    type: "object",
    properties: { from: { type: "string" }, date: { type: "string" }, seats: { type: "integer" } },
    required: ["from"],
  },
};
const failed = (observation: string, given: Partial<FailedCall> = {}): FailedCall => ({
  name: "trains",
  text: '{"from": "Vessin"}',
  observation,
  status: 0,
  tool,
  ...given,
});

describe("the error class of a failed call", () => {
  it("is api-hallucinated if the tool was not offered", () => {
    expect(classOfCall(failed("No such function name: x", { tool: undefined, status: 1 }))).toBe("api-hallucinated");
    expect(classOfCall(failed("Endpoint '/x' does not exist"))).toBe("api-hallucinated");
  });

  it("is not api-hallucinated if only a value in the call is unknown", () => {
    expect(classOfCall(failed("Invalid: no results for Atlantis"))).toBe("invalid-parameter");
  });

  it("is false-format if the arguments are not a JSON object", () => {
    for (const text of ["{", "[1]", '"x"', "null"]) expect(classOfCall(failed("", { text }))).toBe("false-format");
    expect(classOfCall(failed("", { text: '{"from": {"city": "x"}}' }))).toBe("false-format");
  });

  it("is false-format if a date has the wrong format, although the message says invalid", () => {
    expect(classOfCall(failed("Invalid input parameters. Please use the format YYYY-MM-DD"))).toBe("false-format");
  });

  it("is false-format if the value is correct but of another type", () => {
    expect(classOfCall(failed("", { text: '{"from": "x", "seats": "2"}' }))).toBe("false-format");
    expect(classOfCall(failed("", { text: '{"from": 7}' }))).toBe("false-format");
    expect(classOfCall(failed("", { text: '{"from": null}' }))).toBe("invalid-parameter");
  });

  it("is invalid-parameter, not missing-parameter, if a parameter's name is misspelt", () => {
    expect(classOfCall(failed("", { text: '{"From": "Vessin"}' }))).toBe("invalid-parameter");
  });

  it("is missing-parameter if a required parameter is absent, even if the message names another cause", () => {
    expect(classOfCall(failed("Invalid request", { text: "{}" }))).toBe("missing-parameter");
    expect(classOfCall(failed("Invalid: the parameter 'x' is required"))).toBe("missing-parameter");
  });

  it("is invalid-parameter if the schema or the server rejects a value", () => {
    expect(classOfCall(failed("", { text: '{"from": "x", "seats": "many"}' }))).toBe("invalid-parameter");
    expect(classOfCall(failed("f() got an unexpected keyword argument 'to'"))).toBe("invalid-parameter");
  });

  it("is environment if the server caused the failure", () => {
    expect(classOfCall(failed("API not working error...", { status: 6 }))).toBe("environment");
    expect(classOfCall(failed("request timed out"))).toBe("environment");
    expect(classOfCall(failed("hm"))).toBeUndefined();
  });

  it("is found in linear time", () => {
    // Quadratic time would never end at this length.
    expect(classOfCall(failed("invalid ".repeat(500_000)))).toBe("invalid-parameter");
  });
});

describe("the error class of a failed task", () => {
  const planned = new Map([
    [1, ["a", "b"]],
    [2, ["c"]],
  ]);

  type Given = { relevant: string[]; called: string[]; answered?: string[]; toolkits?: typeof planned | undefined };
  const judged = ({ answered = [], called, relevant, ...rest }: Given) =>
    classOfQuery({
      relevant,
      planned: "toolkits" in rest ? rest.toolkits : planned,
      called: new Set(called),
      answered: new Set(answered),
    });

  it("is cluster-incomplete if the task needs an API in a toolkit that was not planned", () => {
    expect(judged({ relevant: ["z"], called: ["a"] })).toBe("cluster-incomplete");
    expect(judged({ relevant: ["a", "z"], called: ["a", "c"], answered: ["a", "c"] })).toBe("cluster-incomplete");
    expect(judged({ relevant: ["a", "c", "z"], called: ["a", "c"], answered: ["a"] })).toBe("cluster-incomplete");
  });

  it("is cluster-incomplete if the task needs an API that was not called in a toolkit that was tried", () => {
    expect(judged({ relevant: ["b"], called: ["a"] })).toBe("cluster-incomplete");
  });

  it("is decision-failure if a toolkit that solves the task was not planned", () => {
    expect(judged({ relevant: ["a", "c", "z"], called: ["a", "c"], answered: ["a", "c"] })).toBe("decision-failure");
    expect(notPlanned({ relevant: ["a", "z"], planned })).toEqual(["z"]);
    // No call in a toolkit with a relevant API: the earlier decision to give up is the cause.
    expect(judged({ relevant: ["a"], called: [] })).toBe("decision-failure");
  });

  it("is decision-failure if no other class applies", () => {
    expect(judged({ relevant: ["a"], called: ["a"] })).toBe("decision-failure");
    expect(judged({ relevant: ["a"], called: [], toolkits: undefined })).toBe("decision-failure");
    expect(notPlanned({ relevant: ["a"], planned: undefined })).toEqual([]);
  });
});

it("a person's correction of an error class overrides the judge, which overrides the rules", () => {
  const rules = { kind: "environment", source: "rules" } as const;
  const judge = { kind: "false-format", source: "judge" } as const;
  const person = { kind: "decision-failure", source: "person" } as const;
  expect(agreedClass([person, rules, judge])).toBe(person);
  expect(agreedClass([rules, judge])).toBe(judge);
  expect(agreedClass([])).toBeUndefined();
});
