/** The score of a verdict on a reply, the two official rates, and how a call is matched without data. */
import { describe, expect, it } from "vitest";
import { extractCall, isStrictly, listNodesSimply, matchCall } from "../../../suites/apibench/score/extraction.ts";
import { aggregate, scoreOf, type Verdict } from "../../../suites/apibench/score/verdict.ts";

const verdict = (outcome: Verdict["outcome"], more: Partial<Verdict> = {}): Verdict => ({
  extracted: "f(1)",
  matched_index: 0,
  outcome,
  same_api_as_gold: true,
  same_function_and_arguments: true,
  ...more,
});

describe("the score of a reply", () => {
  it("is 1 if the matched entry has the requested domain, also of another API", () => {
    expect(scoreOf(verdict("correct"))).toEqual({
      value: 1,
      metrics: { pass: 1, hallucination: 0, same_api: 1, same_function_and_arguments: 1 },
      checks: [],
      errors: [],
      labels: { outcome: "correct" },
    });
    const other = scoreOf(verdict("correct", { same_api_as_gold: false, same_function_and_arguments: false }));
    expect([other.value, other.errors]).toEqual([1, [{ kind: "other-api", got: "f(1)" }]]);
    expect(other.metrics).toEqual({ pass: 1, hallucination: 0, same_api: 0, same_function_and_arguments: 0 });
  });

  it.each([
    ["hallucination", "api-hallucinated", 1],
    ["wrong_domain", "wrong-domain", 0],
    ["no_api_call_field", "no-api-call", 0],
  ] as const)("is 0 for %s, with one mistake", (outcome, kind, hallucination) => {
    const { value, metrics, errors } = scoreOf(verdict(outcome, { same_api_as_gold: false }));
    expect([value, metrics["pass"], metrics["hallucination"]]).toEqual([0, 0, hallucination]);
    expect(errors).toEqual([{ kind, got: "f(1)" }]);
  });

  it("contains the first 500 characters of the call in its mistake", () => {
    const got = (extracted: string | null) => scoreOf(verdict("hallucination", { extracted })).errors[0]!.got;
    expect([got("x".repeat(500)), got(`${"x".repeat(500)}y`), got(null)]).toEqual([
      "x".repeat(500),
      "x".repeat(500),
      "",
    ]);
  });
});

describe("the official rates", () => {
  it("are shares of all replies", () => {
    const outcomes = [
      "correct",
      "correct",
      "correct",
      "wrong_domain",
      "hallucination",
      "hallucination",
      "no_api_call_field",
      "no_api_call_field",
    ] as const;
    expect(aggregate(outcomes.map((outcome) => ({ outcome })))).toEqual({
      n: 8,
      correct: 3,
      wrong_domain: 1,
      hallucination: 2,
      no_api_call_field: 2,
      functionality_accuracy: 3 / 8,
      hallucination_rate: 2 / 8,
    });
    expect(aggregate([])).toMatchObject({ n: 0, functionality_accuracy: 0, hallucination_rate: 0 });
  });
});

describe("a call", () => {
  it("is the text from the second character behind the colon to the last bracket, or without its last character", () => {
    expect(extractCall("<<<api_call>>>: f(1), <<<api_provider>>>: x", "torchhub")).toBe("f(1)");
    expect(extractCall("<<<api_call>>>: f(1) and", "torchhub")).toBe("f(1)");
    expect(extractCall("<<<api_call>>>: foo", "torchhub")).toBe("fo");
    // The last bracket comes before the colon.
    expect(extractCall("api_call) : abc", "torchhub")).toBe("");
    expect(extractCall("f(1)", "torchhub")).toBeUndefined();
    expect(extractCall("f(1)", "huggingface")).toBe("f(1)");
  });

  it("is found by brackets alone as the last outermost one that has a name", () => {
    expect(listNodesSimply("x = f(g(1))\nh(2) (3)")).toEqual([{ first: "h", text: "h(2)" }]);
    expect(listNodesSimply("(f(x))")).toEqual([]);
    expect(listNodesSimply(")f(1")).toEqual([]);
  });
});

describe("a call matches", () => {
  const key = (more = {}) => ({
    index: 0,
    usable: true,
    function: "f",
    needles: ["1"],
    domain: "d",
    api_call: "f(1)",
    ...more,
  });
  const nodes = [
    { first: "f", text: "f(1)" },
    { first: "f", text: "f(2)" },
    { first: "g", text: "g(3)" },
  ];

  it("the first usable entry whose needles are all in the first node of its function, or else in the last node", () => {
    expect(matchCall(nodes, [key()])).toBe(0);
    expect(matchCall(nodes, [key({ needles: ["2"] })])).toBe(-1);
    expect(matchCall(nodes, [key({ needles: ["1", "2"] }), key({ function: "other", needles: ["3"] })])).toBe(1);
    expect(matchCall(nodes, [key(), key()])).toBe(0);
    expect(matchCall([], [key()])).toBe(-1);
  });

  it("no entry that is unusable, or has no function or no needles", () => {
    const { function: _, ...without } = key();
    const { needles: __, ...bare } = key();
    for (const each of [key({ usable: false }), without, bare, key({ needles: [] })])
      expect(matchCall(nodes, [each])).toBe(-1);
  });

  it("by its function up to 500 characters", () => {
    const named = (length: number) => {
      const name = "f".repeat(length);
      return matchCall(
        [
          { first: name, text: "1" },
          { first: "g", text: "2" },
        ],
        [key({ function: name })],
      );
    };
    expect([named(500), named(501)]).toEqual([0, -1]);
  });

  it("strictly only if the node of the entry's function has all its needles", () => {
    expect(isStrictly(nodes, key())).toBe(true);
    expect(isStrictly(nodes, key({ needles: ["1", "2"] }))).toBe(false);
    expect(isStrictly(nodes, key({ function: "other", needles: ["3"] }))).toBe(false);
    expect(isStrictly(nodes, undefined)).toBe(false);
  });
});
