/** Draws figures as SVG pictures, readable on white paper and without colour. */
import { paper } from "../../look/paper.ts";
import type { Figure } from "../figure.ts";
import { wrap } from "../text/printable.ts";
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
 * Draws values beside their marks, and shows their coverage under the pointer (`<title>`). `notes` are printed below the picture;
 * `notesOf` returns those of a standalone figure.
 */
export const figureSvg = (...given: Parameters<typeof svgParts>): string => [...svgParts(...given)].join("");

/** Yields the picture part by part. */
export function svgParts(figure: Figure, notes: readonly string[], around: Partial<Around> = {}): Parts {
  const { width, height, marks } = draw(figure, { ...alone, ...around });
  const across = Math.max(width, (textWidth(figure.title) * titleSize) / 12, leastWidth);
  const noteColumns = Math.floor(across / ((character * noteSize) / 12));
  const lines = notes.flatMap((note) => wrap(note, noteColumns));
  const whole = across + 24;
  const tall = height + 52 + lines.length * 15;
  const top = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(whole)}" height="${round(tall)}" viewBox="0 0 ${round(whole)} ${round(tall)}" font-family="monospace" font-size="12">`,
    `<rect width="100%" height="100%" fill="${paper.ground}"/>`,
    textMark(12, 22, figure.title, `font-weight="bold" font-size="${titleSize}"`),
    `<g transform="translate(12,36)">`,
  ].join("\n");
  const body = textsOf(marks, (mark, at) => `${at === 0 ? "" : "\n"}${mark}`);
  const foot = [
    "</g>",
    ...lines.map((note, index) =>
      textMark(12, height + 54 + index * 15, note, `fill="${paper.quiet}" font-size="${noteSize}"`),
    ),
    "</svg>",
    "",
  ].join("\n");
  return partsOf(top, body, foot);
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
