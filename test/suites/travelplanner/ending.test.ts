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

it("a run ends by its last status or a too long prompt, and other notes have no effect", () => {
  expect(gotOf("end", "prompt too long")).toBe("prompt too long");
  expect(gotOf("end", "step limit")).toBe("Successful");
  expect(gotOf("plan", "prompt too long")).toBe("Successful");
});
