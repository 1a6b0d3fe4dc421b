import { describe, expect, it } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { axisNamed, axisNames } from "../../../source/engine/measures/pivot/axis.ts";
import type { Reported, Suite } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { madeRun, madeSpec, madeSuite } from "../../analyses/made-run.ts";

const reported = (row: string, value: number, more: Partial<Reported> = {}): Reported =>
  ({ row, measure: "strict.right", where: {}, source: "A, Table 3", value, ...more }) as Reported;
const shots = reported("GPT-4", 0.6, { setting: { shots: 3 } });
const plain = reported("Human", 0.9);
const run = (spec: Partial<RunSpec> = {}, more: Partial<RunRows> = {}) =>
  madeRun("r", [{ task: "a", right: 1, facets: { level: "easy" } }], { spec: { ...madeSpec, ...spec }, ...more });

describe("the axes of a table", () => {
  const hot = run({ temperature: 1 });

  it("are facets, then the settings in which runs differ, then the other settings", () => {
    const names = axisNames([run(), hot]);
    expect(names.slice(0, 2)).toEqual(["level", "temperature"]);
    expect(names).toContain("strategy");
    // With one suite it distinguishes nothing, but another suite may follow.
    expect(names.indexOf("suite")).toBeGreaterThan(names.indexOf("temperature"));
    const other = run({}, { suite: { ...madeSuite, name: "other" } as Suite });
    expect(axisNames([run(), other])).toContain("suite");
  });

  it("take facets from tasks, settings from runs, and both from the values of a paper", () => {
    const level = axisNamed([run()], "level");
    const row = run().rows[0]!;
    expect([level.title, level.isFacet, level.of(run(), row)]).toEqual(["Level", true, "easy"]);
    expect(["hard", "easy"].toSorted(level.compare)).toEqual(["easy", "hard"]);
    expect(axisNamed([run()], "code.lost").isFacet).toBe(true);
    const bare = run({}, { suite: { ...madeSuite, name: "other", facets: [] } as unknown as Suite });
    expect([axisNamed([run(), bare], "level").isFacet, axisNamed([bare, run()], "level").isFacet]).toEqual([
      true,
      true,
    ]);
    expect(axisNamed([bare], "level").isFacet).toBe(false);
    const temperature = axisNamed([hot], "temperature");
    expect([temperature.isFacet, temperature.of(hot, row), temperature.of(run({ temperature: 2 }), row)]).toEqual([
      false,
      1,
      2,
    ]);
    expect([level.ofReported(reported("x", 1, { where: { level: "hard" } }))]).toEqual(["hard"]);
    expect(axisNamed([run()], "model").ofReported(reported("x", 1))).toBe("x");
    expect(axisNamed([run()], "shots").ofReported(shots)).toBe(3);
    expect(axisNamed([run()], "shots").ofReported(plain)).toBeUndefined();
  });

  it("sort numbers by size, and names by the order of the runs", () => {
    const strategies = ["react", "direct"].map((strategy) => run({ strategy }));
    expect(["direct", "react"].toSorted(axisNamed(strategies, "strategy").compare)).toEqual(["react", "direct"]);
    const shots = [3, 0, 10].map((count) => run({ shots: count }));
    expect([3, 0, 10].toSorted(axisNamed(shots, "shots").compare)).toEqual([0, 3, 10]);
    // A word among the numbers makes all of them names.
    const mixed = [run({ temperature: 1 }), run({ temperature: "usual" as never }), run({ temperature: 0 })];
    expect([0, 1, "usual"].toSorted(axisNamed(mixed, "temperature").compare)).toEqual([1, "usual", 0]);
  });
});
