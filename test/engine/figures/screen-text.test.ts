import { describe, expect, it } from "vitest";
import {
  type BarsFigure,
  boundsColumn,
  type Cell,
  type GridFigure,
  tableColumns,
  type TableFigure,
} from "../../../source/engine/figure.ts";
import { drawFigure, signTexts, textsOnScreen } from "../../../source/engine/figures/drawing/draw-figure.ts";
import type { DrawOptions } from "../../../source/engine/figures/drawing/drawing.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { intervalCell } from "../../../source/engine/measures/measure-cell.ts";
import {
  countedCell,
  percentDigits,
  screenInterval,
  screenText,
} from "../../../source/engine/figures/drawing/screen-text.ts";

const share = (value: number, n: number, more: Partial<Cell> = {}): Cell => ({
  text: (value * 100).toFixed(2),
  value,
  n,
  ...more,
});

const column = (title: string) => ({ title, align: "right" as const });
const table = (rows: TableFigure["rows"], counts = true): TableFigure => ({
  kind: "table",
  title: "Scores",
  columns: [{ title: "Run", align: "left" }, column("Succ"), ...(counts ? [column("n")] : [])],
  rows,
  notes: [],
});
const count = (n: number): Cell => ({ text: String(n), value: n });

describe("a value on a screen", () => {
  it("has no decimals below 100 tasks, one decimal from 100 tasks on, and all decimals next to a paper's value", () => {
    expect([percentDigits(99), percentDigits(100)]).toEqual([0, 1]);
    expect(screenText(share(0.7742, 31), false)).toBe("77");
    expect(screenText(share(0.7742, 100), false)).toBe("77.4");
    expect(screenText(share(0.7742, 31), true)).toBe("77.42");
    expect(screenText({ text: "13.79 %", value: 0.1379, n: 29 }, false)).toBe("14 %");
  });

  it("is unchanged if it is not a share or has no count, and a difference keeps its sign unless it is rounded to 0", () => {
    expect(screenText({ text: "2.5", value: 2.5, n: 9 }, false)).toBe("2.5");
    expect(screenText({ text: "71.43", value: 0.7143 }, false)).toBe("71.43");
    expect(screenText({ text: "+7.10", value: 0.071, n: 20 }, false)).toBe("+7");
    expect(screenText({ text: "-0.40", value: -0.004, n: 20 }, false)).toBe("0");
    expect(screenText({ text: "-", n: 3 }, false)).toBe("-");
    expect(screenText(undefined, false)).toBe("");
  });

  it("omits its marks, but shows how many of its tasks have a score", () => {
    const marked = share(0.5, 4, { rank: 1, faint: true, rests: { scored: 4, unscored: 1, failed: 0 } });
    expect(screenText(marked, false)).toBe("50 (4 of 5)");
  });

  it("has an interval with as many decimals as the value", () => {
    const ends = { low: 0.599, high: 0.886 };
    expect(screenInterval(share(0.7742, 31, ends), false)).toBe("[60, 89]");
    expect(screenInterval(share(0.7742, 31, { ...ends, rough: true }), false)).toBe("~[60, 89]");
    expect(screenInterval(share(0.7742, 100, ends), false)).toBe("[59.9, 88.6]");
    expect(screenInterval(share(0.7742, 31, ends), true)).toBe("[59.9, 88.6]");
    expect(screenText(share(0.7742, 31, ends), false, true)).toBe("77 [60, 89]");
    expect(screenInterval(share(0.7742, 31), false)).toBeUndefined();
  });

  it("has the decimals of its row's count if it is an interval in a column of its own, or the difference before it", () => {
    const interval = { low: -0.003, high: 0.5746 };
    const figure = (n: number): TableFigure => ({
      kind: "table",
      title: "Gaps",
      columns: tableColumns(["Run"], ["gap", boundsColumn("gap"), "n"]),
      rows: [
        [
          { text: "a" },
          { text: "+14.29", value: 0.1429 },
          intervalCell(interval, "percent"),
          { text: `${n}`, value: n },
        ],
      ],
      notes: [],
    });
    const shown = (n: number, exact: boolean) =>
      [1, 2].map((column) => screenText(countedCell(figure(n), figure(n).rows[0]!, column), exact));
    expect(shown(99, false)).toEqual(["+14", "[0, 57]"]);
    expect(shown(100, false)).toEqual(["+14.3", "[-0.3, 57.5]"]);
    expect(shown(99, true)).toEqual(["+14.29", "[-0.30, 57.46]"]);
    const [row] = figure(9).rows;
    expect([0, 3].map((column) => countedCell(figure(9), row!, column))).toEqual([row![0], row![3]]);
    expect(screenText(intervalCell(undefined, "percent"), false)).toBe("-");
  });
});

