import { describe, expect, it } from "vitest";
import { chartSvg, isPictured, placedChart, reservedLines } from "../../../source/terminal/figures/figure-picture.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { figures } from "../sample-figures.ts";
import type { RunState } from "../../../source/engine/workbench/workbench.ts";
import { openDouble, runState } from "../double-workbench.ts";
import { escape, openScreen } from "../open-screen.tsx";
import { until } from "../../until.ts";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const braille = /[\u2801-\u28ff]/;

/** The key to the figure before the first one: the lines. */
const toLines = "\x1b[Z";

async function openLines(status: RunState["status"] = "done") {
  const workbench = openDouble();
  workbench.setRuns("c2", [runState({ status })]);
  const state = workbench.state("c3");
  // The picture of a figure is kept as long as the figure.
  if (state.kind === "analysis")
    workbench.setState("c3", { ...state, figures: state.figures.map((each) => ({ ...each })) });
  const screen = await openScreen({ workbench, columns: 80, rows: 30, pictures: "kitty" });
  await screen.press("G", "o", toLines);
  return screen;
}

describe("the place of a chart's picture", () => {
  const chart = { png, width: 480, height: 300 };

  it("has the shape of the picture, with cells twice as high as wide, one column from the left", () => {
    expect(placedChart(chart, 82, 50)).toEqual({ png, line: 0, column: 1, lines: 25, columns: 80 });
  });

  it("is limited by the rows, by the columns but one on each side, and by 110 columns", () => {
    expect(placedChart(chart, 100, 20)).toMatchObject({ lines: 20, columns: 64 });
    expect(placedChart(chart, 66, 20)).toMatchObject({ lines: 20, columns: 64 });
    expect(placedChart(chart, 200, 100)).toMatchObject({ lines: 34, columns: 109 });
  });

  it("has at least 8 rows", () => {
    expect(placedChart(chart, 100, 8)).toMatchObject({ lines: 8, columns: 26 });
    expect(placedChart(chart, 100, 7)).toBeUndefined();
  });

  it("is left free by lines whose blanks count as text", () => {
    const lines = reservedLines({ png, line: 0, column: 1, lines: 2, columns: 3 });
    expect(lines.map(lineText)).toEqual([" \u00a0\u00a0\u00a0", " \u00a0\u00a0\u00a0"]);
  });
});

describe("charts as pictures", () => {
  it("are lines, points and bars, as the cursor needs the cells of tables and maps", () => {
    expect(Object.keys(figures).filter((name) => isPictured(figures[name]!))).toEqual(["bars", "lines", "points"]);
  });

  it("have lines of two pixels, which remain if the terminal shrinks the picture by half", () => {
    for (const name of ["bars", "lines", "points"] as const) {
      const svg = chartSvg(figures[name]!, () => undefined);
      expect(svg).toMatch(/^(?:<\?xml[^>]*>\s*)?<svg stroke-width="2" /);
      expect(svg).not.toMatch(/stroke-width="[01](?:\.\d+)?"/);
    }
  });

  it("are sent when their figure is opened, and again when they are back after numbers or another screen", async () => {
    const screen = await openLines();
    const times = () => screen.stdout.written.split("a=T,").length - 1;
    await until(() => expect(times()).toBe(1));
    await until(() => expect(screen.text()).not.toMatch(braille));
    await screen.press("v", "v");
    await until(() => expect(times()).toBe(2));
    await screen.press(escape, "o", toLines);
    await until(() => expect(times()).toBe(3));
    await screen.close();
  });

  it("stay in characters while a run executes, because they change too often", async () => {
    const screen = await openLines("running");
    expect(screen.text()).toMatch(braille);
    await screen.close();
    expect(screen.stdout.written).not.toContain("a=T,");
  });
});
