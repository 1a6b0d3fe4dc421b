import { expect, it } from "vitest";
import type { Outcome, RunSpec, Score } from "../../../source/engine/types.ts";
import { withRun } from "../../../suites/travelplanner/score/score.ts";

const nothing: Score = { value: 0, metrics: {}, checks: [], errors: [], labels: { reader: "nothing delivered" } };
const spec = { strategy: "react", options: { mode: "two-stage" } } as unknown as RunSpec;

/** How a run ended whose last call had this status and that closed with this note. */
const gotOf = (kind: string, text: string) => {
  const result = { ok: true, status: "Successful", observation: "" };
  const steps = [
    { type: "result", name: "CitySearch", result },
    { type: "note", kind, text },
  ];
  return withRun(nothing, { answer: undefined, steps } as unknown as Outcome, spec).errors.at(-1)!.got;
};

it("a run ends by its last status or a prompt that is too long, and other notes have no effect", () => {
  expect(gotOf("end", "prompt too long")).toBe("prompt too long");
  expect(gotOf("end", "step limit")).toBe("Successful");
  expect(gotOf("plan", "prompt too long")).toBe("Successful");
});

it("a two-stage run counts the uses of each tool and the failed calls; a call to an unknown tool is not a use", () => {
  const result = (name: string, ok: boolean, status = "") => ({ type: "result", name, result: { ok, status } });
  const steps = [
    result("CitySearch", true),
    result("CitySearch", false, "null"),
    result("FlightSearch", false, "invalidAction"),
    result("", false, "parse"),
  ];
  const { metrics } = withRun(nothing, { answer: undefined, steps } as unknown as Outcome, spec);
  expect(metrics).toEqual({ "tool:CitySearch": 2, "tool:failed": 3 });
  const fine = withRun(nothing, { answer: undefined, steps: [result("CitySearch", true)] } as unknown as Outcome, spec);
  expect(fine.metrics).toEqual({ "tool:CitySearch": 1 });
});

it("a two-stage run by text reports whether it ended with a plan, with another text, or with no text", () => {
  const ending = (delivered: number, reader: string, own: Partial<RunSpec> = {}) =>
    withRun({ ...nothing, metrics: { delivered }, labels: { reader } }, { steps: [] } as unknown as Outcome, {
      ...spec,
      ...own,
    }).labels?.["ending"];
  expect(ending(1, "strict")).toBe("plan");
  expect(ending(0, "strict")).toBe("a text without a plan");
  expect(ending(1, "strict", { strategy: "reflexion" })).toBe("plan");
  expect(ending(1, "strict", { strategy: "direct" })).toBeUndefined();
  expect(ending(1, "strict", { options: { mode: "sole-planning" } })).toBeUndefined();
});