describe("a table on a screen", () => {
  const drawn = (figure: TableFigure, screen: "colour" | "plain" = "colour") => {
    const { head, body } = drawFigure(figure, { width: 60, ascii: false, screen });
    return [...head, ...body].map(lineText);
  };

  it("has a name that several rows share in the first of them", () => {
    const word = (text: string): Cell => ({ text });
    const named = (screen: "colour" | undefined, at?: { row: number; column: number }, from = 0) => {
      const figure: TableFigure = {
        ...table([]),
        columns: [{ title: "Run", align: "left" }, { title: "Level", align: "left" }, column("n")],
        rows: [
          ["flat", "SS"],
          ["flat", "MM"],
          ["deep", "MM"],
          ["flat", "MS"],
        ].map(([run, level]) => [word(run!), word(level!), count(7)]),
      };
      const { body } = drawFigure(figure, { width: 60, ascii: false, screen, ...(at && { at }), window: [from, 9] });
      return body.map((line) => lineText(line).trimEnd());
    };
    expect(named("colour")).toEqual(["  flat  SS     7", "        MM     7", "  deep  MM     7", "  flat  MS     7"]);
    expect(named(undefined)[1]).toBe("  flat  MM     7");
    expect(named("colour", { row: 1, column: 0 })[1]).toBe(" ▸flat  MM     7");
    // The first visible row has its name.
    expect(named("colour", undefined, 1).slice(1, 2)).toEqual(["  flat  MM     7"]);
  });

  it("shows the best value in bold without a mark, and few tasks by their number", () => {
    const own = table([
      [{ text: "a" }, share(0.75, 40, { rank: 1 }), count(40)],
      [{ text: "b" }, share(0.5, 40, { rank: 2 }), count(40)],
      [{ text: "c" }, share(0.25, 4, { faint: true }), count(4)],
    ]);
    expect(drawn(own)).toEqual([
      "  Run  Succ   n",
      "  ─────────────",
      "  a      75  40",
      "  b      50  40",
      "  c      25   4",
    ]);
    const [a, b, c] = drawFigure(own, { width: 60, ascii: false, screen: "colour" }).body;
    expect(a!.find(({ text }) => text.trim() === "75")).toMatchObject({ style: "strong" });
    // The blanks before it are not underlined.
    expect(b!.find(({ text }) => text.trim() === "50")).toEqual({ text: "50", style: "underlined" });
    expect(c!.find(({ text }) => text.trim() === "25")).toMatchObject({ style: "faint" });
    expect(signTexts(own, { ascii: false, screen: "colour", width: 60 })).toEqual([
      "values in %",
      "bold: best, underlined: second best of its column, on the same tasks",
    ]);
    expect(signTexts(own, { ascii: false, screen: "plain", width: 60 })).toEqual(["values in %"]);
  });

  it("shows a column with the sign for few tasks if it does not show the number of tasks", () => {
    const own = table(
      [
        [{ text: "a" }, share(0.75, 40)],
        [{ text: "b" }, share(0.25, 4, { faint: true })],
      ],
      false,
    );
    expect(drawn(own)).toEqual(["  Run  Succ", "  ─────────", "  a    75  ", "  b    25 ~"]);
    expect(signTexts(own, { ascii: false, screen: "plain", width: 60 })).toContain("~ based on few tasks");
  });

  it("marks a paper's row before its name, and a single value of a paper after the value, with all decimals", () => {
    const reported = (text: string): Cell => ({ text, value: Number(text) / 100, reported: true });
    const rows = table([
      [{ text: "ours" }, share(0.75, 40), count(40)],
      [{ text: "theirs", reported: true }, reported("70.92"), { text: "" }],
    ]);
    expect(drawn(rows).slice(2)).toEqual(["  ours    75.00  40", "† theirs  70.92    "]);
    const mixed = table([[{ text: "both" }, reported("70.92"), count(40)]]);
    expect(drawn(mixed).slice(2)).toEqual(["  both  70.92 †  40"]);
  });

  it("prints values as in plain text if it has more than 500 rows", () => {
    const rows = Array.from({ length: 501 }, (_, index) => [{ text: `r${index}` }, share(0.5, 4), count(4)]);
    expect(drawn(table(rows)).at(-1)).toBe("  r500  50.00  4");
    expect(textsOnScreen(table(rows))(share(0.5, 4))).toBe("50.00");
    expect(textsOnScreen(table(rows.slice(1)))(share(0.5, 4))).toBe("50");
  });
});

