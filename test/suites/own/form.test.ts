/** The part of a reply that the check of a user's question uses, and whether more text after it would change that part. */
import { describe, expect, it } from "vitest";
import type { FormQuestion } from "../../../source/engine/benchmark.ts";
import { questionForm, questionFormName } from "../../../suites/own/score/form.ts";

const asked = (
  check: string | undefined,
  more: { stage?: string; tools?: string; options?: object; own?: string } = {},
) =>
  ({
    stage: more.stage ?? "answer",
    spec: { options: { ...(check !== undefined && { check }), ...more.options }, tools: more.tools ?? "native" },
    facets: {},
    score: more.own === undefined ? undefined : { checks: [{ name: more.own }] },
  }) as unknown as FormQuestion;

describe("the form of an answer", () => {
  it("is a complete text for JSON, and for a number or a line a text that more text could change", () => {
    expect(questionForm('{"a": 1}', asked("json"))).toEqual({ got: '{"a":1}', extent: "closed" });
    expect(questionForm("It is 7", asked("number"))).toEqual({ got: "7", extent: "open" });
    expect(questionForm("Paris", asked("exact"))).toEqual({ got: "Paris", extent: "open" });
    expect(questionForm("Paris", asked(undefined))).toEqual({ got: "Paris", extent: "open" });
  });

  it("is only a part of the text if the text has several lines or more than 200 characters", () => {
    expect(questionForm("\nParis \n", asked("exact"))).toEqual({ got: "Paris", extent: "open" });
    expect(questionForm("Paris\nFrance", asked("exact"))?.extent).toBe("part");
    expect(questionForm("x".repeat(200), asked("one-of"))?.extent).toBe("open");
    expect(questionForm("x".repeat(201), asked("one-of"))?.extent).toBe("part");
  });

  it("is any text for a judge, without a check, and for a check that the text only has to contain", () => {
    for (const check of ["judge", "none", "contains"])
      expect(questionForm("I\nthink so", asked(check))?.extent).toBe(questionForm("", asked("none"))?.extent);
    expect(questionForm("x", asked("exact", { own: "judge" }))).toEqual(questionForm("x", asked("judge")));
    expect(questionForm("x", asked("judge", { own: "exact" }))).toEqual({ got: "x", extent: "open" });
    const several = { ...asked("judge"), score: { checks: [{ name: "judge" }, { name: "other" }, { name: "exact" }] } };
    expect(questionForm("x", several as unknown as FormQuestion)).toEqual({ got: "x", extent: "open" });
  });

  it("is absent if the check finds no text to compare", () => {
    expect(questionForm("no number", asked("number"))).toBeUndefined();
    expect(questionForm("no JSON", asked("json"))).toBeUndefined();
    expect(questionForm(" ", asked("exact"))).toBeUndefined();
  });
});

it("a step without a call is an answer only if calls are native and a text may end the episode", () => {
  const step = (more: { tools?: string; options?: object }) =>
    questionForm("7", asked("number", { stage: "step", ...more }));
  expect(step({})).toEqual({ got: "7", extent: "open" });
  expect(step({ tools: "text" })).toBeUndefined();
  expect(step({ options: { end: "finish" } })).toBeUndefined();
  expect(questionForm("7", asked("number", { stage: "final", options: { end: "finish" } }))?.got).toBe("7");
  expect(questionForm("why not", asked("number", { stage: "reflect" }))?.extent).toBe(
    questionForm("", asked("none"))?.extent,
  );
});

it("the form has a name, which is that of the check alone if a text may end the episode", () => {
  const name = (check: string, more: { stage?: string; tools?: string } = {}) => questionFormName(asked(check, more));
  const step = { stage: "step" };
  expect(["json", "number", "exact", "one-of", "contains", "judge"].map((check) => name(check, step))).toEqual([
    "JSON",
    "a number",
    "a short answer",
    "a short answer",
    undefined,
    undefined,
  ]);
  expect(name("json", { ...step, tools: "text" })).not.toBe("JSON");
});
