/** Ceilings, which are the scores of perfect answers if a scorer gives them less than the maximum; drawn as a line. */
import type { Cell, LinesFigure } from "../figure.ts";
import { shownInPercent } from "./interval-text.ts";

/** The name of the line in every drawing. */
export const ceilingName = "score of a perfect answer";

/** Returns `a perfect answer gets 29.25`, in the unit of the cell's text; undefined without a ceiling. */
export function ceilingText(cell: Pick<Cell, "text" | "value" | "ceiling">): string | undefined {
  const { ceiling } = cell;
  if (ceiling === undefined) return undefined;
  const shown = shownInPercent(cell) ? (ceiling * 100).toFixed(2) : String(Math.round(ceiling * 1000) / 1000);
  return `a perfect answer gets ${shown}`;
}

/** A line of ceilings, with the number of the first series to which it belongs; series on the same tasks share one line. */
export type CeilingPath = {
  readonly number: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
};

/** Returns the ceilings from left to right, omitting points without a value. */
export function ceilingPaths(series: LinesFigure["series"]): readonly CeilingPath[] {
  const paths = new Map<string, CeilingPath>();
  for (const [number, { points: own }] of series.entries()) {
    // Trials of one run have the same ceilings.
    const points = new Map(
      own.flatMap(({ x, cell: { value, ceiling } }) =>
        value === undefined || ceiling === undefined ? [] : [[`${x} ${ceiling}`, { x, y: ceiling }] as const],
      ),
    );
    const key = [...points.keys()].join();
    if (points.size > 0 && !paths.has(key)) paths.set(key, { number, points: [...points.values()] });
  }
  return [...paths.values()];
}
