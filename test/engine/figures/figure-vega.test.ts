import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { describe, expect, test } from "vitest";
import type { BarsFigure, Figure, GridFigure, LinesFigure, PointsFigure } from "../../../source/engine/figure.ts";
import { figureJson } from "../../../source/engine/figures/figure-json.ts";
import { exportFigure } from "./exported-figure.ts";

const cell = (value: number, more: object = {}) => ({ text: `${(value * 100).toFixed(2)} %`, value, n: 8, ...more });
const bars: BarsFigure = {
  kind: "bars",
  title: "Tasks with each kind",
  unit: "% of tasks",
  bars: [
    { group: "Wrong app", label: "a", cell: cell(1 / 3, { ceiling: 0.9 }), low: 0.1, high: 0.6 },
    { group: "Wrong app", label: "b", cell: cell(0.5, { reported: true, floor: { gets: 0.2, name: "nothing" } }) },
    { group: "Missing key", label: "a", cell: cell(0) },
    { group: "Missing key", label: "a", cell: cell(0.25) },
  ],
  notes: ["lines show intervals"],
};
const grid: GridFigure = {
  kind: "grid",
  title: "By level",
  x: { label: "app", ticks: ["maps", "mail"] },
  y: { label: "level", ticks: ["easy", "hard"] },
  cells: [
    [cell(0.125), undefined],
    [cell(2 / 3), { text: "-", n: 0 }],
  ],
  range: [0, 1],
  notes: [],
};
const lines: LinesFigure = {
  kind: "lines",
  title: "By shots",
  x: "shots",
  y: "Succ",
  series: [
    { label: "a", points: [0, 1, 3].map((x) => ({ x, cell: cell(x / 7), low: x / 8, high: x / 6 })) },
    { label: "b", points: [{ x: 1, cell: cell(0.4, { ceiling: 0.8 }) }] },
  ],
  notes: [],
};
const points: PointsFigure = {
  kind: "points",
  title: "Map",
  x: "first",
  y: "second",
  points: [0, 1, 2].map((x) => ({ x, y: x / 3, group: `g${x % 2}`, label: `p${x}` })),
  notes: [],
};

const specOf = (figure: Figure) => JSON.parse(exportFigure(figure, "vega", ["Sample data"])) as TopLevelSpec;

/** The rows that Vega itself reads from the specification, with the scales it makes of them. */
async function drawn(figure: Figure) {
  const view = await new View(parse(compile(specOf(figure)).spec), { renderer: "none" }).runAsync();
  return { view, rows: view.data("source_0") as Record<string, unknown>[] };
}

/** The values of `--json`, in its order. */
function valuesOf(figure: Figure): readonly unknown[] {
  const found: unknown[] = [];
  JSON.stringify(figureJson(figure), (_, value) => {
    if (value !== null && typeof value === "object" && "text" in value) found.push((value as { value?: number }).value);
    return value;
  });
  return found;
}

describe("Vega-Lite", () => {
  const require = createRequire(import.meta.url);
  const schema = JSON.parse(readFileSync(require.resolve("vega-lite/vega-lite-schema.json"), "utf8")) as object;
  const isValid = new Ajv({ strict: false, allErrors: false, logger: false, code: { optimize: false } }).compile(
    schema,
  );

  test.each([bars, grid, lines, points])("is valid by the published schema: $kind", (figure) => {
    isValid(specOf(figure));
    expect(isValid.errors).toBeNull();
  });

  test.each([bars, grid, lines])("contains the same values as --json when read by Vega: $kind", async (figure) => {
    const { rows } = await drawn(figure);
    expect(rows.map(({ value }) => value)).toEqual(valuesOf(figure));
  });

  test("keeps bars with the same name separate, in the order of the figure, with intervals, ceilings and floors", async () => {
    const { view, rows } = await drawn(bars);
    expect(view.scale("y").domain()).toEqual(["Wrong app", "Missing key"]);
    expect(view.scale("color").domain()).toEqual(["a", "b", "a (2)"]);
    expect(rows[0]).toMatchObject({ low: 0.1, high: 0.6, ceiling: 0.9 });
    expect(rows[1]).toMatchObject({ reported: true, floor: 0.2 });
  });

  test("contains the points unchanged", async () => {
    const { rows } = await drawn(points);
    expect(rows).toMatchObject(points.points.map(({ x, y, group, label }) => ({ x, y, group, label })));
  });

  test("has warnings and notes below its title, and writes nothing for a table", () => {
    expect(specOf(bars).title).toMatchObject({ text: bars.title, subtitle: expect.arrayContaining(["Sample data"]) });
    const table: Figure = { kind: "table", title: "T", columns: [], rows: [], notes: [] };
    expect(exportFigure(table, "vega")).toBe("");
  });

  test("separates names of fields and expressions from names in the data", () => {
    const hostile = { ...bars, bars: [{ label: "datum['x'] || {signal: 1}", cell: cell(0.5) }] };
    expect(compile(specOf(hostile)).spec.data![0]).toMatchObject({ values: [{ label: "datum['x'] || {signal: 1}" }] });
  });
});
