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

  it("is a list of toolkits with goals; other lists, such as the choices of a server, are not read", () => {
    const read = (...items: readonly unknown[]) => formOf("plan", JSON.stringify({ plan: items }))?.got;
    for (const step of ["Toolkit 3", 3, { "Toolkit 3": null }, { "3 ": { goal: "look" } }, { Weather: "look" }])
      expect(read(step)).toBe(JSON.stringify([step]));
    expect(read({ message: { role: "assistant" } })).toBeUndefined();
    expect(read({ message: { role: "assistant" } }, { "Toolkit 3": "look" })).toContain("Toolkit 3");
    for (const other of [null, {}, [["look"]]]) expect(read(other)).toBeUndefined();
  });

  it("has an API in each step, for AdaPlanner", () => {
    const plan = '[{"goal": "look", "api": "find"}, {"op": "add"}]';
    expect(formOf("refine", plan, "adaplanner")?.got).toBe('[{"goal":"look","api":"find"}]');
    expect(formOf("refine", '[{"op": "add"}]', "adaplanner")).toBeUndefined();
    expect(formOf("refine", '[{"op": "add"}]')?.got).toBe('[{"op":"add"}]');
  });
});
