/** Cells that fork another cell's runs: named choices of places, and labels with aliases. */
import { describe, expect, it } from "vitest";
import { forkedCellIn, forksCell } from "../../../source/engine/session/forked-cell.ts";
import { type CellContext, planRunCell } from "../../../source/engine/session/run-cell.ts";
import { suites } from "../../../suites/index.ts";

const plain: CellContext = { suites, defaultData: () => "sample" };
const originals = (models: string) =>
  planRunCell(`suite: appbench\nmodel: ${models}`, plain).runs.map((planned) => ({ planned, run: planned.run }));

function plan(source: string, { models = "lab/a", aliases = new Map<string, string>() } = {}) {
  return planRunCell(source, {
    ...plain,
    originals: (cell) => (cell === "plans" ? originals(models) : undefined),
    cells: () => ["plans"],
    given: { defaults: {}, set: {}, replaced: {}, aliases },
  });
}
const labels = (...of: Parameters<typeof plan>) => plan(...of).runs.map(({ label }) => label);

describe("forks of another cell's runs", () => {
  const named = "fork: {wrong: {of: plans}, errors: {of: plans, at: errors}, again: {of: plans, tasks: wrong}}";

  it("are labelled by how they choose places, and identical choices make one fork", () => {
    const { runs, problems } = plan(named);
    expect(problems).toEqual([]);
    expect(runs.map(({ label, named: names, spec }) => [label, names, spec.forks!.at])).toEqual([
      ["wrong", { fork: "wrong" }, "requests"],
      ["errors", { fork: "errors" }, "errors"],
    ]);
    expect(new Set(runs.map(({ stored }) => stored.folder)).size).toBe(1);
    expect(runs[0]!.run).toBe(plan("fork: {of: plans, tasks: wrong}").runs[0]!.run);
    expect(forkedCellIn(`${named}\n`)).toBe(true);
    expect(forksCell({ fork: { wrong: { of: "plans" }, one: { run: "0123456789abcdef" } } })).toBe(false);
  });

  it("have labels that combine the fork's name, the original run and the fork's own values", () => {
    const two = { models: "[lab/a, lab/b]" };
    expect(labels("fork: {of: plans}", two)).toEqual(["lab/a", "lab/b"]);
    expect(labels(`model: [lab/c, lab/d]\n${named}`)).toEqual([
      "wrong · lab/c",
      "wrong · lab/d",
      "errors · lab/c",
      "errors · lab/d",
    ]);
    expect(labels(named, two)).toEqual(["wrong · lab/a", "wrong · lab/b", "errors · lab/a", "errors · lab/b"]);
  });

  it("have aliases as labels, and real names in their settings", () => {
    const aliases = new Map([["lab/c", "Large"]]);
    const [run] = plan("model: lab/c\nfork: {of: plans}", { aliases }).runs;
    expect([run!.label, run!.plainLabel]).toEqual(["Large", "lab/c"]);
  });

  it("inherit the names of values that they do not change", () => {
    const models = "{small: lab/a}\nsystem: {brief: Be brief}";
    const names = (source: string) => plan(source, { models }).runs.map((run) => run.named);
    expect(names("fork: {of: plans}")).toEqual([{ model: "small", system: "brief" }]);
    expect(names("model: lab/b\nfork: {of: plans}")).toEqual([{ system: "brief" }]);
    expect(names("model: {large: lab/b}\nsystem: Think\nfork: {of: plans}")).toEqual([{ model: "large" }]);
    expect(names("rescue: {of: plans, with: {model: lab/b}}")[0]).toEqual({ system: "brief" });
    expect(labels("fork: {of: plans}", { models })).toEqual(["small"]);
    expect(labels("model: lab/b\nfork: {of: plans}", { models })).toEqual(["lab/b"]);
  });

  it.each([
    ["fork: {wrong: {of: plan}}", "Expected `fork.of` to name a run cell"],
    ["fork: {wrong: {of: plans, whn: 1}}", "got `whn`"],
    ['fork: {"a, b": {of: plans}}', "without a comma, got `a, b`"],
  ])("are rejected, and the error contains the path of the field: %s", (source, message) => {
    expect(plan(source).problems[0]!.message).toContain(message);
  });
});
