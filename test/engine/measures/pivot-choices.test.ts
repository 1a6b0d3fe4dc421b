/** The measures, settings and titles of tables that a cell does not name in full. */
import { describe, expect, it } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import {
  axisLists,
  facetTitles,
  measureLists,
  measuresNamed,
  pivotTitle,
  variedFields,
} from "../../../source/engine/measures/pivot/pivot-choices.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { madeRun, type MadeRow, madeSpec, madeSuite } from "../../analyses/made-run.ts";

/** Eight measures of one mode, and one of another. */
const many = {
  ...madeSuite,
  measures: [
    ...Array.from({ length: 8 }, (_, at) =>
      meanMeasure(`m${at}`, { name: `all.m${at}`, title: `M${at}`, mode: "all" }),
    ),
    meanMeasure("other", { name: "else.other", title: "Other", mode: "else" }),
  ],
} as unknown as Suite;
const run = (suite: Suite, rows: readonly MadeRow[], spec: Partial<RunSpec> = {}): RunRows =>
  madeRun("r", rows, { suite, spec: { ...madeSpec, ...spec } });
const scored = (...known: readonly number[]): MadeRow => ({
  task: "a",
  right: 1,
  metrics: Object.fromEntries(known.map((at) => [`m${at}`, 1])),
});
const names = (runs: readonly RunRows[], chosen: readonly string[], mode = "all") =>
  measuresNamed(runs, chosen, mode).map(({ name }) => name);
const all = (...numbers: readonly number[]) => numbers.map((at) => `all.m${at}`);

describe("the measures of a table", () => {
  it("are the first six of the mode that have a value, or the first six if none has a value", () => {
    const whole = run(many, [scored(0, 1, 2, 3, 4, 5, 6, 7)]);
    expect(names([whole], ["main"])).toEqual(all(0, 1, 2, 3, 4, 5));
    expect(names([run(many, [scored(7, 1, 2)])], ["main"])).toEqual(all(1, 2, 7));
    expect(names([run(many, [])], ["main"])).toEqual(all(0, 1, 2, 3, 4, 5));
    expect(names([whole], ["main"], "else")).toEqual(["else.other"]);
    expect(names([whole], ["all"])).toEqual(all(0, 1, 2, 3, 4, 5, 6, 7));
    expect(names([run(many, [])], ["all"], "else")).toEqual(["else.other"]);
  });

  it("are those that are named, in the order of the names: effort without its prefix, each suite's measures once", () => {
    const runs = [run(many, [scored(0)]), run(madeSuite, [{ task: "b", right: 1 }])];
    expect(names(runs, ["strict.right", "tokens", "all.m3", "gone"])).toEqual([
      "strict.right",
      "effort.tokens",
      "all.m3",
    ]);
    expect(names(runs, ["gone"])).toEqual(all(0));
    expect(measureLists([runs[1]!, runs[1]!]).measures).toEqual({
      values: [
        "main",
        "all",
        "strict.right",
        "strict.argument-em",
        "loose.waste",
        "unwrapped",
        "calls",
        "tokens",
        "seconds",
      ],
      standard: ["main"],
      alone: ["main", "all"],
    });
    const wrapped = run(madeSuite, [{ task: "b", right: 1, metrics: { unwrapped: 1 } }]);
    expect(measureLists([wrapped]).measures.values.filter((name) => name === "unwrapped")).toHaveLength(1);
  });
});

describe("the axes of a table", () => {
  const temperatures = [0, 1].map((temperature) => run(madeSuite, [], { temperature }));

  it("are at most two, of the facets and settings", () => {
    const { rows, columns } = axisLists(temperatures);
    expect(rows).toBe(columns);
    expect([rows.standard, rows.most, rows.values.slice(0, 4)]).toEqual([
      [],
      2,
      ["level", "parallel", "sequential", "temperature"],
    ]);
  });

  it("are by default the settings in which runs differ, the model first, and which every run has", () => {
    const spec = (more: Partial<RunSpec>) => run(madeSuite, [], more);
    expect(variedFields([spec({}), spec({ temperature: 1, model: "lab/large" })])).toEqual(["model", "temperature"]);
    expect(variedFields([spec({}), spec({})])).toEqual([]);
    for (const more of [{ split: "x" }, { trial: 2 }, { data: "published" }, { limit: 3 }] as const)
      expect(variedFields([spec({}), spec(more)])).toEqual([]);
    // A run without an actor has no place on that axis.
    expect(variedFields([spec({}), spec({ actor: "lab/a" })])).toEqual([]);
    expect(variedFields([spec({ actor: "lab/b" }), spec({ actor: "lab/a" })])).toEqual(["actor"]);
    const facet = { ...madeSuite, facets: [{ name: "temperature", title: "Weather" }] } as unknown as Suite;
    expect(variedFields([run(facet, [], {}), run(facet, [], { temperature: 1, seed: 1 })])).toEqual(["seed"]);
  });
});

describe("the title of a table", () => {
  const [right, hits, waste] = madeSuite.measures;
  const runs = [run(madeSuite, [])];

  it("names a single measure, otherwise scores, the axes, and the modes of the measures", () => {
    expect(pivotTitle(runs, [right!], ["level", "model"], "strict")).toBe("Right by level and model (strict)");
    expect(pivotTitle(runs, [right!, hits!], ["level"], "loose")).toBe("Scores by level (strict)");
    expect(pivotTitle(runs, [right!, waste!], [], "strict")).toBe("Scores (strict, loose)");
    expect(pivotTitle(runs, [], ["level", "parallel", "sequential"], "loose")).toBe(
      "Scores by level, parallel and sequential (loose)",
    );
  });

  it("lists the facets among the axes", () => {
    expect(facetTitles(runs, ["level", "model", "parallel"])).toBe("level and parallel");
    expect([facetTitles(runs, ["model", "level"]), facetTitles(runs, ["model"]), facetTitles(runs, [])]).toEqual([
      "level",
      "",
      "",
    ]);
  });
});
