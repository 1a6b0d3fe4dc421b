/** The numbers of a pivoted table as bars: which group of tasks each is of, and whose. */
import type { Cell } from "../figure.ts";
import type { Axis } from "./axis.ts";
import type { GroupedBar } from "./grouped-bars.ts";
import type { ColumnGroup, PivotLine } from "./pivot-line.ts";

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
