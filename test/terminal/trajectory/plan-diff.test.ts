import { describe, expect, test } from "vitest";
import type { PlanStep } from "../../../source/engine/loaded-suite.ts";
import { symbolsOf } from "../../../source/look/signs.ts";
import { pairLines, pairOfMistake, pairSteps } from "../../../source/terminal/trajectory/sections/plan-diff.ts";
import { gutterOf } from "../../../source/terminal/trajectory/sections/plan-blocks.ts";
import { view } from "../sample-trajectory.ts";

const step = (title: string, ...needs: number[]): PlanStep => ({ title, lines: [], needs });

describe("a plan next to its reference", () => {
  test("marks every step as same, changed, missing or extra", () => {
    expect(pairSteps(view).map(({ id, change }) => [id, change])).toEqual([
      ["0/0", "changed"],
      ["1/1", "same"],
      ["2/-", "extra"],
      ["-/2", "missing"],
    ]);
  });

  test("marks no step as extra or missing if the other side is not comparable", () => {
    const free = (title: string): PlanStep => ({ ...step(title), lines: ["a=1"], uncompared: true });
    const pairs = pairSteps({
      reference: [free("a"), step("b")],
      plan: [free("a"), free("Answer")],
      matches: [[0, 0]],
    });
    expect(pairs.map(({ id, change }) => [id, change])).toEqual([
      ["0/0", "same"],
      ["1/-", "same"],
      ["-/1", "missing"],
    ]);
  });

  test("shows a missing step at its position in the reference", () => {
    const reference = ["a", "b", "c"].map((title) => step(title));
    const plan = [step("a"), step("c")];
    const matches = [
      [0, 0],
      [2, 1],
    ] as const;
    expect(pairSteps({ reference, plan, matches }).map(({ id }) => id)).toEqual(["0/0", "-/1", "1/2"]);
  });

  test("loses no step if matches cross each other", () => {
    const steps = ["a", "b", "c"].map((title) => step(title));
    const matches = [
      [0, 2],
      [2, 0],
    ] as const;
    const pairs = pairSteps({ reference: steps, plan: steps, matches });
    expect(pairs.flatMap(({ plan }) => plan ?? []).toSorted()).toEqual([0, 1, 2]);
    expect(pairs.flatMap(({ reference }) => reference ?? []).toSorted()).toEqual([0, 1, 2]);
  });

  test("pairs identical lines first, then lines of the same key", () => {
    expect(pairLines(["b = 2", "a = 1", "x = 9"], ["a = 1", "x = 7", "y = 0"])).toEqual([
      { plan: "b = 2", reference: undefined },
      { plan: "a = 1", reference: "a = 1" },
      { plan: "x = 9", reference: "x = 7" },
      { plan: undefined, reference: "y = 0" },
    ]);
  });

  test("finds the step of a mistake in the reference, or in the plan for an extra step", () => {
    const pairs = pairSteps(view);
    const find = (mistake: Parameters<typeof pairOfMistake>[0]) => pairOfMistake(mistake, pairs)?.id;
    expect(find({ kind: "value", step: 0, key: "to_port", expected: "a", got: "b" })).toBe("0/0");
    expect(find({ kind: "missing-api", step: 2, expected: "getforecast" })).toBe("-/2");
    expect(find({ kind: "extra-api", step: 2, got: "rent" })).toBe("2/-");
    expect(find({ kind: "no-plan" })).toBeUndefined();
    expect(find({ kind: "late", step: 99, got: "x" })).toBeUndefined();
  });

  test("compares thousands of lines quickly", () => {
    const many = Array.from({ length: 3000 }, (_, index) => `line ${index}`);
    expect(pairLines(many, many.slice(1)).length).toBeGreaterThanOrEqual(3000);
  });
});

describe("dependencies drawn at the left of a plan", () => {
  const drawn = (steps: readonly PlanStep[], ascii = false) => {
    const gutter = gutterOf(steps, symbolsOf(ascii));
    return steps.map((_, index) => gutter.title(index));
  };

  test("show a chain", () => {
    expect(drawn([step("a"), step("b", 0), step("c", 1)])).toEqual(["╭──", "╰╭─", " ╰─"]);
    expect(drawn([step("a"), step("b"), step("c", 0, 1)])).toEqual(["╭──", "│╭─", "╰╰─"]);
  });

  test("show one result that is used twice", () => {
    expect(drawn([step("a"), step("b", 0), step("c", 0)])).toEqual(["╭─", "├─", "╰─"]);
    expect(drawn([step("a"), step("b", 0), step("c", 0)], true)).toEqual([".-", "+-", "`-"]);
  });

  test("continue below a title as far as needed", () => {
    const gutter = gutterOf([step("a"), step("b"), step("c", 0)], symbolsOf(false));
    expect([0, 1, 2].map((index) => gutter.below(index))).toEqual(["│ ", "│ ", "  "]);
  });

  test("need no space if there are none or too many", () => {
    expect(drawn([step("a"), step("b")])).toEqual(["", ""]);
    const wide = Array.from({ length: 20 }, (_, index) => step(`s${index}`, ...(index >= 10 ? [index - 10] : [])));
    expect(new Set(drawn(wide))).toEqual(new Set([""]));
  });

  test("are drawn even if steps depend on themselves, or on later or missing steps", () => {
    expect(drawn([step("a", 0), step("b", 5), step("c", -1, 0)])).toEqual(["╭─", "│ ", "╰─"]);
  });
});
