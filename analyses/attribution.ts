/**
 * Attribution of failures to an agent and a step: methods evaluated on annotated logs, alongside the best constant prediction
 * and a random guess.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import {
  type BarsFigure,
  type Cell,
  copyOf,
  type Figure,
  type TableFigure,
  tableColumns,
} from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { kappaOf } from "../source/engine/statistics/agreement.ts";
import { attributionFloor, type AttributionFloor } from "../source/engine/statistics/attribution-floor.ts";
import { wilson } from "../source/engine/statistics/interval.ts";
import { comparePaired } from "../source/engine/statistics/paired.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";
import { againstRescue } from "./attribution-against-rescue.ts";
import { publishedAttributions } from "./published-attributions.ts";

export const attribution: Analysis = {
  name: "attribution",
  title: "Attribution",
  question: "Which agent failed at which step, and do methods find both more often than a constant answer?",
  choices: () => ({}),
  missing: (runs) =>
    runs.some(({ rows }) => rows.some((row) => labelOf(row, "steps") !== undefined))
      ? undefined
      : "No attribution method has run: a run cell `scan: {of: NAME, method: all-at-once}` applies one to saved trajectories",
  compute(runs) {
    const asked = runs.filter(({ rows }) => rows.some((row) => labelOf(row, "steps") !== undefined));
    const sets = new Set(asked.flatMap(({ rows }) => rows.map(setOf)));
    return [...sets].flatMap((set): readonly Figure[] => {
      const methods = asked.flatMap((run) => methodOf(run, set));
      const annotated = methods.filter(({ rows }) => rows.some(isAnnotated));
      const alone = methods.filter((method) => !annotated.includes(method));
      return [
        ...(annotated.length === 0 ? [] : figuresOf(set, annotated)),
        ...(alone.length === 0 ? [] : [unchecked(set, alone)]),
        ...againstRescue(set, methods, runs),
      ];
    });
  },
};

const labelOf = ({ score }: Row, name: string): string | undefined => score?.labels?.[name];
const setOf = ({ facets }: Row): string => String(facets["set"] ?? "");
const isAnnotated = (row: Row): boolean => labelOf(row, "mistake_step") !== undefined;

/** A run's rows of one set. */
type Method = { readonly run: RunRows; readonly rows: readonly Row[] };

function methodOf(run: RunRows, set: string): readonly Method[] {
  const rows = cells.endedRows(run.rows).filter((row) => setOf(row) === set);
  // The set is in the title.
  const named = `${set.toLowerCase()}: `;
  const label = run.label.startsWith(named) ? run.label.slice(named.length) : run.label;
  return rows.length === 0 ? [] : [{ run: { ...run, label }, rows }];
}

type Side = "agent" | "step";
type Rule = "exact" | "official";

/** A task without a prediction, or that failed, is wrong. */
const isRight = (row: Row, side: Side, rule: Rule): boolean => row.score?.metrics[`${side}.${rule}`] === 1;

function figuresOf(set: string, methods: readonly Method[]): readonly Figure[] {
  const logs = new Map(methods.flatMap(({ rows }) => rows.filter(isAnnotated).map((row) => [row.task, row] as const)));
  const rows = [...logs.values()];
  const floors = {
    agent: attributionFloor(
      rows.map((row) => labelOf(row, "mistake_agent")!),
      rows.map((row) => Number(labelOf(row, "speakers"))),
    ),
    step: attributionFloor(
      rows.map((row) => labelOf(row, "mistake_step")!),
      rows.map((row) => Number(labelOf(row, "steps"))),
    ),
  };
  const title = set === "" ? "" : `: ${set}`;
  return [
    accuracyTable(title, set, methods, floors),
    withinTable(title, methods),
    ...(methods.length > 1 ? [pairsTable(title, methods)] : []),
    distances(title, methods),
  ];
}

type Floors = Readonly<Record<Side, AttributionFloor>>;

