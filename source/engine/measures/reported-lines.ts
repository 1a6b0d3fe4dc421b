/** Reported numbers next to those of the user's runs: as table lines for each reported row and setting, and as printed series. */
import type { ListChoice, RunRows } from "../analysis.ts";
import type { Measure, Reported } from "../suite.ts";
import type { Axis, AxisValue, ColumnGroup, PivotLine } from "./pivot/axis.ts";
import { reportedCell } from "./measure-cell.ts";
import type { LinesFigure } from "../figure.ts";
import { canonicalJson } from "../text/json-record.ts";

type Table = {
  readonly axes: readonly Axis[];
  readonly across: readonly Axis[];
  readonly groups: readonly ColumnGroup[];
  readonly measures: readonly Measure[];
};

/** Lists the values of `paper:`: `off`, `all`, rows, tables, and settings with reported numbers, such as `shots=3`. */
export function reportedLists(runs: readonly RunRows[]): Readonly<Record<"paper", ListChoice>> {
  const values = runs.flatMap(({ reported }) => reported.values);
  const settings = values.flatMap(({ setting = {} }) => Object.entries(setting).map(settingText));
  const rows = values.map(({ row }) => row);
  const names = new Set(["off", "all", ...rows, ...values.flatMap((each) => tableOf(each) ?? []), ...settings]);
  return { paper: { values: [...names], standard: ["off"], alone: ["off", "all"] } };
}

/** Returns the numbers of the named rows and tables that match one named value of each named setting. */
export function reportedNamed(runs: readonly RunRows[], names: readonly string[]): readonly Reported[] {
  const all = [...new Set(runs.flatMap(({ reported }) => reported.values))];
  if (names.includes("off")) return [];
  if (names.includes("all")) return all;
  const whole = new Set(all.flatMap((each) => [each.row, tableOf(each) ?? each.row]));
  const settings = Map.groupBy(
    names.filter((name) => !whole.has(name)),
    (text) => text.slice(0, text.indexOf("=")),
  );
  const has = ({ setting = {} }: Reported) =>
    settings.size > 0 &&
    [...settings].every(([name, texts]) => texts.includes(settingText([name, setting[name] ?? ""])));
  return all.filter((each) => names.includes(each.row) || names.includes(tableOf(each) ?? "") || has(each));
}

const settingText = ([name, value]: readonly [string, AxisValue]) => `${name}=${value}`;

/** Returns the table of the source, such as `Table 3`. */
const tableOf = ({ source }: Reported): string | undefined => /Table [\w.]+$/.exec(source)?.[0];

export function reportedLines(values: readonly Reported[], table: Table): readonly PivotLine[] {
  const { axes, across, groups, measures } = table;
  const names = new Set(measures.map(({ name }) => name));
  const shown = values.filter((each) => names.has(each.measure) && groups.some((group) => isIn(each, group, table)));
  const fieldsOf = (of: readonly Axis[]) => of.filter(({ isFacet }) => !isFacet).map(({ name }) => name);
  const spread = new Set(fieldsOf(across));
  // Settings with their own column may be omitted from the label.
  const told = new Set([...spread, ...fieldsOf(axes)]);
  const rest = ({ setting = {} }: Reported) => Object.entries(setting).filter(([name]) => !told.has(name));
  const restKey = (each: Reported) => canonicalJson(Object.fromEntries(rest(each)));
  const rowOf = ({ row }: Reported) => (spread.has("model") ? "" : row);
  // A paper may report one model with several settings, such as promptings or demonstrations.
  const settings = Map.groupBy(shown, rowOf);
  const lines = Map.groupBy(shown, (each) =>
    JSON.stringify([rowOf(each), restKey(each), axes.map((axis) => axis.ofReported(each) ?? null)]),
  );
  return [...lines.values()].map((reported): PivotLine => {
    const [head] = reported;
    const first = head!;
    const several = new Set(settings.get(rowOf(first))!.map(restKey)).size > 1;
    const words = rest(first).map(([name, value]) => `${name} ${value}`);
    const suffix = several ? ` (${words.join(", ") || "plain"})` : "";
    // A method with a column of its own is not repeated in the label.
    const model = told.has("strategy") ? first.setting?.["model"] : undefined;
    const label = String(model ?? `${withoutShown(rowOf(first), first, told) || "reported"}${suffix}`);
    const place = axes.flatMap((axis) => {
      const value = axis.name === "model" ? label : axis.ofReported(first);
      return value === undefined ? [] : [[axis.name, value] as const];
    });
    return {
      label,
      place: Object.fromEntries(place),
      isReported: true,
      note: [...new Set(reported.map(({ source }) => source))].join("; "),
      caveats: reported.map(({ caveat }) => caveat),
      ...(first.group !== undefined && { group: first.group }),
      cell(group, { name, unit }) {
        const found = reported.find((each) => each.measure === name && isIn(each, group, table));
        return reportedCell(found, unit);
      },
    };
  });
}

