/** The values by which figures tell runs apart. */
import { describe, expect, it } from "vitest";
import { fieldValue, isProse, modelTitle, proseText } from "../../../source/engine/measures/run-field.ts";
import { madeRun, madeSpec } from "../../analyses/made-run.ts";

const runOf = (more: object) => ({ ...madeRun("r", []), spec: { ...madeSpec, ...more } });

describe("the value of a run's field", () => {
  it("is its name in the notebook if it has one", () => {
    expect(fieldValue({ ...runOf({}), named: { model: "small" } }, "model")).toBe("small");
    expect(modelTitle({ ...runOf({ model: "lab/large" }), named: {} })).toBe("lab/large");
    expect(modelTitle({ ...runOf({ model: "lab/large" }), named: { model: "large" } })).toBe("large");
  });

  it("lists prompts by name with the beginning of their hash, and is undefined without prompts", () => {
    // The first six digits of SHA-256 of `abc` (FIPS 180-2, appendix B.1).
    expect(fieldValue(runOf({ prompts: { plan: "abc" } }), "prompts")).toBe("plan ba7816");
    expect(fieldValue(runOf({ prompts: { plan: "abc" }, judgePrompts: { judge: "abc" } }), "prompts")).toBe(
      "plan ba7816 judge ba7816",
    );
    expect(fieldValue(runOf({}), "prompts")).toBeUndefined();
  });
});

describe("settings that are texts rather than names", () => {
  it("are only system messages and rubrics", () => {
    expect(["system", "rubric", "model"].map(isProse)).toEqual([true, true, false]);
    expect(proseText("system", "")).toBe("no system");
  });
});
