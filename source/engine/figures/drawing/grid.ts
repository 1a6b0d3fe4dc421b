import type { Cell, GridFigure } from "../../figure.ts";
import { counted } from "../../text/counted.ts";
import { fitMiddle, pad, printable, width } from "../../text/printable.ts";
import { areShownInPercent } from "../shown-in-percent.ts";
import type { DrawOptions, Drawing } from "./drawing.ts";
import type { Line, Span } from "./line.ts";
import { symbolsOf } from "./symbols.ts";
import { cellText } from "./cell-text.ts";
import { columnsToTellApart } from "./told-apart.ts";

/** Up to this many rows, the number of tasks stands below each value; beyond it, beside. */
const tall = 8;

export function gridRowLines(figure: GridFigure): number {
  return figure.y.ticks.length <= tall ? 2 : 1;
}

/** A heat map: each field has its value and its `n`, so that it can be read without colour. */
export function drawGrid(figure: GridFigure, options: DrawOptions): Drawing {
  const { x, y, cells } = figure;
  const symbols = symbolsOf(options.ascii);
  const double = gridRowLines(figure) === 2;
  const texts = cells.flatMap((row) => row.flatMap((cell) => fieldTexts(cell, double, options.ascii)));
  const field = Math.max(4, ...[...x.ticks.map(printable), ...texts].map(width)) + 2;
  const yLabel = printable(y.label);
  const ticks = y.ticks.map(printable);
  const side = Math.min(Math.max(width(yLabel), ...ticks.map(width)), columnsToTellApart(ticks, 24)) + 1;
  const shown = shownFields(
    x.ticks.length,
    Math.max(1, Math.floor((options.width - side - 2) / field)),
    options.at?.column,
  );

  const head: Line[] = [
    [
      { text: pad(yLabel, side), style: "faint" },
      { text: `  ${printable(x.label)} ${symbols.right2}`, style: "faint" },
    ],
    [
      { text: pad("", side + 1) },
      ...shown.map((column) => ({
        text: pad(printable(x.ticks[column]!), field - 1, "right") + " ",
        style: "strong" as const,
      })),
    ],
  ];
  const body = y.ticks.flatMap((tick, row) => {
    const lines = double ? 2 : 1;
    return Array.from({ length: lines }, (_, line): Line => {
      const label: Span = {
        text: pad(line === 0 ? fitMiddle(printable(tick), side) : "", side, "right"),
        style: "strong",
      };
      const fields = shown.map((column) => {
        const selected = options.at?.row === row && options.at.column === column;
        return drawField({ figure, cell: cells[row]?.[column], line, double, field, selected, options });
      });
      return [label, { text: " " }, ...fields.flat()];
    });
  });
  const foot = [scaleLine(figure)];
  if (shown.length < x.ticks.length) {
    foot.push([{ text: `${symbols.more} ${counted(x.ticks.length - shown.length, "more column")}`, style: "faint" }]);
  }
  return { head, body, foot };
}

function fieldTexts(cell: Cell | undefined, double: boolean, ascii: boolean): string[] {
  if (cell === undefined) return [""];
  const count = cell.n === undefined ? "" : String(cell.n);
  const value = cellText(cell, ascii);
  if (double) return [value, count === "" ? "" : `n ${count}`];
  return [count === "" ? value : `${value} (${count})`];
}

type Field = {
  readonly figure: GridFigure;
  readonly cell: Cell | undefined;
  readonly line: number;
  readonly double: boolean;
  readonly field: number;
  readonly selected: boolean;
  readonly options: DrawOptions;
};

function drawField({ figure, cell, line, double, field, selected, options }: Field): Span[] {
  const symbols = symbolsOf(options.ascii);
  const mark = selected && line === 0 ? symbols.pointer : " ";
  if (cell === undefined) {
    const text = line === 0 ? pad(symbols.dot, field - 2, "right") : " ".repeat(field - 2);
    return [
      { text: mark, style: "accent" },
      { text: `${text} `, style: "faint", ...(selected && { selected }) },
    ];
  }
  const text = fieldTexts(cell, double, options.ascii)[line]!;
  const heat = heatOf(figure, cell);
  const style = cell.faint === true ? "faint" : cell.reported === true ? "reported" : "plain";
  const span: Span = { text: `${pad(text, field - 2, "right")} `, style, ...(selected && { selected }) };
  return [{ text: mark, style: "accent" }, heat === undefined ? span : { ...span, heat }];
}

function heatOf({ range: [low, high] }: GridFigure, { value }: Cell): number | undefined {
  if (value === undefined || !(high > low)) return undefined;
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** As many columns as fit, moved so that the cursor's is among them. */
function shownFields(all: number, room: number, cursor = 0): number[] {
  const from = Math.max(0, Math.min(cursor - room + 1, all - room));
  return Array.from({ length: Math.min(all, room) }, (_, index) => from + index);
}

function scaleLine({ cells, range: [low, high], plain = false }: GridFigure): Line {
  const steps = 8;
  const percent = !plain && areShownInPercent(cells.flatMap((row) => row.flatMap((cell) => cell ?? [])));
  const name = (value: number) =>
    percent ? String(Math.round(value * 1000) / 10) : String(Math.round(value * 100) / 100);
  const blocks: Span[] = Array.from({ length: steps }, (_, step) => ({ text: "  ", heat: (step + 0.5) / steps }));
  const scale = `scale ${name(low)} to ${name(high)}${percent ? " %" : ""} `;
  return [{ text: scale, style: "faint" }, ...blocks];
}