function accuracyTable(title: string, set: string, methods: readonly Method[], floors: Floors): TableFigure {
  const differs = (side: Side) =>
    methods.some(({ rows }) => rows.some((row) => isRight(row, side, "exact") !== isRight(row, side, "official")));
  const official = (["agent", "step"] as const).filter(differs);
  const columns = (side: Side, name: string) => [
    `${name} %`,
    ...(official.includes(side) ? [`${name} official %`] : []),
  ];
  return {
    kind: "table",
    title: `Who failed at which step${title}`,
    columns: tableColumns(
      ["Method", "Answer"],
      [
        "n",
        ...columns("agent", "Agent"),
        ...columns("step", "Step"),
        "Kappa of agents",
        { title: "Above the floor", align: "left" as const },
      ],
    ),
    rows: [
      ...methods.map((method) => methodLine(method, official, floors)),
      ...referenceLines(set, official, floors, methods[0]!.rows.length),
    ],
    notes: [
      "A missing prediction counts as wrong. The constant for each log is the best one on the other logs. Exact: the same agent, ignoring brackets, and the same step number; intervals are Wilson's at 95 %",
      ...methods
        .filter(({ rows }) => aboveFloor(rows, floors) === "no")
        .map(({ run }) => `${run.label} is not above the floor: at 95 % it is no better than a constant answer`),
      ...(official.length === 0
        ? []
        : [
            "Official: the rule of the data set's authors accepts a prediction that contains the annotated text, so step 12 counts as step 1",
          ]),
      `The best constants, if the annotations are known: agent ${floors.agent.constant} is right in ${percent(floors.agent.share)} %, step ${floors.step.constant} in ${percent(floors.step.share)} %; a method that only reaches these shares is no better than a constant`,
      "Annotations are people's opinions about the decisive step",
    ],
  };
}

/** Returns the best constants, a random guess and the published accuracies. */
function referenceLines(
  set: string,
  official: readonly Side[],
  floors: Floors,
  n: number,
): readonly (readonly Cell[])[] {
  const blank = (side: Side) => (official.includes(side) ? [{ text: "" }] : []);
  const line = (name: string, answer: string, agent: Cell, step: Cell): readonly Cell[] => [
    cells.textCell(name),
    cells.textCell(answer),
    { text: "" },
    agent,
    ...blank("agent"),
    step,
    ...blank("step"),
    { text: "" },
    { text: "" },
  ];
  const { agent, step } = floors;
  const share = (value: number) => cells.valueCell(value, "percent", n);
  const constant = `always ${agent.constant}, step ${step.constant}`;
  return [
    line(constant, "", share(agent.leave_one_out), share(step.leave_one_out)),
    line("a random guess", "", share(agent.random), share(step.random)),
    ...publishedAttributions
      .filter((each) => each.set === set)
      .map((each) =>
        line(
          `${each.method} (GPT-4o, published)`,
          each.answer,
          cells.reportedCell(reported(each.agent, each.table), "percent"),
          cells.reportedCell(reported(each.step, each.table), "percent"),
        ),
      ),
  ];
}

const percent = (share: number) => (100 * share).toFixed(2);
const reported = (value: number, table: number) =>
  ({
    source: `arXiv 2505.00212, table ${table}`,
    row: "",
    measure: "",
    value: cells.fractionOf(value),
    where: {},
  }) as const;

function methodLine({ run, rows }: Method, official: readonly Side[], floors: Floors): readonly Cell[] {
  const share = (side: Side, rule: Rule): Cell => {
    const right = rows.filter((row) => isRight(row, side, rule));
    const wrong = rows.filter((row) => !isRight(row, side, rule));
    const cell = cells.valueCell(right.length / rows.length, "percent", rows.length);
    return cells.withTasks({ ...cell, ...wilson(right.length, rows.length) }, wrong);
  };
  const both = (side: Side) => [share(side, "exact"), ...(official.includes(side) ? [share(side, "official")] : [])];
  const answer = run.spec.options["answer"];
  const agents = rows.filter(isAnnotated);
  const kappa = kappaOf(
    agents.map((row) => plain(labelOf(row, "mistake_agent")!)),
    agents.map((row) => plain(labelOf(row, "predicted agent") ?? "")),
  );
  return [
    cells.textCell(run.label),
    cells.textCell(answer === "on" ? "with" : "without"),
    cells.countCell(rows),
    ...both("agent"),
    ...both("step"),
    kappa === undefined ? { text: "-" } : { text: kappa.toFixed(2), value: kappa, n: agents.length },
    cells.textCell(aboveFloor(rows, floors)),
  ];
}

const plain = (agent: string): string => agent.split(" (")[0]!.trim().toLowerCase();

/** Names the sides on which a method is above the constants. */
function aboveFloor(rows: readonly Row[], floors: Floors): string {
  const above = (["agent", "step"] as const).filter((side) => isAbove(side, rows, floors[side]));
  return above.length === 0 ? "no" : above.join(" and ");
}

/** True if a method is above the constant that is picked from the other logs, by McNemar's test at 95 %. */
function isAbove(side: Side, rows: readonly Row[], { constant, leave_one_out: fair }: AttributionFloor): boolean {
  const annotated = rows.filter(isAnnotated);
  const byConstant = annotated.map((row) => Number(fair > 0 && labelOf(row, `mistake_${side}`) === constant));
  const byMethod = annotated.map((row) => Number(isRight(row, side, "exact")));
  const { difference, p } = comparePaired(byConstant, byMethod);
  return difference > 0 && p < 0.05;
}