describe("notes on the signs of a table on a screen", () => {
  const run = "builtin/slips?rate=0.3&pace=8";
  const below = { gets: 0.5, name: "nothing", difference: { by: 0.1, isAbove: false, from: -0.1, to: 0.3 } } as never;
  const own = table([[{ text: run }, share(0.5, 40, { low: 0.25, high: 0.75, floor: below }), count(40)]]);
  const notes = (more: Partial<DrawOptions>) => signTexts(own, { ascii: false, width: 60, screen: "colour", ...more });

  it("explain brackets only if intervals are drawn beside their values", () => {
    const brackets = "[a, b]: 95 % interval";
    expect(notes({})).toContain(brackets);
    for (const hidden of [{ width: 20 }, { intervals: false }, { width: 20, intervals: "below" }] as const)
      expect(notes(hidden)).not.toContain(brackets);
    // Text has all intervals, whatever its width.
    expect(signTexts(own, { ascii: false })).toContain(brackets);
  });

  it("name built-in models as the rows do", () => {
    expect(notes({})[0]).toBe("Not above the floor at 95 %: slips(30 %) (Succ)");
    expect(signTexts(own, { ascii: false })[0]).toBe(`Not above the floor at 95 %: ${run} (Succ)`);
  });

  it("have no mark of a paper's value after a value that does not exist", () => {
    const rows = table([[{ text: "a" }, { text: "-", reported: true }, count(40)]]);
    expect(lineText(drawFigure(rows, { width: 60, ascii: false, screen: "colour" }).body[0]!)).toBe("  a       -  40");
  });
});

describe("a map on a screen", () => {
  const map = (cells: GridFigure["cells"]): GridFigure => ({
    kind: "grid",
    title: "Map",
    x: { label: "x", ticks: cells[0]!.map((_, at) => String(at)) },
    y: { label: "y", ticks: cells.map((_, at) => String(at)) },
    cells,
    range: [0, 1],
    notes: [],
  });

  it("shows n next to each value, and mutes values more strongly the fewer tasks they have", () => {
    const { body } = drawFigure(
      map([[share(0.5, 40), share(0.5, 5, { faint: true }), share(0.5, 10, { faint: true })]]),
      {
        width: 60,
        ascii: false,
        screen: "colour",
      },
    );
    expect(lineText(body[0]!)).toBe(" 0 50 n 40  50 n 5  50 n 10 ");
    expect(body[0]!.flatMap(({ heat, weight }) => (heat === undefined ? [] : [weight]))).toEqual([undefined, 0.675, 1]);
  });

  describe("the legend", () => {
    const few = (n: number) => share(0.5, n, { faint: true });
    const drawn = (cells: readonly Cell[], screen?: "colour" | "plain", width = 60) =>
      drawFigure(map([cells]), { width, ascii: false, ...(screen && { screen }) }).foot[0]!;
    const weights = (cells: readonly Cell[]) =>
      drawn(cells, "colour").flatMap(({ heat, weight = 1 }) => (heat === undefined ? [] : [weight]));

    it("also shows the scale as the values of the fewest and of the most muted tasks have it", () => {
      const cells = [few(9), share(0.5, 40), few(1), few(5), few(10)];
      expect(lineText(drawn(cells, "colour"))).toMatch(/^ scale 0 to 100 % {18}n 1 {10}n 9 {9}$/);
      expect(weights(cells)).toEqual([1, 0.415, 0.935].flatMap((weight) => Array(8).fill(weight)));
      // The steps of each scale have the same positions.
      const places = drawn(cells, "colour").flatMap(({ heat }) => heat ?? []);
      expect([places.slice(0, 8), places.slice(8, 16), places.slice(16)]).toEqual(
        Array(3).fill([0, 1, 2, 3, 4, 5, 6, 7].map((step) => (step + 0.5) / 8)),
      );
    });

    it("has one muted scale if all muted values have the same number of tasks, and none without muted values", () => {
      expect(lineText(drawn([few(2), few(2)], "colour"))).toMatch(/^ scale 0 to 100 % {18}n 2 {9}$/);
      const empty = { text: "-", n: 0, faint: true };
      for (const cells of [[share(0.5, 40)], [few(10)], [share(0.5, 40), empty]])
        expect(lineText(drawn(cells, "colour")).trimEnd()).toBe(" scale 0 to 100 %");
    });

    it("has no muted scale if nothing is muted: in text, and on a screen without colours", () => {
      for (const screen of [undefined, "plain"] as const)
        expect(lineText(drawn([few(2)], screen)).trimEnd()).toBe(" scale 0 to 100 %");
    });

    it("has steps of one column if there is no room for two", () => {
      const wide = (width: number) => lineText(drawn([few(1), few(9)], "colour", width)).length;
      expect([wide(60), wide(59)]).toEqual([60, 52]);
    });
  });
});

