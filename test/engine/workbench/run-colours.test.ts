import { describe, expect, it } from "vitest";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { figureSvg } from "../../../source/engine/figures/figure-svg.ts";
import { hexOf, hues, palettes } from "../../../source/look/palettes.ts";
import type { Figure } from "../../../source/engine/figure.ts";
import { colouringOf, runColours } from "../../../source/engine/workbench/runs/run-colours.ts";
import type { CellState } from "../../../source/engine/workbench/workbench.ts";

const labels = [
  { label: "flat", run: "r2" },
  { label: "hierarchical: flat", run: "r5" },
];
const state: CellState = {
  kind: "analysis",
  problems: [],
  missing: undefined,
  analysis: undefined,
  runs: ["r2", "r5"],
  labels,
  choices: {},
  lists: {},
  listed: {},
  chosen: {},
  figures: [],
  warnings: [],
};
const colourOf = colouringOf(state, new Map([...Array(6).keys()].map((number) => [`r${number}`, number])));

describe("the colour of a run", () => {
  it("follows the position of the run in the notebook, wherever the run's name appears", () => {
    expect(colourOf("flat")).toBe(2);
    expect(colourOf("Errors: flat")).toBe(2);
    expect(colourOf("Errors: flat [1][12]")).toBe(2);
    expect(colourOf("Errors: hierarchical: flat")).toBe(5);
    expect(colourOf("flattened")).toBeUndefined();
    expect(colourOf("GPT-4o")).toBeUndefined();
  });

  const cell = (value: number) => ({ text: `${value * 100}.0`, value });
  const titled = { title: "Success", notes: [] };
  const figures: readonly Figure[] = [
    {
      ...titled,
      kind: "lines",
      x: "k",
      y: "success",
      series: [
        { label: "GPT-4o", points: [{ x: 1, cell: cell(0.5) }] },
        { label: "flat", points: [{ x: 1, cell: cell(0.25) }] },
      ],
    },
    { ...titled, kind: "bars", unit: "%", bars: [{ label: "flat", cell: cell(0.5) }] },
    { ...titled, title: "Errors: flat", kind: "bars", unit: "%", bars: [{ label: "Wrong place", cell: cell(0.5) }] },
    {
      ...titled,
      kind: "table",
      columns: [
        { title: "Run", align: "left" },
        { title: "Success", align: "right" },
      ],
      rows: [[{ text: "flat" }, cell(0.5)]],
    },
  ];

  it.each(figures.map((figure) => [figure.kind, figure] as const))("is the same in %s", (_, figure) => {
    const { head, body, foot } = drawFigure(figure, { width: 80, ascii: false, colourOf });
    expect([...head, ...body, ...foot].flat().map(({ series }) => series)).toContain(2);
    if (figure.kind !== "table")
      expect(figureSvg(figure, [], { colourOf })).toContain(`"${hexOf(palettes.light.series[2]!)}"`);
  });
});

describe("the colours of a notebook", () => {
  const cell = (id: string, runs: readonly (readonly [run: string, model: string, prompting: string])[]) => ({
    id,
    state: {
      kind: "run",
      runs: runs.map(([run, model, prompting]) => ({ run, spec: { model, strategyOptions: { prompting } } })),
    },
  });
  const colours = (...cells: readonly ReturnType<typeof cell>[]) =>
    Object.fromEntries(
      runColours({
        cells: () => cells.map(({ id }) => ({ id, kind: "run" })),
        state: (id: string) => cells.find((each) => each.id === id)!.state,
      } as unknown as Parameters<typeof runColours>[0]),
    );

  it("have another hue for each run if all runs have the same model", () => {
    const one = cell("a", [
      ["r1", "lab/x", "flat"],
      ["r2", "lab/x", "hierarchical"],
    ]);
    expect(colours(one, cell("b", [["r3", "lab/x", "flat"]]))).toEqual({ r1: 0, r2: 1, r3: 2 });
  });

  it("have a hue for each model, and a shade for each other setting that all models share", () => {
    const grid = cell("a", [
      ["r1", "lab/x", "flat"],
      ["r2", "lab/x", "hierarchical"],
      ["r3", "lab/y", "flat"],
      ["r4", "lab/y", "hierarchical"],
    ]);
    expect(colours(grid)).toEqual({ r1: 0, r2: hues, r3: 1, r4: 1 + hues });
  });

  it("are the same for a run in every cell that contains it", () => {
    const [one, two] = [cell("a", [["r1", "lab/x", "flat"]]), cell("b", [["r2", "lab/y", "flat"]])];
    expect(colours(one, two, cell("c", [["r1", "lab/x", "flat"]]))).toEqual({ r1: 0, r2: 1 });
  });
});
