/** Floors: the score of the best trivial answer for the tasks of a cell, and whether the cell's value is above it. */
import type { RunFloors, RunRows } from "../analysis.ts";
import { type Cell, type CellFloor, copyOf, floorName } from "../figure.ts";
import { comparePaired } from "../statistics/paired.ts";
import type { Measure } from "../suite.ts";
import type { Row } from "../types.ts";
import { factOf } from "../work/fact.ts";
import { wholeOf } from "../work/whole-of.ts";
import { taskKey } from "./measure-cell.ts";
import { evaluate, hasParts, meanOf, type TaskMeasure } from "./measure.ts";
import { rowContents } from "./row-contents.ts";

type Floored = readonly Pick<RunRows, "rows" | "floors">[];

/**
 * Returns true if a measure has a floor. Efforts, errors and counts have no floor, because a trivial answer would be best or
 * meaningless.
 */
const hasFloor = ({ unit, better, mode }: Measure): boolean =>
  unit === "percent" && better === "higher" && mode !== "effort";

/** Adds the best trivial answer to the same tasks to a cell of these rows, if their runs have trivial answers. */
export function withFloor(cell: Cell, measure: Measure, rows: readonly Row[], runs: Floored): Cell {
  if (cell.value === undefined || !hasFloor(measure)) return cell;
  const floor = bestFloor(measure, rows, runs);
  return floor === undefined ? cell : copyOf(cell, { floor });
}

/**
 * Returns the best trivial answer to the tasks of these rows; undefined if none has a score. In a tie, returns the answer named
 * first.
 */
export function bestFloor(measure: Measure, rows: readonly Row[], runs: Floored): CellFloor | undefined {
  const known = floorsByRun(runs);
  if (known.size === 0) return undefined;
  const valued = rows.filter((row) => hasParts(measure, row));
  let best: (CellFloor & { readonly pairs: readonly Pair[] }) | undefined;
  for (const { name, readsAnswerKey } of known.values().next().value!.floors) {
    const pairs = valued.flatMap((row): Pair[] => {
      const floor = floorRow(known.get(row.run), name, row);
      return floor === undefined || !hasParts(measure, floor) ? [] : [{ row, floor }];
    });
    // A trivial answer counts only where it has a score for each task of the value.
    if (pairs.length < valued.length) continue;
    const { value } = evaluate(
      measure,
      pairs.map(({ floor }) => floor),
    );
    if (value === undefined || (best !== undefined && value <= best.gets)) continue;
    best = { gets: value, name, ...(readsAnswerKey && { readsAnswerKey }), pairs };
  }
  if (best === undefined) return undefined;
  const { pairs, ...floor } = best;
  const difference = measure.each === undefined ? undefined : differenceOf(pairs, measure as TaskMeasure);
  return { ...floor, ...(difference && { difference }) };
}

/** A line of a table with the scores of trivial answers: each value is the floor for the values in the lines `of`. */
export type FloorLine<Of> = { readonly label: string; readonly of: Of; readonly cells: readonly Cell[] };

/** Returns one row with the floors of these rows of a table; several rows if floors differ, no row without floors. */
export function floorLines<Of>(
  lines: readonly { readonly of: Of; readonly cells: readonly Cell[] }[],
  placeOf: (of: Of) => string = () => "",
): readonly FloorLine<Of>[] {
  const floored = lines.filter(({ cells }) => cells.some(({ floor }) => floor !== undefined));
  const distinct = new Map<string, (typeof floored)[number]>();
  for (const line of floored) {
    const key = JSON.stringify([placeOf(line.of), line.cells.map(floorKey)]);
    if (!distinct.has(key)) distinct.set(key, line);
  }
  return [...distinct.values()].map(({ of, cells }) => {
    const names = new Set(cells.flatMap(({ floor }) => (floor === undefined ? [] : floorName(floor))));
    return { label: names.size === 1 ? `floor (${[...names].join()})` : "floor", of, cells: cells.map(floorCell) };
  });
}

/** Returns the rows of floors for a table whose first column names its rows. */
export function floorRows(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const lines = floorLines(rows.map((row) => ({ of: row, cells: row.slice(1) })));
  return lines.map(({ label, cells }) => [{ text: label }, ...cells]);
}

const floorKey = ({ floor }: Cell) => floor && [floor.name, floor.gets];

/** Returns the score of the best trivial answer as a cell for a separate line. */
function floorCell({ floor, text, value, n }: Cell): Cell {
  if (floor === undefined) return { text: value === undefined ? "" : "-" };
  const decimals = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  return {
    text: (floor.gets * 100).toFixed(decimals),
    value: floor.gets,
    ...(n !== undefined && { n }),
    note: floorName(floor),
  };
}

/** Names the trivial answers that a measure omits, because only a judge could score them. */
export function floorNotes(
  measure: Measure,
  cells: readonly Pick<Cell, "floor">[],
  runs: readonly Pick<RunRows, "floors">[],
): readonly string[] {
  const known = runs.flatMap(({ floors }) => floors ?? []);
  const isNone = hasFloor(measure) && cells.length > 0 && cells.every(({ floor }) => floor === undefined);
  const all = known.flatMap(({ floors, unscored }) => [...floors.map(({ name }) => name), ...unscored]);
  const left = new Set(isNone ? all : known.flatMap(({ unscored }) => unscored));
  return left.size === 0 ? [] : [`No floor for ${[...left].join(", ")}, because only a judge can score the answers`];
}

type Pair = { readonly row: Row; readonly floor: Row };

/** Tests the values against the trivial answer's values, averaging trials because tasks are compared. */
function differenceOf(pairs: readonly Pair[], measure: TaskMeasure): CellFloor["difference"] {
  const before: number[] = [];
  const after: number[] = [];
  for (const trials of Map.groupBy(pairs, ({ row }) => taskKey(row)).values()) {
    const { value } = meanOf(
      trials.map(({ row }) => row),
      (row) => measure.each(row),
    );
    const [first] = trials;
    const of = measure.each(first!.floor);
    if (value === undefined || of === undefined) continue;
    before.push(of);
    after.push(value);
  }
  if (before.length === 0) return undefined;
  const { difference: value, interval, p } = comparePaired(before, after, measure.name);
  return { by: value, ...(interval && { from: interval.low, to: interval.high }), isAbove: value > 0 && p < 0.05 };
}

/** Returns the floors by the ids of the runs in the rows, because trials of several runs may be pooled. */
function floorsByRun(runs: Floored): ReadonlyMap<string, RunFloors> {
  const found = new Map<string, RunFloors>();
  for (const { rows, floors } of runs)
    if (floors !== undefined) for (const run of rowContents(rows).runs) found.set(run, floors);
  return found;
}

/** Returns rows with the scores of trivial answers, made once because each measure and cell reads them again. */
const rowsOfFloors = factOf(
  ({ floors }: RunFloors) => new Map(floors.map(({ name }) => [name, new WeakMap<Row, Row>()])),
);

function floorRow(floors: RunFloors | undefined, name: string, row: Row): Row | undefined {
  const floor = floors?.floors.find((each) => each.name === name);
  const score = floor?.scores.get(row.task);
  if (score === undefined) return undefined;
  const rows = rowsOfFloors(floors!).get(name)!;
  const made = rows.get(row) ?? floorRowOf(row, score);
  rows.set(row, made);
  return made;
}

function floorRowOf(row: Row, score: NonNullable<Row["score"]>): Row {
  return { ...wholeOf(row), state: "scored", score, failure: undefined, notes: [] };
}
