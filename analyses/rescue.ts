/**
 * Analyses continuations of failed tasks from each of their steps: how often they succeed, by step and kind of error, and the
 * last step from which each task can still succeed.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { boundsColumn, type Cell, tableColumns, type TableFigure } from "../source/engine/figure.ts";
import { verdictOf } from "../source/engine/log/rows/verdict.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { dataTask, pointFacets } from "../source/engine/run/fork-point.ts";
import { runOfFolder } from "../source/engine/session/run-identity.ts";
import { unchangedBy } from "../source/engine/session/run-spec.ts";
import { intervalOf } from "../source/engine/statistics/mean-interval.ts";
import { cannotDiffer } from "../source/engine/session/alike-replies.ts";
import { mostUnseen } from "../source/engine/statistics/interval.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";

export const rescue: Analysis = {
  name: "rescue",
  title: "Rescue",
  question: "From which step on could a failure no longer be rescued?",
  choices: () => ({ tasks: ["all", "lost", "open"] }),
  missing: (runs) =>
    runs.some(({ spec }) => spec.forks !== undefined)
      ? undefined
      : "No run continues failures: write `rescue: {of: NAME, with: same}` in a run cell",
  compute(runs, { tasks = "all" }) {
    const arms = armsOf(runs);
    const [examined] = arms;
    if (examined === undefined) return [];
    const several = arms.filter(({ points }) => points.some(({ requests }) => requests > 1));
    return [
      sharesTable("Rescued by step", "Step", several, ({ step }) => [step, `${step}`], notesOf(arms)),
      sharesTable(
        "Rescued by kind of error",
        "Kind of error",
        several,
        (point) => [0, kindOf(point, examined.run)],
        [],
      ),
      turningTable(examined, tasks),
    ];
  },
};

/** Returns true if repeats are no random sample. Built-in models are left out, because nobody expects theirs to differ. */
const areAlike = ({ spec }: RunRows): boolean => !spec.model.startsWith("builtin/") && cannotDiffer(spec);

/** A place in a task from which n continuations have a score. */
type Point = {
  readonly task: string;
  /** The request's number in the log, from 0; `step` counts the model's requests from 1. */
  readonly request: number;
  readonly step: number;
  readonly requests: number;
  readonly error: string;
  readonly spoilt: number | undefined;
  readonly right: number;
  readonly n: number;
  readonly rows: readonly Row[];
};
type Arm = {
  readonly label: string;
  readonly run: RunRows;
  readonly isControl: boolean;
  readonly points: readonly Point[];
};

/** The repeated requests of a task, in order from 0, and the index of the last successful request among them. */
export type TurningPoint = { readonly requests: readonly number[]; readonly last: number | undefined };

/** Returns the results of a run's rescue by task; if there are several arms, the results of the arm with changes. */
export function turningPoints(runs: readonly RunRows[], of: string): ReadonlyMap<string, TurningPoint> {
  const arms = armsOf(runs.filter(({ spec }) => spec.forks !== undefined && runOfFolder(spec.forks.of) === of));
  const byTask = Map.groupBy(arms[0]?.points ?? [], ({ task }) => task);
  return new Map(
    [...byTask].map(([task, points]) => {
      const own = points.toSorted((one, other) => one.step - other.step);
      const last = own.findLastIndex(({ right }) => right > 0);
      return [task, { requests: own.map(({ request }) => request), last: last < 0 ? undefined : last }];
    }),
  );
}

/** Returns the runs that continue with a change first, then the unchanged runs as control. */
function armsOf(runs: readonly RunRows[]): readonly Arm[] {
  const arms = runs.flatMap((run): Arm[] => {
    if (run.spec.forks === undefined) return [];
    const points = [...Map.groupBy(cells.endedRows(run.rows), ({ task }) => task).values()].map((rows) =>
      pointOf(run, rows),
    );
    const own = points[0]?.rows[0]?.facets[pointFacets.settings];
    return [{ label: run.label, run, isControl: own === unchangedBy(run.spec), points }];
  });
  return arms.toSorted((one, other) => Number(one.isControl) - Number(other.isControl));
}

function pointOf({ spec }: RunRows, rows: readonly Row[]): Point {
  const { task, facets } = rows[0]!;
  // The first one is what a list or a place beside the original begins with.
  const ordered = rows.toSorted((one, other) => Number(isRight(other)) - Number(isRight(one)));
  const verdicts = rows.map(({ score }) => verdictOf(score));
  const right = verdicts.filter((each) => each === "right").length;
  const spoilt = facets[pointFacets.spoilt];
  return {
    task: dataTask(spec, task),
    request: Number(task.slice(task.lastIndexOf("@") + 1)),
    step: Number(facets[pointFacets.request]),
    requests: Number(facets[pointFacets.requests]),
    error: String(facets[pointFacets.error] ?? ""),
    spoilt: typeof spoilt === "number" ? spoilt : undefined,
    right,
    n: right + verdicts.filter((each) => each === "wrong").length,
    rows: ordered,
  };
}

const isRight = ({ score }: Row): boolean => verdictOf(score) === "right";

const kindOf = ({ error }: Point, { suite }: RunRows): string =>
  suite.errorKinds.find(({ name }) => name === error)?.title ?? (error === "" ? "none named" : error);

