/** Draws figures as SVG pictures, readable on white paper and without colour. */
import { paper } from "../../look/paper.ts";
import type { Figure } from "../figure.ts";
import { Problem } from "../problem.ts";
import { wrap } from "../text/printable.ts";
import { visibleText } from "./markup.ts";
import { isEmpty } from "./figure-table.ts";
import { partsOf, type Parts, textsOf } from "./figure-parts.ts";
import { barsPicture } from "./svg/bars-picture.ts";
import { mapPicture } from "./svg/map-picture.ts";
import { type Around, character, type Drawn, line, round, textMark, textWidth } from "./svg/marks.ts";
import { linesPicture, pointsPicture } from "./svg/plot-picture.ts";
import { tablePicture } from "./svg/table-picture.ts";

/** Minimum width for the notes below a figure. */
const leastWidth = 480;
const titleSize = 14;
const noteSize = 10;
const alone: Around = { behind: () => "", colourOf: () => undefined };

/**
 * Draws values beside their marks, and shows their coverage as a tooltip (`<title>`). `notes` are printed below the picture;
 * `notesOf` returns the notes of a standalone figure.
 */
export const figureSvg = (...given: Parameters<typeof svgParts>): string => [...svgParts(...given)].join("");

/** The size of a picture, in points of 1/72 inch, and whether it has no title and notes. */
export type PictureShape = { readonly width?: number | undefined; readonly plain?: boolean | undefined };

/** The smallest letters of a picture with a width are of so many points. */
const leastLetter = 6;
const margin = 12;

/**
 * Yields the picture part by part. If the width is too small, lays out the drawing again, so that no letter is smaller than 6
 * points. Throws `WideFigure` with the necessary width if the drawing still does not fit.
 */
export function svgParts(figure: Figure, notes: readonly string[], around: Partial<Around> & PictureShape = {}): Parts {
  const { width: points, plain = false } = around;
  const room = points === undefined ? undefined : (points / leastLetter) * noteSize - 2 * margin;
  const ordinary = draw(figure, { ...alone, ...around });
  const isNarrow = room !== undefined && ordinary.width > room;
  const { width, height, marks } = isNarrow ? draw(figure, { ...alone, ...around, across: room }) : ordinary;
  const named = (textWidth(figure.title) * titleSize) / 12;
  const wanted = Math.max(width, plain ? 0 : named, plain && room === undefined ? 0 : leastWidth);
  const across = Math.min(room ?? wanted, wanted);
  if (width > across + 0.5) throw tooNarrow(figure, width);
  const titles = plain ? [] : room === undefined ? [figure.title] : wrap(figure.title, columnsOf(across, titleSize));
  const lines = plain ? [] : notes.flatMap((note) => wrap(note, columnsOf(across, noteSize)));
  const whole = across + 2 * margin;
  const above = plain ? margin : 18 + titles.length * 18;
  const tall = height + above + (plain ? margin : 16) + lines.length * 15;
  const size =
    points === undefined
      ? `width="${round(whole)}" height="${round(tall)}"`
      : `width="${round(points)}pt" height="${round((tall * points) / whole)}pt"`;
  const top = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${round(whole)} ${round(tall)}" font-family="monospace" font-size="12">`,
    `<rect width="100%" height="100%" fill="${paper.ground}"/>`,
    ...titles.map((title, at) => textMark(12, 22 + at * 18, title, `font-weight="bold" font-size="${titleSize}"`)),
    `<g transform="translate(12,${above})">`,
  ].join("\n");
  const body = textsOf(marks, (mark, at) => `${at === 0 ? "" : "\n"}${mark}`);
  const foot = [
    "</g>",
    ...lines.map((note, index) =>
      textMark(12, height + above + 18 + index * 15, note, `fill="${paper.quiet}" font-size="${noteSize}"`),
    ),
    "</svg>",
    "",
  ].join("\n");
  return partsOf(top, body, foot);
}

const columnsOf = (across: number, size: number) => Math.floor(across / ((character * size) / 12));

/** A figure that is too wide even with the smallest letters. */
export class WideFigure extends Problem {}

function tooNarrow({ title }: Figure, pixels: number): WideFigure {
  const millimetres = Math.ceil(((pixels + 2 * margin) * leastLetter * 25.4) / noteSize / 72);
  const named = `"${visibleText(title)}"`;
  const needed = `Expected \`--width\` to be at least ${millimetres / 10}cm for ${named}`;
  return new WideFigure("tool", `${needed}, so that its text has at least ${leastLetter} points`);
}

function draw(figure: Figure, around: Around): Drawn {
  if (isEmpty(figure)) return { width: 60, height: line, marks: [textMark(0, 14, "none", `fill="${paper.quiet}"`)] };
  switch (figure.kind) {
    case "table":
      return tablePicture(figure, around);
    case "grid":
      return mapPicture(figure, around);
    case "bars":
      return barsPicture(figure, around);
    case "lines":
      return linesPicture(figure, around);
    case "points":
      return pointsPicture(figure, around);
  }
}
