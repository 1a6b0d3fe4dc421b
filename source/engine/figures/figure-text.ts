/** Prints figures as text for pipes, files and dumb terminals. */
import { drawFigure, figureNotes } from "./drawing/draw-figure.ts";
import { type Line, fitLine, lineText } from "./drawing/line.ts";
import { toAscii } from "./drawing/symbols.ts";
import { fittingColumns } from "./drawing/table.ts";
import type { Figure, TableFigure } from "../figure.ts";
import { printable } from "../text/printable.ts";

export type FigureTextOptions = { readonly width: number; readonly ascii: boolean };

/**
 * Prints a figure with its title and notes, every line at most `width` columns and without trailing blanks. A wider table
 * continues below itself with its text columns repeated, so nothing is omitted.
 */
export function figureText(figure: Figure, options: FigureTextOptions): string {
  const title: Line = [{ text: printable(figure.title), style: "title" }];
  const drawn = pages(figure, options).map((page) => {
    const { head, body, foot } = drawFigure(page, { ...options, intervals: true });
    return [...head, ...body, ...foot];
  });
  const parts = drawn.flatMap((lines, index): Line[] => (index === 0 ? [...lines] : [[], ...lines]));
  const lines = [title, ...parts, ...figureNotes(figure, options.width, options.ascii)];
  const texts = lines.map((line) => lineText(fitLine(line, options.width)).trimEnd());
  return texts.map((text) => (options.ascii ? toAscii(text) : text)).join("\n");
}

function pages(figure: Figure, options: FigureTextOptions): readonly Figure[] {
  if (figure.kind !== "table") return [figure];
  const fitting = fittingColumns(figure, { ...options, intervals: true });
  const texts = figure.columns.findIndex(({ align }) => align === "right");
  const lead = Array.from({ length: Math.max(1, texts) }, (_, index) => index);
  const left = figure.columns
    .map((_, index) => index)
    .filter((index) => !fitting.includes(index) && !lead.includes(index));
  // If not even one number fits beside the text columns, another page would show nothing new.
  if (left.length === 0 || left.length + lead.length >= figure.columns.length) return [figure];
  return [only(figure, fitting), ...pages(only(figure, [...lead, ...left]), options)];
}

function only(figure: TableFigure, columns: readonly number[]): TableFigure {
  const pick = <Item>(items: readonly Item[]) => columns.map((column) => items[column]!);
  return { ...figure, columns: pick(figure.columns), rows: figure.rows.map(pick) };
}
