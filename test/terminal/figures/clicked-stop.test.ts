import { describe, expect, it } from "vitest";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import type { Figure } from "../../../source/engine/figure.ts";
import { clickedStop } from "../../../source/terminal/figures/figure-places.ts";
import { bars, grid, lines, table } from "../sample-figures.ts";

/** A click on the first place of these words in the body of the figure. */
function clicked(figure: Figure, words: string) {
  const { body } = drawFigure(figure, { width: 120, ascii: false });
  const texts = body.map(lineText);
  const line = texts.findIndex((text) => text.includes(words));
  const text = texts[line]!;
  return clickedStop(figure, prepared(figure).stops, { line, body: body.length, text }, text.indexOf(words));
}

describe("a click on a figure", () => {
  it("finds the value, the label or the bar that stands there", () => {
    expect(clicked(table, "70.0")).toEqual({ row: 1, column: 3 });
    expect(clicked(table, "many apps, many APIs")).toEqual({ row: 2, column: 0 });
    const value = prepared(grid).stops.row(1)[1]!.cell!.text;
    expect(clicked(grid, value)).toMatchObject({ row: expect.any(Number), column: expect.any(Number) });
    expect(clicked(bars, bars.bars[1]!.label)).toEqual({ row: 1, column: 0 });
  });

  it("finds the nearest value beside one, and none in a plot or below the figure", () => {
    const { body } = drawFigure(table, { width: 120, ascii: false });
    const at = { line: 0, body: body.length, text: lineText(body[0]!) };
    expect(clickedStop(table, prepared(table).stops, at, 10_000)).toEqual({ row: 0, column: 5 });
    expect(clickedStop(table, prepared(table).stops, { ...at, line: 99 }, 0)).toBeUndefined();
    expect(clickedStop(lines, prepared(lines).stops, at, 0)).toBeUndefined();
  });
});
