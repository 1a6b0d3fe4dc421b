/** What perfect answers get, where a scorer does not give them everything: a line beside what was reached. */
import type { Cell, LinesFigure } from "../figure.ts";
import { shownInPercent } from "./interval-text.ts";

/** What the line is, wherever it is drawn. */
export const ceilingName = "what a perfect answer gets";

/** `a perfect answer gets 29.25`, in the unit of the cell's text; undefined where that is the best there is. */
export function ceilingText(cell: Pick<Cell, "text" | "value" | "ceiling">): string | undefined {
  const { ceiling } = cell;
  if (ceiling === undefined) return undefined;
  const shown = shownInPercent(cell) ? (ceiling * 100).toFixed(2) : String(Math.round(ceiling * 1000) / 1000);
  return `a perfect answer gets ${shown}`;
}

/** One line of ceilings, and the number of the first series that has it; series of the same tasks share it. */
export type CeilingPath = {
  readonly number: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
};

/** From left to right; what has no value has no ceiling drawn either. */
export function ceilingPaths(series: LinesFigure["series"]): readonly CeilingPath[] {
  const paths = new Map<string, CeilingPath>();
  for (const [number, { points: own }] of series.entries()) {
    // Runs that differ in nothing but their trial lie over each other.
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
