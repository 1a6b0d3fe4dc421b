import { describe, expect, it } from "vitest";
import { alignedLabels, brieflyNamed, briefNames } from "../../../source/engine/figures/drawing/brief-names.ts";
import { briefModel } from "../../../source/engine/settings/label.ts";

describe("the brief name of a model", () => {
  it("contains only the options of a built-in model that change its results, with the rate unnamed", () => {
    expect(briefModel("builtin/slips?rate=0.5&pace=8")).toBe("slips(50 %)");
    expect(briefModel("builtin/slips?wrong-place-value=0.6&rate=0.1")).toBe("slips(wrong-place-value 0.6, 10 %)");
    expect(briefModel("builtin/responder?pace=40")).toBe("responder");
    expect(briefModel("builtin/oracle")).toBe("oracle");
    expect(briefModel("builtin/slips?rate=0.29")).toBe("slips(29 %)");
    expect(briefModel("builtin/slips?rate=0.5, flat")).toBe("slips(0.5, flat)");
  });

  it("is the whole name if the model is not built in", () => {
    expect(briefModel("lab/qwen?rate=1")).toBe("lab/qwen?rate=1");
  });
});

it("a sentence has brief names of built-in models, and all other words unchanged", () => {
  expect(brieflyNamed("Score: builtin/slips?rate=0.3&pace=8, flat (SS); builtin/oracle; lab/a?rate=1 builtins/b")).toBe(
    "Score: slips(30 %), flat (SS); oracle; lab/a?rate=1 builtins/b",
  );
});

describe("brief names of runs", () => {
  it("shorten the names of built-in models wherever a value contains one", () => {
    expect(briefNames(["builtin/slips?rate=0.2 · flat", "lab/a · flat"])).toEqual([
      "slips(20 %) · flat",
      "lab/a · flat",
    ]);
  });

  it("are the full labels if two runs would have the same name", () => {
    const paced = ["builtin/slips?pace=8", "builtin/slips?pace=40"];
    expect(briefNames(paced)).toEqual(paced);
    expect(briefNames(["builtin/slips", "builtin/slips"])).toEqual(["slips", "slips"]);
  });
});

describe("aligned labels of runs", () => {
  it("put the values of each setting into a column", () => {
    expect(alignedLabels(["slips(20 %) · hierarchical · 0", "llama · flat · 12"], 40)).toEqual([
      "slips(20 %)  hierarchical  0",
      "llama        flat          12",
    ]);
    expect(alignedLabels(["a, hierarchical", "bb, flat"], 40)).toEqual(["a, hierarchical", "bb, flat"]);
    expect(alignedLabels(["a, hierarchical", "bb, flat"], 40, ", ")).toEqual(["a   hierarchical", "bb  flat"]);
  });

  it("are unchanged if each label has only one value, or if the numbers of values differ", () => {
    expect(alignedLabels(["one", "two"], 2)).toEqual(["one", "two"]);
    expect(alignedLabels(["one · a", "two"], 20)).toEqual(["one · a", "two"]);
    expect(alignedLabels([], 20)).toEqual([]);
  });

  it("shorten the longest value, as long as the values stay distinct", () => {
    expect(alignedLabels(["a-long-name-1 · x", "a-long-name-2 · y"], 12)).toEqual(["a-lo…me-1  x", "a-lo…me-2  y"]);
    expect(alignedLabels(["abcdef · x", "abcdeg · y"], 3)).toEqual(["ab…ef  x", "ab…eg  y"]);
  });
});
