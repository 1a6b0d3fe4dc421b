/** A measure by group of tasks and run as bars: what a table of many numbers is rather looked at as. */
import type { BarsFigure, Cell } from "../figure.ts";
import type { Measure } from "../suite.ts";

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
