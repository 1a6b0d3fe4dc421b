import { expect, it } from "vitest";
import type { FormQuestion } from "../../../source/engine/benchmark.ts";
import { answerForm } from "../../../suites/ultratool/score/form.ts";

it("reads a list of one step, and none of an empty list", () => {
  const asked = {
    facets: { aspect: "tool_usage_awareness", language: "en" },
    spec: { strategy: "direct", options: {} },
  } as unknown as FormQuestion;
  expect(answerForm("[{'step': '1.1 look', 'tool': '1'}]", asked)).toMatchObject({ extent: "closed" });
  expect(answerForm("[]", asked)).toBeUndefined();
});
