/** What a paper prints for several values of a setting, as lines beside one's own. */
import type { RunRows } from "../analysis.ts";
import type { LinesFigure } from "../figure.ts";
import type { Measure, Reported } from "../suite.ts";
import { reportedCell } from "./measure-cell.ts";

/**
 * A line for each group of tasks and source, along the values of `setting`. `isAbout` says whether a number is about the tasks
 * shown. Numbers of several models at one value lie over each other and are no line.
 */
export function printedSeries(
  runs: readonly RunRows[],
  { name, unit }: Measure,
  setting: string,
  isAbout: (where: Reported["where"]) => boolean,
): LinesFigure["series"] {
  const printed = [...new Set(runs.flatMap(({ reported }) => reported.values))].flatMap((value) => {
    const x = value.setting?.[setting];
    return value.measure === name && isAbout(value.where) && typeof x === "number" ? [{ x, value }] : [];
  });
  const lines = Map.groupBy(printed, ({ value: { source, where, setting: all } }) =>
    JSON.stringify([source, where, { ...all, [setting]: 0 }]),
  );
  return [...lines.values()].flatMap((points) => {
    const { source, where } = points[0]!.value;
    if (points.length === 1 || new Set(points.map(({ x }) => x)).size < points.length) return [];
    return {
      label: [source, ...Object.values(where)].join(", "),
      points: points.toSorted((a, b) => a.x - b.x).map(({ x, value }) => ({ x, cell: reportedCell(value, unit) })),
    };
  });
}