/** Shares are means over tasks, so that a task with many places counts once. */
function sharesTable(
  title: string,
  head: string,
  arms: readonly Arm[],
  groupOf: (point: Point) => readonly [rank: number, name: string],
  notes: readonly string[],
): TableFigure {
  const scored = arms.map(({ points }) => points.filter(({ n, requests }) => n > 0 && requests > 1));
  const groups = new Map(scored.flat().map((point) => [groupOf(point)[1], groupOf(point)[0]] as const));
  const names = [...groups].toSorted(([, one], [, other]) => one - other).map(([name]) => name);
  return {
    kind: "table",
    title,
    columns: tableColumns([head], [...arms.flatMap(({ label }) => [label, boundsColumn(label)]), "tasks"]),
    rows: names.map((name) => {
      const groups = scored.map((points) => points.filter((point) => groupOf(point)[1] === name));
      return [
        cells.textCell(name),
        ...groups.flatMap(shareCells),
        cells.textCell(String(tasksIn(groups.flat())), { value: tasksIn(groups.flat()) }),
      ];
    }),
    notes,
  };
}

const tasksIn = (points: readonly Point[]): number => new Set(points.map(({ task }) => task)).size;

function shareCells(points: readonly Point[]): readonly Cell[] {
  const byTask = [...Map.groupBy(points, ({ task }) => task).values()].map(
    (own) => own.reduce((sum, { right, n }) => sum + right / n, 0) / own.length,
  );
  const mean = byTask.length === 0 ? undefined : byTask.reduce((sum, each) => sum + each, 0) / byTask.length;
  const value = cells.valueCell(mean, "percent", byTask.length);
  const bounds = cells.intervalCell(intervalOf(byTask), "percent");
  return [
    cells.withTasks(
      value,
      points.flatMap(({ rows }) => rows),
    ),
    bounds,
  ];
}

/** Lists the last request from which each task succeeded, and the results from later requests. */
function turningTable({ points, run }: Arm, wanted: string): TableFigure {
  const tasks = [...Map.groupBy(points, ({ task }) => task).values()]
    .map((own) => own.toSorted((one, other) => one.step - other.step))
    .filter(([first]) => first!.requests > 1);
  const rows = tasks.flatMap((own) => {
    const last = own.findLastIndex(({ right }) => right > 0);
    const isOpen = last === own.length - 1;
    if ((wanted === "lost" && isOpen) || (wanted === "open" && !isOpen)) return [];
    return [turningRow(own, last, run)];
  });
  return {
    kind: "table",
    title: "Point of no return",
    columns: tableColumns(["Task", "Kind of error"], ["requests", "last right", "there", "after it", "spoilt"]),
    rows,
    notes: [
      "Last right: the last request from which at least one continuation succeeded",
      "After it: the number of continuations from later requests, which all failed, and the upper limit (95 %, one-sided) of the success rate at the request with the fewest continuations",
      ...(points.every(({ spoilt }) => spoilt === undefined)
        ? []
        : ["Spoilt: the request whose reply `builtin/slips` changed into a mistake"]),
    ],
  };
}

function turningRow(own: readonly Point[], last: number, run: RunRows): readonly Cell[] {
  const [first] = own as [Point];
  const turning = own[last];
  const behind = own.slice(last + 1).filter(({ n }) => n > 0);
  const failed = behind.reduce((sum, { n }) => sum + n, 0);
  const share = behind.length === 0 ? undefined : mostUnseen(areAlike(run) ? 1 : Math.min(...behind.map(({ n }) => n)));
  const { requests, spoilt } = first;
  // Every number leads to the continuations from the turning point, or from the step after it.
  const at = (text: string, value?: number) =>
    cells.withTasks({ text, ...(value !== undefined && { value }) }, (turning ?? first).rows);
  return [
    at(first.task),
    cells.textCell(kindOf(first, run)),
    at(String(requests), requests),
    at(turning === undefined ? "never" : String(turning.step), turning?.step),
    at(turning === undefined ? "-" : `${turning.right} of ${turning.n}`),
    share === undefined
      ? at("-")
      : cells.withTasks(
          { text: `none of ${failed}, up to ${(share * 100).toFixed(0)} %`, value: share },
          behind[0]!.rows,
        ),
    at(spoilt === undefined ? "-" : String(spoilt), spoilt),
  ];
}

function notesOf(arms: readonly Arm[]): readonly string[] {
  const [examined] = arms;
  const single = examined === undefined ? [] : examined.points.filter(({ requests }) => requests === 1);
  const readers = arms.filter(({ run }) => run.readsAnswerKey).map(({ label }) => label);
  const right = single.filter((point) => point.right > 0).length;
  return [
    "Percent of right continuations from each request, as a mean over tasks; intervals are over tasks",
    ...(arms.some(({ isControl }) => isControl) && arms.length > 1
      ? ["Control: the same model asked again at the same step"]
      : []),
    ...(examined !== undefined && areAlike(examined.run)
      ? [
          "Repeats at temperature 0 without a seed cannot differ, so each request was tried only once: further failures would add no evidence",
        ]
      : []),
    ...(readers.length === 0 ? [] : [`Reads the answer key: ${readers.join(", ")}`]),
    ...(single.length === 0
      ? []
      : [
          `Left out: ${counted(single.length, "task")} with a single request, so there is no step to find (${right} succeeded when repeated)`,
        ]),
  ];
}
