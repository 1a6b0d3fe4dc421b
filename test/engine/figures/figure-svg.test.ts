import { describe, expect, test } from "vitest";
import type { BarsFigure, Figure, GridFigure, LinesFigure, TableFigure } from "../../../source/engine/figure.ts";
import { exportFigure } from "./exported-figure.ts";
import { contrast, palettes, white } from "../../../source/look/palettes.ts";
import { width } from "../../../source/engine/text/printable.ts";

const share = (value: number, n = 15) => ({ text: (value * 100).toFixed(2), value, n });
const within = (value: number) => ({ ...share(value), low: value - 0.2, high: value + 0.1 });
const printed = (value: number) => ({ text: (value * 100).toFixed(2), value, reported: true });

const map: GridFigure = {
  kind: "grid",
  title: "Score by domain and ability",
  x: { label: "Ability", ticks: ["planning", "tool usage awareness", "entertainment", "tool usage"] },
  y: { label: "Domain", ticks: ["Finance", "旅行和住宿"] },
  cells: [
    [share(0.8), share(1), share(0.05), share(0.5)],
    [share(0.7), undefined, share(0.3)],
  ],
  range: [0, 1],
  notes: [],
};
const bars: BarsFigure = {
  kind: "bars",
  title: "Succ by run and category",
  unit: "%",
  max: 1,
  bars: ["SS", "MM"].flatMap((group) => [
    { group, label: "one run, hierarchical", cell: within(0.9), low: 0.7, high: 1 },
    { group, label: "one run, flat", cell: within(0.5), low: 0.3, high: 0.6 },
    { group, label: "GPT-4o", cell: printed(0.7092) },
  ]),
  notes: [],
};
const lines: LinesFigure = {
  kind: "lines",
  title: "Succ by number of demonstrations",
  x: "shots",
  y: "A measure with a long name of its own",
  series: [
    { label: "ours", points: [0, 3].map((x) => ({ x, cell: share(0.9, 15 + x), low: 0.7, high: 1 })) },
    { label: "paper, Table 5", points: [0, 3].map((x) => ({ x, cell: printed(0.7) })) },
  ],
  notes: [],
};
const table: TableFigure = {
  kind: "table",
  title: "Tasks that differ",
  columns: [
    { title: "Task", align: "left" },
    { title: "a run with a long name, hierarchical", align: "right", under: ["Succ"] },
    { title: "n", align: "right" },
    { title: "Question", align: "left" },
  ],
  rows: [
    [{ text: "ss-001" }, within(0.5), { text: "15", value: 15 }, { text: "Book a table for two. ".repeat(12).trim() }],
    [{ text: "GPT-4o", reported: true }, printed(0.7092), { text: "", reported: true }, { text: "", reported: true }],
  ],
  notes: [],
};
const figures: readonly Figure[] = [map, bars, lines, table];

type Box = { readonly text: string; readonly left: number; readonly right: number; readonly foot: number };

/** Positions of the texts in a picture, in a font whose characters are 0.6 of their size wide. */
function texts(svg: string): readonly Box[] {
  const found = svg.matchAll(/<text x="([^"]*)" y="([^"]*)" ([^>]*)>([^<]+)<\/text>/g);
  return [...found].map(([, x, y, attributes, text]) => {
    const size = Number(/font-size="(\d+)"/.exec(attributes!)?.[1] ?? 12);
    const long = width(text!) * size * 0.6;
    const anchor = /text-anchor="(\w+)"/.exec(attributes!)?.[1];
    const left = Number(x) - (anchor === "end" ? long : anchor === "middle" ? long / 2 : 0);
    return { text: text!, left, right: left + long, foot: Number(y) };
  });
}

