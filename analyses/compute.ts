/**
 * Shows the benefit of compute: plots the score against tokens, cost and seconds per task with the frontier, and maps samples against
 * steps or revisions.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import {
  boundsColumn,
  type Cell,
  frontierGroup,
  type GridFigure,
  type PointsFigure,
  tableColumns,
  type TableFigure,
} from "../source/engine/figure.ts";
import { effortCounts, effortOf, type JudgedEffort, usageOf } from "../source/engine/measures/effort.ts";
import { meanOf } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { fieldTitle } from "../source/engine/measures/run-field.ts";
import type { Measure } from "../source/engine/suite.ts";
import { canonicalJson } from "../source/engine/text/json-record.ts";
import type { Json, Row } from "../source/engine/types.ts";

/** Effort that a task costs. */
type Price = { readonly title: string; readonly digits: number; readonly of: JudgedEffort };

const prices: readonly Price[] = [
  { title: "tokens", digits: 0, of: (row, judge) => tokensOf(usageOf(row, judge).tokens) },
  { title: "cost", digits: 5, of: (row, judge) => usageOf(row, judge).cost },
  { title: "seconds", digits: 2, of: (row, judge) => usageOf(row, judge).seconds },
];

const tokensOf = ({ input, output }: { readonly input: number; readonly output: number }): number => input + output;

/** The field that limits the number of steps per task. */
const stepsField = "budget.task.steps";

export const compute: Analysis = {
  name: "compute",
  title: "Compute",
  question: "How much do parallel samples and sequential steps improve the score?",
  choices: (runs) => ({
    measures: cells.measuresOf(runs).map(({ name }) => name),
    sequential: sequentialFields(runs),
    judge: ["without", "with"],
  }),
  titles: { [stepsField]: "steps" },
  missing: (runs) =>
    runs.filter(({ rows }) => cells.endedRows(rows).length > 0).length > 1
      ? undefined
      : "Runs with different costs are needed: write `samples: [1, 2, 4, 8]` in the run cell",
  compute(runs, { measures: named = "", sequential = "", judge = "without" }) {
    const measure = cells.measureNamed(runs, named);
    const bought = runs
      .filter(({ rows }) => cells.endedRows(rows).length > 0)
      .map((run) => boughtBy(run, measure, judge === "with"));
    const own = prices.filter((price) => bought.some((each) => (each.paid.get(price) ?? 0) > 0));
    return [
      table(bought, measure, own, notesOf(runs, judge === "with")),
      ...own.map((price) => points(bought, measure, price)),
      ...(sequential === "" ? [] : maps(runs, measure, sequential)),
    ];
  },
};

/** A run with its score and its average cost per task: what its answers cost to buy. */
type Bought = {
  readonly run: RunRows;
  readonly rows: readonly Row[];
  readonly score: Cell;
  readonly paid: ReadonlyMap<Price, number>;
};

function boughtBy(run: RunRows, measure: Measure, judge: boolean): Bought {
  const rows = cells.endedRows(run.rows);
  const paid = prices.flatMap((price) => {
    const { value } = meanOf(rows, effortOf(price.of, judge));
    return value === undefined ? [] : [[price, value] as const];
  });
  return { run, rows, score: cells.measureCell(measure, rows), paid: new Map(paid) };
}

/** Excludes answers that were picked by their scores, because nobody can know these scores before buying answers. */
const isForSale = ({ run }: Bought): boolean => run.spec.pick !== "oracle";

/** Returns the runs that no other run beats: none is as good for less, or better for as much. */
function frontierOf(bought: readonly Bought[], { better }: Measure, price: Price): ReadonlySet<Bought> {
  const placed = bought.filter(isForSale).flatMap((each) => {
    const [x, { value }] = [each.paid.get(price), each.score];
    return x === undefined || value === undefined ? [] : [{ each, x, y: better === "lower" ? -value : value }];
  });
  const isBeaten = ({ x, y }: { readonly x: number; readonly y: number }) =>
    placed.some((other) => other.x <= x && other.y >= y && (other.x < x || other.y > y));
  return new Set(placed.filter((place) => !isBeaten(place)).map(({ each }) => each));
}

function table(
  bought: readonly Bought[],
  measure: Measure,
  own: readonly Price[],
  notes: readonly string[],
): TableFigure {
  const frontiers = own.map((price) => [price, frontierOf(bought, measure, price)] as const);
  return {
    kind: "table",
    title: `${measure.title} and compute`,
    columns: tableColumns(
      ["Run"],
      [
        "samples",
        measure.title,
        boundsColumn(measure.title),
        ...own.map(({ title }) => `${title} a task`),
        { title: "frontier", align: "left" },
        "n",
      ],
    ),
    rows: bought.map((each): readonly Cell[] => {
      const { run, rows, score, paid } = each;
      const on = frontiers.flatMap(([{ title }, frontier]) => (frontier.has(each) ? [title] : []));
      const samples = run.spec.samples ?? 1;
      return [
        cells.withTasks({ text: run.label }, rows),
        cells.textCell(String(samples), { value: samples }),
        score,
        cells.intervalCell(cells.measureInterval(measure, rows), measure.unit),
        ...own.map((price) => {
          const value = paid.get(price);
          return cells.textCell(value?.toFixed(price.digits) ?? "-", value === undefined ? {} : { value });
        }),
        cells.textCell(isForSale(each) ? on.join(", ") : "reads the answer key"),
        cells.countCell(rows),
      ];
    }),
    notes,
  };
}