describe("bars on a screen", () => {
  const bars = (all: BarsFigure["bars"]): BarsFigure => ({
    kind: "bars",
    title: "Bars",
    unit: "%",
    max: 1,
    bars: all,
    notes: [],
  });
  const drawn = (figure: BarsFigure, screen: "colour" | "plain") => {
    const { body, foot } = drawFigure(figure, { width: 33, ascii: false, screen });
    return [...body, ...foot].map((line) => lineText(line).trimEnd());
  };
  const bar = (label: string, value: number, more: Partial<Cell> = {}) => ({ label, cell: share(value, 20, more) });

  it("show the number of tasks once if all bars have the same number, and show their intervals without colours", () => {
    const figure = bars([{ ...bar("a", 0.5), low: 0.25, high: 0.75 }, bar("b", 0.55)]);
    expect(drawn(figure, "colour")).toEqual([
      "  a    │██████├─────────┤ 50",
      "  b    │████████████▏ 55",
      "       0   20   40  60   80  100",
      "  n 20 each; in %; whiskers: 95 %",
      "  interval",
    ]);
    expect(drawn(figure, "plain").slice(0, 2)).toEqual(["  a    │██████┃──┤ 50 [25, 75]", "  b    │███████ 55"]);
  });

  it("show n after each value if n differs, and mark a paper's values", () => {
    const figure = bars([
      bar("a", 0.5),
      { label: "b", cell: share(0.5, 7) },
      { label: "c", cell: { text: "70.9", value: 0.709, reported: true } },
    ]);
    const lines = drawn(figure, "colour");
    expect(lines[0]).toMatch(/ 50\.00  n 20$/);
    expect(lines[1]).toMatch(/ 50\.00  n 7$/);
    expect(lines[2]).toMatch(/▏? 70\.9 †$/);
  });

  describe("have the colour", () => {
    const colours = (all: BarsFigure["bars"], title = "Bars") => {
      const colourOf = (text: string) => ({ flat: 1, "a · b": 4, "Errors: flat": 2 })[text];
      const { body } = drawFigure({ ...bars(all), title }, { width: 60, ascii: false, screen: "colour", colourOf });
      return body.map((line) =>
        line.filter(({ text }) => text.includes("█")).map(({ style, series }) => series ?? style),
      );
    };

    it("of their run, also if the name of a row follows the run's name", () => {
      expect(colours([bar("flat", 0.5), bar("flat, SS", 0.5), bar("a · b, SS, x", 0.5)])).toEqual([[1], [1], [4]]);
    });

    it("of the run in the title, also if the name of a value follows it", () => {
      expect(colours([bar("SS", 0.5)], "Errors: flat")).toEqual([[2]]);
      expect(colours([bar("SS", 0.5)], "Errors: flat: parallel 1")).toEqual([[2]]);
    });

    it("of secondary text if they belong to no run, because the accent is the focus", () => {
      expect(colours([bar("SS", 0.5), bar("other, flat", 0.5)])).toEqual([["faint"], ["faint"]]);
      expect(colours([bar("paper", 0.5, { reported: true })])).toEqual([["reported"]]);
    });
  });

  it("show names of groups in full if their labels leave room, otherwise as far as they differ", () => {
    const group = "Literal where a reference belongs";
    const heads = (label: string, width = 120) =>
      drawFigure(bars([{ ...bar(label, 0.5), group }, bar("flat", 0.5)]), { width, ascii: false, screen: "colour" })
        .body.map((line) => line[1]!.text)
        .at(0)!
        .trimEnd();
    expect(heads("hierarchical")).toBe(group);
    expect(heads("x".repeat(13))).toBe(group);
    expect(heads("x".repeat(14))).toBe("Literal where a …ference belongs");
    expect(heads("hierarchical", 60)).toBe("Litera…longs");
  });
});