describe.each(figures)("a picture of $kind", (figure) => {
  const svg = exportFigure(figure, "svg", ["builtin/oracle reads the answer key"]);

  test("keeps texts apart and inside its edges", () => {
    const inner = texts(/<g transform[^]*<\/g>\n/.exec(svg)![0]);
    const wide = Number(/width="([\d.]+)"/.exec(svg)![1]);
    for (const [index, box] of inner.entries()) {
      expect(box.left, box.text).toBeGreaterThanOrEqual(0);
      expect(box.right + 12, box.text).toBeLessThanOrEqual(wide);
      for (const other of inner.slice(index + 1)) {
        if (Math.abs(other.foot - box.foot) >= 10) continue;
        expect(Math.min(box.right, other.right), `${box.text} | ${other.text}`).toBeLessThanOrEqual(
          Math.max(box.left, other.left),
        );
      }
    }
  });

  test("shows what it measures, and keeps its title and notes within its edges", () => {
    const wide = Number(/width="([\d.]+)"/.exec(svg)![1]);
    const tall = Number(/height="([\d.]+)"/.exec(svg)![1]);
    const outer = texts(svg.replace(/<g transform[^]*<\/g>\n/, ""));
    expect(outer[0]!.text).toBe(figure.title);
    expect(outer[1]!.text).toBe("builtin/oracle reads the answer key");
    for (const { right, foot } of outer) {
      expect(right).toBeLessThanOrEqual(wide);
      expect(foot).toBeLessThanOrEqual(tall - 6);
    }
  });
});

const wordsOf = (svg: string) => texts(svg).map(({ text }) => text);

test("a picture of a map folds column names between words", () => {
  const words = wordsOf(exportFigure(map, "svg"));
  expect(words).toEqual(expect.arrayContaining(["planning", "entertainment", "awareness"]));
  expect(words).not.toContain("tool usage awareness");
});

describe("bars", () => {
  const svg = exportFigure(bars, "svg");

  test("show n next to each value, and each group's name once", () => {
    const words = wordsOf(svg);
    expect(words.filter((text) => text === "n 15")).toHaveLength(4);
    expect(words.filter((text) => text === "SS")).toHaveLength(1);
  });

  test("are hollow and labelled if they show a paper's values, and stand out from bars in the runs' colours", () => {
    expect(svg.match(/<rect [^>]*fill="white" stroke=/g)).toHaveLength(2);
    const words = wordsOf(svg);
    expect(words.filter((text) => text === "70.92 †")).toHaveLength(2);
    expect(words).toContain("† reported by the paper");
  });

  test("show the interval as a thin line: white on the bar, and in the bar's colour beyond it", () => {
    const [, ink] = /height="14" fill="(#\w+)"/.exec(svg)!;
    expect(svg.match(/<line [^>]*stroke="white"/g)!.length).toBeGreaterThanOrEqual(4);
    expect(svg.match(new RegExp(`<line [^>]*stroke="${ink!}"`, "g"))!.length).toBeGreaterThanOrEqual(2);
    for (const colour of palettes.light.series) expect(contrast(colour, white)).toBeGreaterThanOrEqual(3);
    expect(wordsOf(svg)).toContain("in %; whiskers: 95 % interval");
  });

  test("are half filled if an earlier run has the same colour", () => {
    const shared = exportFigure(bars, "svg", [], (label) => (label === "one run, flat" ? 12 : 0));
    const half = shared.match(/<rect [^>]*fill="(#\w+)" fill-opacity="0.4" stroke="\1"/g);
    expect(half).toHaveLength(2);
  });

  test("have one colour for each name if the runs have no known colour", () => {
    const fills = [...svg.matchAll(/height="14" fill="(#\w+)"/g)].map(([, fill]) => fill);
    expect(fills).toEqual([fills[0], fills[1], fills[0], fills[1]]);
    expect(fills[0]).not.toBe(fills[1]);
  });
});

test("the legend of lines shows the number of tasks per point, or that the line comes from a paper", () => {
  expect(wordsOf(exportFigure(lines, "svg"))).toEqual(expect.arrayContaining(["ours, n 15 to 18", "paper, Table 5 †"]));
});

describe("a table", () => {
  const svg = exportFigure(table, "svg");

  test("aligns values, puts intervals next to the values, and marks values from a paper once", () => {
    const [own, paper] = ["50.00", "70.92"].map((text) => texts(svg).find((box) => box.text === text)!);
    expect(own!.right).toBe(paper!.right);
    expect(wordsOf(svg)).toEqual(expect.arrayContaining(["[30.0, 60.0]", "GPT-4o †", "[a, b]: 95 % interval"]));
  });

  test("folds long texts and titles, and loses no word", () => {
    expect(texts(svg).every(({ text }) => width(text) <= 80)).toBe(true);
    expect(
      wordsOf(svg)
        .filter((text) => text.includes("table for two"))
        .join(" ")
        .match(/Book a table/g),
    ).toHaveLength(12);
  });
});
