import { paper } from "../../../look/paper.ts";
import type { Cell, GridFigure } from "../../figure.ts";
import { wrap } from "../../text/printable.ts";
import { heatAt, hexOf, inkOn, palettes, type Rgb } from "../../../look/palettes.ts";
import { type Around, character, type Drawn, hover, line, markedText, round, textMark, textWidth } from "./marks.ts";

const high = 40;
const least = 72;
/** Fill of cells without a value. */
const nothing: Rgb = [238, 238, 238];

/** Draws a heat map. Each cell shows its value and the number of tasks below it. Column names are folded at their words. */
export function mapPicture({ x, y, cells, range }: GridFigure, around: Around): Drawn {
  const left = Math.max(textWidth(y.label), ...y.ticks.map(textWidth)) + 10;
  const words = x.ticks.flatMap((tick) => tick.split(" "));
  const texts = cells.flatMap((row) => row.map((cell) => (cell === undefined ? "" : markedText(cell))));
  const wide = Math.max(least, ...[...texts, ...words].map((text) => textWidth(text) + character));
  const titles = x.ticks.map((tick) => wrap(tick, Math.floor(wide / character) - 1));
  const deepest = Math.max(1, ...titles.map((lines) => lines.length));
  const top = line + deepest * line;
  const marks = [
    textMark(left, 12, x.label, 'font-style="italic"'),
    textMark(0, top - 6, y.label, 'font-style="italic"'),
    ...titles.flatMap((lines, column) =>
      lines.map((text, index) => {
        const at = top - 6 - (lines.length - 1 - index) * line;
        return textMark(left + (column + 0.5) * wide, at, text, 'text-anchor="middle"');
      }),
    ),
  ];
  for (const [row, tick] of y.ticks.entries()) {
    const above = top + row * high;
    marks.push(textMark(left - 8, above + high / 2 + 4, tick, 'text-anchor="end"'));
    for (const [column, cell] of (cells[row] ?? []).entries()) {
      if (cell === undefined) continue;
      const start = left + column * wide;
      const ground = groundOf(cell, range);
      const ink = `text-anchor="middle" fill="${hexOf(inkOn(ground))}"`;
      const dash = cell.faint === true ? ` stroke="${paper.edge}" stroke-dasharray="3 2"` : ` stroke="${paper.ground}"`;
      marks.push(
        hover(
          [`${y.label} ${tick}`, `${x.label} ${x.ticks[column]!}`],
          cell,
          around,
          `<rect x="${round(start)}" y="${above}" width="${round(wide)}" height="${high}" fill="${hexOf(ground)}"${dash}/>`,
          textMark(start + wide / 2, above + 17, markedText(cell), ink),
          cell.n === undefined ? "" : textMark(start + wide / 2, above + 32, `n ${cell.n}`, `font-size="10" ${ink}`),
        ),
      );
    }
  }
  return { width: left + x.ticks.length * wide, height: top + y.ticks.length * high + 6, marks };
}

function groundOf({ value }: Cell, [low, most]: GridFigure["range"]): Rgb {
  if (value === undefined) return nothing;
  return heatAt(palettes.light, Math.min(1, Math.max(0, (value - low) / (most - low || 1))));
}