function notesOf(runs: readonly RunRows[], judge: boolean): readonly string[] {
  const isPicked = (by: string) => runs.some(({ spec }) => spec.samples !== undefined && spec.pick === by);
  return [
    "Frontier: judged by the means in this table, no other run is as good at a lower cost, or better at the same cost",
    "The cost of a picked answer includes all of its samples",
    ...(isPicked("judge") && !judge
      ? [
          "The cost of the judge that picks is not counted; `judge: with` adds its cost and the cost of the judges that score",
        ]
      : []),
    ...(isPicked("oracle")
      ? ["The oracle's picks are an upper bound and never on the frontier, because the oracle reads the answer key"]
      : []),
    ...cells.shortfall(runs, effortCounts),
  ];
}

function points(bought: readonly Bought[], measure: Measure, price: Price): PointsFigure {
  const frontier = frontierOf(bought, measure, price);
  const scale = measure.unit === "percent" ? 100 : 1;
  return {
    kind: "points",
    title: `${measure.title} against ${price.title}`,
    x: `${price.title} per task`,
    y: measure.unit === "percent" ? `${measure.title}, %` : measure.title,
    points: bought.flatMap((each) => {
      const [x, { value }] = [each.paid.get(price), each.score];
      if (x === undefined || value === undefined) return [];
      const group = !isForSale(each)
        ? "reads the answer key"
        : frontier.has(each)
          ? frontierGroup
          : "not on the frontier";
      return [{ x, y: value * scale, group, label: each.run.label, tasks: cells.refs(each.rows) }];
    }),
    notes: [],
  };
}

/**
 * Returns a run's position on the axis of sequential compute; undefined for a run without a position, such as a run without a
 * limit.
 */
function sequentialOf({ spec }: RunRows, field: string): number | undefined {
  if (field === stepsField) return spec.budget.task?.steps;
  const value = spec.options[field];
  return typeof value === "number" ? value : undefined;
}

/** Returns the fields that make tasks longer and differ among the runs: the limit of steps, and options that are numbers. */
function sequentialFields(runs: readonly RunRows[]): readonly string[] {
  const numbers = runs.flatMap(({ spec }) =>
    Object.entries(spec.options).flatMap(([name, value]) => (typeof value === "number" ? [name] : [])),
  );
  const differs = (field: string) => new Set(runs.map((run) => sequentialOf(run, field))).size > 1;
  return [...new Set([stepsField, ...numbers])].filter(differs);
}

/** Draws the score by samples and steps, one map for each `pick` value of otherwise equal runs. */
function maps(runs: readonly RunRows[], measure: Measure, field: string): readonly GridFigure[] {
  const title = field === stepsField ? "steps at most" : fieldTitle(runs, field).toLowerCase();
  const groups = [...Map.groupBy(runs, (run) => settingsApart(run, field)).values()];
  return groups.flatMap((alike) => {
    const { model, strategy } = alike[0]!.spec;
    const picks = new Set(alike.flatMap(({ spec }) => (spec.samples === undefined ? [] : [spec.pick ?? "majority"])));
    return [...picks].flatMap((pick) => {
      const own = alike.filter(({ spec }) => spec.samples === undefined || (spec.pick ?? "majority") === pick);
      const map = mapOf(own, measure, field, title);
      const whose = groups.length === 1 ? "" : `: ${model} · ${strategy}`;
      return map === undefined
        ? []
        : [{ ...map, title: `${measure.title} by samples and ${title}, picked by ${pick}${whose}` }];
    });
  });
}

/** Returns a key that is equal for runs that differ only in samples, trials and this field. */
function settingsApart({ spec, label }: RunRows, field: string): string {
  const { samples: _samples, pick: _pick, trial: _trial, budget, options, ...rest } = spec;
  const { steps: _steps, ...task } = budget.task ?? {};
  return canonicalJson([
    rest as unknown as Json,
    (field === stepsField ? [budget.run ?? {}, task] : budget) as Json,
    Object.fromEntries(Object.entries(options).filter(([name]) => name !== field)),
    spec.model === "none" ? label : "",
  ]);
}

function mapOf(runs: readonly RunRows[], measure: Measure, field: string, title: string) {
  const ascending = (values: readonly number[]) => [...new Set(values)].toSorted((one, other) => one - other);
  const [across, along] = [
    ascending(runs.map(({ spec }) => spec.samples ?? 1)),
    // Runs without a limit come last.
    ascending(runs.map((run) => sequentialOf(run, field) ?? Infinity)),
  ];
  if (across.length < 2 || along.length < 2) return undefined;
  const cellAt = (samples: number, steps: number) => {
    const own = runs.filter(
      (run) => (run.spec.samples ?? 1) === samples && (sequentialOf(run, field) ?? Infinity) === steps,
    );
    const rows = cells.endedRowsOf(own);
    return rows.length === 0 ? undefined : cells.measureCell(measure, rows);
  };
  const grid = along.map((steps) => across.map((samples) => cellAt(samples, steps)));
  const values = grid.flat().flatMap((cell) => cell?.value ?? []);
  const most = measure.unit === "percent" ? 1 : Math.max(...values);
  return {
    kind: "grid" as const,
    x: { label: "samples", ticks: across.map(String) },
    y: { label: title, ticks: along.map((steps) => (steps === Infinity ? "no limit" : String(steps))) },
    cells: grid,
    range: [0, most] as const,
    ...(measure.unit !== "percent" && { plain: true }),
    notes: ["Samples are parallel compute; the other axis is sequential compute"],
  };
}
