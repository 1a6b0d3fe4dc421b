import { describe, expect, it } from "vitest";
import { freeText, type FormQuestion } from "../../../source/engine/benchmark.ts";
import { actingForm } from "../../../source/engine/toolkits/acting-form.ts";

const formOf = (stage: string, text: string, strategy = "tool-planner") =>
  actingForm(text, { stage, spec: { strategy } } as FormQuestion, () => freeText);

describe("the form of a plan over toolkits", () => {
  it.each(["plan", "replan"])("is a list at stage %s, without steps if no listed toolkit is suitable", (stage) => {
    expect(formOf(stage, 'So: [{"Toolkit 3": "look"}]')).toEqual({ got: '[{"Toolkit 3":"look"}]', extent: "closed" });
    for (const empty of ["[]", " [ ]\n", '{"plan": []}'])
      expect(formOf(stage, empty)).toEqual({ got: "[]", extent: "closed" });
  });

  it("is not read from free text, even if the text contains brackets", () => {
    for (const text of ["", "no plan", "I have [] to say", "[", '{"plan": [}'])
      expect(formOf("plan", text)).toBeUndefined();
  });

  it("has an API in each step, for AdaPlanner", () => {
    const plan = '[{"goal": "look", "api": "find"}, {"op": "add"}]';
    expect(formOf("refine", plan, "adaplanner")?.got).toBe('[{"goal":"look","api":"find"}]');
    expect(formOf("refine", '[{"op": "add"}]', "adaplanner")).toBeUndefined();
    expect(formOf("refine", '[{"op": "add"}]')?.got).toBe('[{"op":"add"}]');
  });
});
