import { describe, expect, it } from "vitest";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { figureSvg } from "../../../source/engine/figures/figure-svg.ts";
import type { LinesFigure, PointsFigure } from "../../../source/engine/figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";

/** Three runs on the frontier, listed out of order, and one that they beat. */
const figure: PointsFigure = {
  kind: "points",
  title: "Score against cost",
  x: "cost a task",
  y: "score, %",
  points: [
    { x: 3, y: 90, group: "frontier", label: "large" },
    { x: 1, y: 20, group: "frontier", label: "small" },
    { x: 3, y: 30, group: "not on the frontier", label: "slow" },
    { x: 2, y: 80, group: "frontier", label: "middle" },
  ],
  notes: [],
};
const runs = ["small", "middle", "large", "slow"];
const colourOf = (label: string) => (runs.includes(label) ? runs.indexOf(label) : undefined);
const braille = /[\u2801-\u28ff]/;

describe("a plot of points", () => {
  it("joins the points of the frontier by a line without the colour of a run", () => {
    const { body } = drawFigure(figure, { width: 60, ascii: false, colourOf, height: 10 });
    const line = body.flat().filter(({ text }) => braille.test(text));
    expect(line.length).toBeGreaterThan(3);
    expect(line.every(({ series }) => series === undefined)).toBe(true);
    // Between the two dearest runs, the line is above the run that is not on the frontier.
    const low = body.findIndex((each) => lineText(each).includes("▲"));
    expect(body.slice(low).some((each) => braille.test(lineText(each).slice(40)))).toBe(false);
  });

  it("colours points as their runs, and leaves their group to their shape", () => {
    const { body, foot } = drawFigure(figure, { width: 60, ascii: false, colourOf, height: 10 });
    const marks = body.flat().filter(({ text }) => /[●▲]/.test(text));
    expect(marks.map(({ series }) => series).toSorted()).toEqual([0, 1, 2, 3]);
    const legend = foot.at(-1)!;
    expect(lineText(legend)).toMatch(/^ +● frontier +▲ not on the frontier$/);
    expect(legend.every(({ series }) => series === undefined)).toBe(true);
  });

  it("colours points by their group if their labels are no runs, without lines between them", () => {
    const map = { ...figure, points: figure.points.map((each) => ({ ...each, group: `toolkit ${each.label}` })) };
    const { body, foot } = drawFigure(map, { width: 60, ascii: false, height: 10 });
    expect(body.flat().some(({ text }) => braille.test(text))).toBe(false);
    expect(foot.flat().flatMap(({ series }) => series ?? [])).toEqual([0, 1, 2, 3]);
  });

  it("has the same line and colours as a picture", () => {
    const svg = figureSvg(figure, [], { colourOf });
    const [, path] = /<polyline fill="none" stroke="black" points="([^"]*)"\/>/.exec(svg)!;
    const across = path!.split(" ").map((place) => Number(place.split(",")[0]));
    expect(across).toHaveLength(3);
    expect(across).toEqual(across.toSorted((one, other) => one - other));
    const fills = new Set(
      [...svg.matchAll(/<(?:circle|polygon) [^>]*r?="3"[^>]*fill="([^"]+)"/g)].map(([, ink]) => ink),
    );
    expect(fills.size).toBeGreaterThan(2);
    const bare = figureSvg({ ...figure, points: figure.points.slice(0, 1) }, [], {});
    expect(bare).not.toContain("<polyline");
  });
});

describe("a plot of lines", () => {
  const lines = (count: number): LinesFigure => ({
    kind: "lines",
    title: "Tokens over time",
    x: "minutes",
    y: "tokens",
    series: [
      {
        label: "flat",
        points: Array.from({ length: count }, (_, x) => ({ x, cell: { text: String(x), value: x } })),
      },
    ],
    notes: [],
  });
  const marks = (count: number, at?: { row: number; column: number }) => {
    const { body } = drawFigure(lines(count), { width: 45, ascii: false, height: 8, ...(at && { at }) });
    // The axis takes five columns.
    expect(lineText(body[0]!).length).toBe(44);
    return body
      .map(lineText)
      .join("")
      .match(/[●◆◉]|[^\u2800-\u28ff\s\d.│]/g)?.length;
  };

  it("has a mark at each point while these are four columns apart, otherwise at the last point and at the cursor", () => {
    expect(marks(10)).toBe(10);
    expect(marks(11)).toBe(1);
    expect(marks(60, { row: 0, column: 30 })).toBe(2);
  });
});
