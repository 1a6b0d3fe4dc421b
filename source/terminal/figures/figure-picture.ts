/** Draws charts as pictures in terminals that can show them, with the same lines, bars and points as an exported PNG file. */
import { useEffect, useState } from "react";
import { signs } from "../../look/signs.ts";
import type { ColourOf } from "../../engine/figures/drawing/drawing.ts";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { figureSvg } from "../../engine/figures/figure-svg.ts";
import { pictureFile, pictureSize } from "../../engine/figures/picture-file.ts";
import { Problem } from "../../engine/problem.ts";
import type { Figure } from "../../engine/figure.ts";
import type { Notices } from "../frame/notices.ts";
import type { Picture } from "../painting/picture.ts";
import type { Terminal } from "../terminal.ts";

/** A PNG file with its size in pixels of 1/96 inch. */
export type ChartPicture = { readonly png: Uint8Array; readonly width: number; readonly height: number };

/** Enough for sharp letters where a cell has 10 pixels. */
const dotsPerInch = 150;
/** Height of a cell of the terminal divided by its width, approximately. */
const cellShape = 2;
const widest = 110;
/** In fewer rows, characters show more. */
const lowest = 8;

/** Tables and maps are not replaced, because the cursor moves over their values. */
export const isPictured = ({ kind }: Figure): boolean => kind === "lines" || kind === "points" || kind === "bars";

/** Terminals that were told that packages are missing. */
const told = new WeakSet<Notices>();

/** Returns the figure as a picture when the picture is ready; undefined without a figure, and if packages are missing. */
export function useChartPicture(
  { pictures, notices }: Pick<Terminal, "pictures" | "notices">,
  figure: Figure | undefined,
  colourOf: ColourOf,
): ChartPicture | undefined {
  const [, setMade] = useState<ChartPicture>();
  const drawing = pictures === undefined || figure === undefined ? undefined : drawingOf(figure, colourOf);
  useEffect(() => {
    if (drawing === undefined || drawing.picture !== undefined || told.has(notices)) return;
    let isWanted = true;
    pictureFile(drawing.svg, "png", dotsPerInch).then(
      (png) => {
        drawing.picture = { png, ...pictureSize(drawing.svg) };
        if (isWanted) setMade(drawing.picture);
      },
      (error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        if (told.has(notices)) return;
        told.add(notices);
        notices.say(`Charts are drawn with characters: ${error.message}`, "bad");
      },
    );
    return () => void (isWanted = false);
  }, [drawing, notices]);
  return drawing?.picture;
}

/**
 * Draws a chart without title and notes, which the screen has. Terminals shrink pictures by leaving out pixels, so lines have two
 * pixels instead of one, which can be lost.
 */
export const chartSvg = (figure: Figure, colourOf: ColourOf): string =>
  figureSvg(figure, [], { colourOf, plain: true }).replace("<svg ", '<svg stroke-width="2" ');

type Drawing = { readonly colourOf: ColourOf; readonly svg: string; picture?: ChartPicture };

/** The last drawing of each figure, whose colours may change. */
const drawings = new WeakMap<Figure, Drawing>();

function drawingOf(figure: Figure, colourOf: ColourOf): Drawing {
  const known = drawings.get(figure);
  if (known?.colourOf === colourOf) return known;
  const drawing = { colourOf, svg: chartSvg(figure, colourOf) };
  drawings.set(figure, drawing);
  return drawing;
}

/**
 * Returns the place of a picture in these columns and rows of cells, one column from the left; undefined if the space is too
 * small.
 */
export function placedChart({ png, width, height }: ChartPicture, columns: number, rows: number): Picture | undefined {
  const most = Math.min(columns - 2, widest);
  const lines = Math.min(rows, Math.round((most * height) / width / cellShape));
  if (lines < lowest) return undefined;
  const fitting = Math.min(most, Math.round((lines * cellShape * width) / height));
  return { png, line: 0, column: 1, lines, columns: fitting };
}

/** Returns lines with blanks at the place of a picture: the blanks count as text, so that they are not erased. */
export const reservedLines = ({ lines, column, columns }: Picture): Line[] =>
  Array.from({ length: lines }, () => [{ text: " ".repeat(column) + signs.reserved.repeat(columns) }]);
