import { describe, expect, it } from "vitest";
import { classOfCall, classOfQuery, settled, type FailedCall } from "../../../source/engine/toolkits/error-classes.ts";
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

describe("a failed call", () => {
  it("of something that was not offered is hallucinated", () => {
    expect(classOfCall(failed("No such function name: x", { tool: undefined, status: 1 }))).toBe("api-hallucinated");
    expect(classOfCall(failed("Endpoint '/x' does not exist"))).toBe("api-hallucinated");
  });

  it("that names a missing thing of the data is not", () => {
    expect(classOfCall(failed("Invalid: no results for Atlantis"))).toBe("invalid-parameter");
  });

  it("with arguments that are no JSON object has a false format", () => {
    for (const text of ["{", "[1]", '"x"', "null"]) expect(classOfCall(failed("", { text }))).toBe("false-format");
    expect(classOfCall(failed("", { text: '{"from": {"city": "x"}}' }))).toBe("false-format");
  });

  it("about the layout of a date is a false format although it says invalid", () => {
    expect(classOfCall(failed("Invalid input parameters. Please use the format YYYY-MM-DD"))).toBe("false-format");
  });

  it("without a required parameter misses it, whatever else is said", () => {
    expect(classOfCall(failed("Invalid request", { text: "{}" }))).toBe("missing-parameter");
    expect(classOfCall(failed("Invalid: the parameter 'x' is required"))).toBe("missing-parameter");
  });

  it("with a value the schema or the server refuses is invalid", () => {
    expect(classOfCall(failed("", { text: '{"from": "x", "seats": "many"}' }))).toBe("invalid-parameter");
    expect(classOfCall(failed("f() got an unexpected keyword argument 'to'"))).toBe("invalid-parameter");
  });

  it("that only met a broken server is nobody's mistake", () => {
    expect(classOfCall(failed("API not working error...", { status: 6 }))).toBe("environment");
    expect(classOfCall(failed("request timed out"))).toBe("environment");
    expect(classOfCall(failed("hm"))).toBeUndefined();
  });

  it("is classified quickly, however long the answer", () => {
    const from = performance.now();
    classOfCall(failed("invalid ".repeat(500_000)));
    expect(performance.now() - from).toBeLessThan(500);
  });
});

describe("a failed task", () => {
  const planned = new Map([
    [1, ["a", "b"]],
    [2, ["c"]],
  ]);

  it("whose API lay in a toolkit nobody planned is for the clusters to answer", () => {
    expect(classOfQuery({ relevant: ["z"], planned, called: new Set(["a"]) })).toBe("cluster-incomplete");
    expect(classOfQuery({ relevant: ["b"], planned, called: new Set(["a"]) })).toBe("cluster-incomplete");
  });

  it("is else a failed decision", () => {
    expect(classOfQuery({ relevant: ["a"], planned, called: new Set(["a"]) })).toBe("decision-failure");
    expect(classOfQuery({ relevant: ["a"], planned: undefined, called: new Set() })).toBe("decision-failure");
  });
});

it("a person's word stands above a judge's, a judge's above the rules'", () => {
  const rules = { kind: "environment", source: "rules" } as const;
  const judge = { kind: "false-format", source: "judge" } as const;
  const person = { kind: "decision-failure", source: "person" } as const;
  expect(settled([person, rules, judge])).toBe(person);
  expect(settled([rules, judge])).toBe(judge);
  expect(settled([])).toBeUndefined();
});