const tolerances = [0, 1, 2, 3, 4, 5];

function withinTable(title: string, methods: readonly Method[]): TableFigure {
  return {
    kind: "table",
    title: `Steps within a tolerance${title}`,
    columns: tableColumns(
      ["Method"],
      tolerances.map((most) => (most === 0 ? "exact %" : `±${most} %`)),
    ),
    rows: methods.map(({ run, rows }) => [
      cells.textCell(run.label),
      ...tolerances.map((most): Cell => {
        const near = rows.filter((row) => (row.score?.metrics["step.distance"] ?? Infinity) <= most);
        const cell = cells.valueCell(near.length / rows.length, "percent", rows.length);
        return cells.withTasks({ ...cell, ...wilson(near.length, rows.length) }, near);
      }),
    ]),
    notes: ["Share of logs whose predicted step is within this distance of the annotated step"],
  };
}

/** McNemar's test between each two methods, on the logs for which both have a prediction. */
function pairsTable(title: string, methods: readonly Method[]): TableFigure {
  const pairs = methods.flatMap((one, at) => methods.slice(at + 1).map((other) => [one, other] as const));
  return {
    kind: "table",
    title: `Methods on the same logs${title}`,
    columns: tableColumns(["Second", "First"], ["n", "Agent", "p", "Step", "p"]),
    rows: pairs.map(([one, other]) => {
      const byTask = new Map(one.rows.map((row) => [row.task, row]));
      const both = other.rows.flatMap((row) => {
        const before = byTask.get(row.task);
        return before === undefined ? [] : [{ before, after: row }];
      });
      const sides = (["agent", "step"] as const).flatMap((side): readonly Cell[] => {
        const right = (row: Row) => Number(isRight(row, side, "exact"));
        const { difference, p, interval } = comparePaired(
          both.map(({ before }) => right(before)),
          both.map(({ after }) => right(after)),
        );
        const differing = both.filter(({ before, after }) => right(before) !== right(after)).map(({ after }) => after);
        const cell: Cell = {
          text: `${difference > 0 ? "+" : ""}${(100 * difference).toFixed(1)}`,
          value: difference,
          n: both.length,
          ...(interval && { low: interval.low, high: interval.high }),
        };
        return [
          cells.withTasks(cell, differing),
          { text: p < 0.001 ? "< 0.001" : p.toFixed(3), value: p, n: both.length },
        ];
      });
      return [
        cells.textCell(other.run.label),
        cells.textCell(one.run.label),
        cells.countCell(both.map(({ after }) => after)),
        ...sides,
      ];
    }),
    notes: [
      "Each value is the second method minus the first method, in points, with McNemar's exact test; Enter on a difference lists the tasks on which the two differ",
    ],
  };
}

const bins: readonly (readonly [string, (distance: number) => boolean])[] = [
  ...[0, 1, 2, 3, 4, 5].map((at) => [String(at), (distance: number) => distance === at] as const),
  ["6 to 10", (distance) => distance > 5 && distance <= 10],
  ["above 10", (distance) => distance > 10 && distance < Infinity],
  ["no step", (distance) => distance === Infinity],
];

function distances(title: string, methods: readonly Method[]): BarsFigure {
  return {
    kind: "bars",
    title: `Distance from the annotated step${title}`,
    unit: "",
    bars: bins.flatMap(([label, holds]) =>
      methods.map(({ run, rows }) => {
        const here = rows.filter((row) => holds(row.score?.metrics["step.distance"] ?? Infinity));
        return { group: label, label: run.label, cell: copyOf(cells.countCell(here), { n: rows.length }) };
      }),
    ),
    notes: ["Logs by the number of steps between the predicted and the annotated step"],
  };
}

/** Predictions about trajectories that nobody has annotated. */
function unchecked(set: string, methods: readonly Method[]): TableFigure {
  const predicted = methods.flatMap(({ run, rows }) =>
    [...Map.groupBy(rows, (row) => labelOf(row, "predicted agent") ?? "no prediction")].map(([agent, of]) => ({
      run,
      agent,
      of,
    })),
  );
  return {
    kind: "table",
    title: `Predicted agents${set === "" ? "" : `: ${set}`}`,
    columns: tableColumns(["Method", "Agent"], ["Tasks"]),
    rows: predicted.map(({ run, agent, of }) => [
      cells.textCell(run.label),
      cells.textCell(agent),
      cells.countCell(of),
    ]),
    notes: [
      `Not checked by people: no trajectory here is annotated, so ${counted(methods.length, "method")} cannot be scored`,
    ],
  };
}