/** Returns the name of a row without the setting at its end, if the row's group or a column shows it. */
function withoutShown(row: string, { group, setting = {} }: Reported, told: ReadonlySet<string>): string {
  const isShown = ([name, value]: readonly [string, AxisValue]) =>
    (group !== undefined || told.has(name)) && row.endsWith(`, ${value}`);
  const last = Object.entries(setting).find(isShown)?.[1];
  return last === undefined ? row : row.slice(0, -`, ${last}`.length);
}

/**
 * Returns the caveats that all selected lines share (other caveats appear at the cursor), or an explanation if the table has no
 * selected number.
 */
export function reportedNotes(
  values: readonly Reported[],
  lines: readonly PivotLine[],
  titleOf: (facet: string) => string,
): readonly string[] {
  const [shared, ...others] = new Set(lines.flatMap(({ caveats = [] }) => caveats));
  if (lines.length > 0)
    return shared === undefined || others.length > 0 ? [] : [`Numbers printed in the paper: ${shared}`];
  if (values.length === 0) return [];
  const facets = new Set(values.flatMap(({ where }) => Object.keys(where)));
  const by = facets.size === 0 ? "" : `; its numbers are split by ${[...facets].map(titleOf).join(", ").toLowerCase()}`;
  return [`No selected number of the paper matches the tasks and measures of this table${by}`];
}

/** True if the number belongs to the column and has no setting outside the axes. */
function isIn(reported: Reported, { place }: ColumnGroup, { axes, across }: Table): boolean {
  const onLines = new Set(axes.filter(({ isFacet }) => isFacet).map(({ name }) => name));
  const where = Object.entries(reported.where).filter(([name]) => !onLines.has(name));
  const fields = across.filter(({ isFacet }) => !isFacet);
  const facets = Object.keys(place).filter((name) => !fields.some((axis) => axis.name === name));
  return (
    where.length === facets.length &&
    where.every(([name, value]) => isSame(value, place[name])) &&
    fields.every((axis) => isSame(axis.ofReported(reported), place[axis.name]))
  );
}

const isSame = (one: AxisValue | undefined, other: AxisValue | undefined) =>
  one !== undefined && String(one) === String(other);

/**
 * Returns one line along the values of `setting` for each group of tasks and each source. `isAbout` selects numbers about the
 * shown tasks. Numbers of several models at one value form no line, because they would overlap.
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
    JSON.stringify([source, where, { ...all, [setting]: undefined }]),
  );
  return [...lines.values()].flatMap((points) => {
    const [first] = points;
    const { source, where } = first!.value;
    if (points.length === 1 || new Set(points.map(({ x }) => x)).size < points.length) return [];
    return {
      label: [source, ...Object.values(where)].join(", "),
      points: points.toSorted((a, b) => a.x - b.x).map(({ x, value }) => ({ x, cell: reportedCell(value, unit) })),
    };
  });
}
