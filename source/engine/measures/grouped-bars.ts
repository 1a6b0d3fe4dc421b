/** Draws a measure by task group and run as bars. */
import type { BarsFigure, Cell } from "../figure.ts";
import { joinedLabel } from "../settings/label.ts";
import type { Measure } from "../suite.ts";
import type { Axis, ColumnGroup, PivotLine } from "./pivot/axis.ts";

/** The value of a run, a group of runs or a reported row in one group of tasks. */
export type GroupedBar = { readonly group: string; readonly label: string; readonly cell: Cell };

/** Figures with more bars are not drawn. */
const most = 48;

type About = {
  /** The measure, such as `Success`. */
  readonly title: string;
  /** The name of the groups, such as `level`; empty if there is only one group. */
  readonly by: string;
  readonly unit: Measure["unit"];
  readonly notes: readonly string[];
  /** Notes on reported rows, added if any of these rows are among the bars. */
  readonly ofReported?: readonly string[];
};

/**
 * Draws the bars group by group, in order of first appearance; the label of a single run moves to the title. Omits reported rows
 * if there are too many. Draws nothing for a single number, for too many bars and for negative values.
 */
export function groupedBars(
  { title, by, unit, notes, ofReported = [] }: About,
  all: readonly GroupedBar[],
): readonly BarsFigure[] {
  const valued = all.filter(({ cell }) => cell.value !== undefined);
  const own = valued.filter(({ cell }) => cell.reported !== true);
  const shown = valued.length <= most ? valued : own;
  if (own.length < 2 || shown.length > most || shown.some(({ cell }) => cell.value! < 0)) return [];
  const labels = new Set(shown.map(({ label }) => label));
  const [only] = labels.size === 1 ? labels : [];
  const told = [...(only === undefined ? ["run"] : []), by].filter((part) => part !== "").join(" and ");
  const left = valued.length - shown.length;
  return [
    {
      kind: "bars",
      drawsTable: true,
      title: `${title}${told === "" ? "" : ` by ${told}`}${only === undefined ? "" : `: ${only}`}`,
      unit: unit === "percent" ? "%" : unit,
      bars: [...Map.groupBy(shown, ({ group }) => group).values()].flat().map(({ group, label, cell }) => ({
        ...(only === undefined && group !== "" ? { group, label } : { label: group === "" ? label : group }),
        cell,
        ...(cell.low !== undefined && { low: cell.low }),
        ...(cell.high !== undefined && { high: cell.high }),
      })),
      ...(unit === "percent" && { max: 1 }),
      notes: [
        ...notes,
        ...(shown.some(({ cell }) => cell.reported === true) ? ofReported : []),
        ...(left === 0
          ? []
          : [`${left} reported values are only in the table, because they are too many for a picture`]),
      ],
    },
  ];
}

/**
 * Returns the position of a row on an axis as text: `all` for all values of a facet, `-` for a setting that does not affect its
 * runs.
 */
export const placeText = ({ place }: PivotLine, axis: string, isFacet: boolean): string =>
  String(place[axis] ?? (isFacet ? "all" : "-"));

type Layout = {
  readonly axes: readonly Axis[];
  readonly across: readonly Axis[];
  readonly isNamed: boolean;
  /** Number of cells per group of columns. */
  readonly step: number;
};

/** Draws the first measure of each group of columns. Groups follow the facets of the lines, with the totals last. */
export function pivotBars(
  lines: readonly PivotLine[],
  made: readonly (readonly Cell[])[],
  columns: readonly ColumnGroup[],
  { axes, across, isNamed, step }: Layout,
): readonly GroupedBar[] {
  const [facets, fields] = [axes.filter(({ isFacet }) => isFacet), axes.filter(({ isFacet }) => !isFacet)];
  const order = ({ line: { place: a } }: { line: PivotLine }, { line: { place: b } }: { line: PivotLine }) =>
    facets.reduce((found, { name, compare }) => {
      const [one, other] = [a[name], b[name]];
      if (found !== 0 || one === other) return found;
      return one === undefined ? 1 : other === undefined ? -1 : compare(one, other);
    }, 0);
  return lines
    .map((line, index) => ({ line, own: made[index]! }))
    .toSorted(order)
    .flatMap(({ line, own }) => {
      const settings = fields.map(({ name }) => placeText(line, name, false));
      const names = isNamed || settings.length === 0 ? [line.label, ...settings] : settings;
      const group = facets.map(({ name }) => placeText(line, name, true));
      return columns.flatMap(({ titles, meanOf }, at): readonly GroupedBar[] => {
        if (meanOf !== undefined) return [];
        const isSetting = (place: number) => across[place]?.isFacet === false;
        return [
          {
            group: joinedLabel([...group, ...titles.filter((_, place) => !isSetting(place))]),
            label: joinedLabel([...names, ...titles.filter((_, place) => isSetting(place))]),
            cell: own[at * step]!,
          },
        ];
      });
    });
}
