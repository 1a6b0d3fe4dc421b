/** A map names the values of a field: names are labels everywhere and in no id. */
import { describe, expect, it } from "vitest";
import { Problem } from "../../../source/engine/problem.ts";
import { type CellContext, planRunCell } from "../../../source/engine/session/run-cell.ts";
import { suites } from "../../../suites/index.ts";

const context: CellContext = {
  suites,
  defaultData: () => "sample",
  text(file) {
    if (file === "careful.md") return "Plan with care.\n";
    throw new Problem("parse", `Expected a file \`${file}\`, found none`);
  },
};
const runs = (more: string) => {
  const { runs: planned, problems } = planRunCell(`suite: appbench\n${more}`, context);
  expect(problems).toEqual([]);
  return planned;
};
const labels = (more: string) => runs(more).map(({ label }) => label);
const ids = (more: string) => runs(more).map(({ run }) => run);
const problems = (more: string) => planRunCell(`suite: appbench\n${more}`, context).problems;

describe("named values", () => {
  it("name models, texts and numbers, and are in no id", () => {
    const named = 'model: {small: lab/llama, large: lab/big}\nsystem: {terse: "Be brief.", careful: careful.md}';
    expect(labels(named)).toEqual(["small · terse", "small · careful", "large · terse", "large · careful"]);
    const plain = 'model: [lab/llama, lab/big]\nsystem: ["Be brief.", careful.md]';
    expect(ids(named)).toEqual(ids(plain));
    expect(runs(named)[0]!.named).toEqual({ model: "small", system: "terse" });
    expect(labels("model: lab/m\ntemperature: {cold: 0, warm: 0.7}")).toEqual(["cold", "warm"]);
    expect(labels("model: lab/m\nprompting: {two: hierarchical, one: flat}")).toEqual(["two", "one"]);
  });

  it("name prompts and roles by a map of maps", () => {
    const grid = "model: lab/m\nprompts: {standard: {}, careful: {plan: careful.md}}";
    expect(labels(grid)).toEqual(["standard", "careful"]);
    expect(ids(grid)[0]).toBe(ids("model: lab/m")[0]);
    const judges =
      "model: lab/m\njudge: {strict: {model: lab/j, temperature: 0}, loose: {model: lab/j, temperature: 1}}";
    expect(labels(judges)).toEqual(["strict", "loose"]);
  });

  it("leave a map its meaning if the field holds one", () => {
    const one = "model: lab/m\nrequest: {chat_template_kwargs: {enable_thinking: false}}";
    expect(runs(one)[0]!.spec.request).toEqual({ chat_template_kwargs: { enable_thinking: false } });
    expect(labels("model: lab/m\nrequest: {plain: {}, low: {reasoning_effort: low}}")).toEqual(["plain", "low"]);
    expect(runs("model: lab/m\nbudget: {task: {steps: 5}, run: {cost: 1}}")[0]!.spec.budget).toEqual({
      task: { steps: 5 },
      run: { cost: 1 },
    });
  });

  it("know a text by its file or its beginning, never by the whole", () => {
    expect(labels('model: lab/m\nsystem: ["", careful.md, "You are careful, very careful, with all of it."]')).toEqual([
      "no system",
      "careful.md",
      '"You are careful very car…"',
    ]);
    expect(labels("model: lab/m\nprompts: [{}, {plan: careful.md}, {plan: Be careful}]")).toEqual([
      "standard prompts",
      "plan careful.md",
      expect.stringMatching(/^plan [0-9a-f]{6}$/),
    ]);
  });

  it("have no comma of their own, and mistakes are found below the name", () => {
    expect(problems('model: {"a, b": lab/m}')[0]!.message).toContain("without a comma, got `a, b`");
    expect(problems("model: lab/m\nprompts:\n  careful:\n    plan: gone.md\n  standard: {}")).toEqual([
      { line: 5, message: "Expected a file `gone.md`, found none" },
    ]);
  });
});
