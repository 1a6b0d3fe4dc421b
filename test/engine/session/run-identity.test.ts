/** Which settings make another run: those that change an answer, not those that only choose tasks. */
import { describe, expect, it } from "vitest";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { suites } from "../../../suites/index.ts";

/** Returns the run folders of these cells, each once. */
function folders(...cells: readonly string[]): number {
  const runs = cells.flatMap((source) => {
    const { runs: planned, problems } = planRunCell(source, { suites, defaultData: () => "sample" });
    expect(problems).toEqual([]);
    return planned;
  });
  return new Set(runs.map(({ stored }) => stored.folder)).size;
}

describe("the identity of a run", () => {
  const own = "suite: appbench\nmodel: lab/m\n";
  const star = (memory: string, more: string) =>
    `suite: toolbench\nmodel: lab/m\nstrategy: toolchain-star\ntoolchain.memory: ${memory}\n${more}`;

  it("is independent of its choice of tasks, and of limits of the whole run", () => {
    expect(
      folders(own, `${own}limit: 4`, `${own}filter: {category: [SS]}`, `${own}budget: {run: {steps: 20, cost: 1}}`),
    ).toBe(1);
    expect(folders(`${own}filter: {easy: {category: [SS]}, hard: {category: [MM]}}`)).toBe(1);
  });

  it("depends on the limits of each task", () => {
    const steps = (most: number) => `${own}budget: {task: {steps: ${most}}}`;
    expect(folders(steps(20), steps(60))).toBe(2);
    expect(folders(`${own}budget: {short: {task: {steps: 20}}, long: {task: {steps: 60}}}`)).toBe(2);
  });

  it("depends on `limit` if a task of the run uses earlier tasks", () => {
    expect(folders(star("growing", "limit: 2"), star("growing", "limit: 4"))).toBe(2);
    expect(folders(star("fixed", "limit: 2"), star("fixed", "limit: 4"))).toBe(1);
  });

  it("depends on prompts, but not on names of prompts", () => {
    const prompts = (text: string) => `${own}prompts: ${text}`;
    expect(folders(own, prompts("{a: {}, b: {plan: Be careful.}}"), prompts("{c: {plan: Be careful.}}"))).toBe(2);
  });
});
