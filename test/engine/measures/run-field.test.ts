/** The values by which figures tell runs apart. */
import { describe, expect, it } from "vitest";
import {
  fieldNames,
  fieldTitle,
  fieldValue,
  isProse,
  modelTitle,
  optionsOfRun,
  proseText,
} from "../../../source/engine/measures/run-field.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import { madeRun, madeSpec, madeSuite } from "../../analyses/made-run.ts";

const runOf = (more: object) => ({ ...madeRun("r", []), spec: { ...madeSpec, ...more } });

describe("the value of a run's field", () => {
  it("is the name that the notebook gives the value, if there is one", () => {
    expect(fieldValue({ ...runOf({}), named: { model: "small" } }, "model")).toBe("small");
    expect(modelTitle({ ...runOf({ model: "lab/large" }), named: {} })).toBe("lab/large");
    expect(modelTitle({ ...runOf({ model: "lab/large" }), named: { model: "large" } })).toBe("large");
  });

  it("lists prompts by name with the beginning of each hash, and is undefined without prompts", () => {
    // The first six digits of SHA-256 of `abc` (FIPS 180-2, appendix B.1).
    expect(fieldValue(runOf({ prompts: { plan: "abc" } }), "prompts")).toBe("plan ba7816");
    expect(fieldValue(runOf({ prompts: { plan: "abc" }, judgePrompts: { judge: "abc" } }), "prompts")).toBe(
      "plan ba7816 judge ba7816",
    );
    expect(fieldValue(runOf({}), "prompts")).toBeUndefined();
  });
});

describe("the fields of a run", () => {
  const option = (name: string) => ({ name, title: `The ${name}`, values: "number", default: 1 });
  const suite = {
    ...madeSuite,
    options: [option("hints")],
    strategies: [
      { name: "direct", roles: [], options: [option("depth")] },
      { name: "react", roles: [], options: [option("steps")] },
    ],
  } as unknown as Suite;
  const of = (strategy: string) => ({ ...madeRun("r", [], { suite }), spec: { ...madeSpec, strategy } });

  it("are the options of its suite and of its own strategy, together with the settings", () => {
    expect(optionsOfRun(of("react")).map(({ name }) => name)).toEqual(["hints", "steps"]);
    expect(optionsOfRun(of("direct")).map(({ name }) => name)).toEqual(["hints", "depth"]);
    expect(optionsOfRun(of("other")).map(({ name }) => name)).toEqual(["hints"]);
    const names = fieldNames(of("react"));
    expect(names.slice(0, 5)).toEqual(["model", "strategy", "hints", "steps", "shots"]);
    expect(names).not.toContain("suite");
    expect(fieldNames({ ...of("react"), named: { mine: "x" } }).at(-1)).toBe("mine");
  });

  it("have the titles of settings and options, otherwise the names", () => {
    const runs = [of("direct"), of("react")];
    expect(["model", "hints", "steps", "odd"].map((name) => fieldTitle(runs, name))).toEqual([
      "Model",
      "The hints",
      "The steps",
      "odd",
    ]);
  });

  it("show a role by model and settings, a list by the texts in it, and a variant by its name", () => {
    const value = (more: object, name: string) => fieldValue(runOf(more), name);
    expect(value({ actor: "lab/a" }, "actor")).toBe("lab/a");
    expect(value({ actor: "lab/a", roles: { actor: { temperature: 1 } } }, "actor")).toBe("lab/a (temperature 1)");
    expect(value({ stop: ["\n", "END"] }, "stop")).toBe('"\\n" "END"');
    expect(value({ vary: { tools: 3 } }, "vary")).toBe("tools 3");
    expect(value({}, "vary")).toBeUndefined();
  });
});

describe("settings that are texts rather than names", () => {
  it("are system messages and rubrics, and no others", () => {
    expect(["system", "rubric", "model"].map(isProse)).toEqual([true, true, false]);
    expect(proseText("system", "")).toBe("no system");
  });
});
