/** Figures as text for pipes, files and terminals that are none. */
import { drawFigure, noteLines } from "./drawing/draw-figure.ts";
import { type Line, fitLine, lineText } from "./drawing/line.ts";
import { toAscii } from "./drawing/symbols.ts";
import type { Figure } from "./figure.ts";
import { printable } from "./printable.ts";

export type FigureTextOptions = { readonly width: number; readonly ascii: boolean };

/** A figure with its title and notes, every line at most `width` columns and without blanks at its end. */
export function figureText(figure: Figure, options: FigureTextOptions): string {
  const { head, body, foot } = drawFigure(figure, options);
  const title: Line = [{ text: printable(figure.title), style: "title" }];
  const lines = [title, ...head, ...body, ...foot, ...noteLines(figure, options.width, options.ascii)];
  const texts = lines.map((line) => lineText(fitLine(line, options.width)).trimEnd());
  return texts.map((text) => (options.ascii ? toAscii(text) : text)).join("\n");
}
