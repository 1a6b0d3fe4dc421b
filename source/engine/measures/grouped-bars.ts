/** A measure by group of tasks and run as bars: what a table of many numbers is rather looked at as. */
import type { BarsFigure, Cell } from "../figure.ts";
import type { Measure } from "../suite.ts";
import type { Axis, ColumnGroup, PivotLine } from "./axis.ts";

/** The value of a run, of a setting of runs or of a paper's row in one group of tasks. */
export type GroupedBar = { readonly group: string; readonly label: string; readonly cell: Cell };

/** More bars are no picture. */
const most = 48;

type About = {
  /** What is measured, such as `Success`. */
  readonly title: string;
  /** What the groups are, such as `level`; empty where there are none. */
  readonly by: string;
  readonly unit: Measure["unit"];
  readonly notes: readonly string[];
  /** What is said of a paper's rows, where any stand among the bars. */
  readonly ofReported?: readonly string[];
};

/**
 * The bars of each group below each other, groups in the order in which they first come; of one run alone, which is then in the title.
 * A paper's rows stay out where they are too many; no figure for one number, for too many, and for values below 0.
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
        ...(left === 0 ? [] : [`${left} reported values stand in the table alone: too many for a picture`]),
      ],
    },
  ];
}

/** Where a line stands on an axis: `all` over all values of a facet, `-` for a setting that makes no difference to its runs. */
export function placeText({ place }: PivotLine, axis: string, isFacet: boolean): string {
  return String(place[axis] ?? (isFacet ? "all" : "-"));
}

type Layout = {
  readonly axes: readonly Axis[];
  readonly across: readonly Axis[];
  readonly isNamed: boolean;
  /** How many cells of a line each group of columns has. */
  readonly step: number;
};

/** The first measure of each group of columns; groups in the order of the lines' facets, what is over all values of one last. */
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
            group: [...group, ...titles.filter((_, place) => !isSetting(place))].join(", "),
            label: [...names, ...titles.filter((_, place) => isSetting(place))].join(", "),
            cell: own[at * step]!,
          },
        ];
      });
    });
}
