/** Compares predicted steps with a rescue's points of no return: the last requests that could still save a failure. */
import type { RunRows } from "../source/engine/analysis.ts";
import { type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { attributionFloor } from "../source/engine/statistics/attribution-floor.ts";
import { wilson } from "../source/engine/statistics/interval.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";
import { runOfFolder } from "../source/engine/session/run-identity.ts";
import { predictionLabels, scannedRun } from "../source/engine/workbench/scanning/scan-suite.ts";
import { turningPoints, type TurningPoint } from "./rescue.ts";

type Method = { readonly run: RunRows; readonly rows: readonly Row[] };

/** A prediction for a task with a known point of no return. */
type Held = { readonly row: Row; readonly turning: TurningPoint; readonly off: number | undefined };

/** Returns a table of the methods whose trajectories were also rescued; empty if there is no such method. */
export function againstRescue(
  set: string,
  methods: readonly Method[],
  runs: readonly RunRows[],
): readonly TableFigure[] {
  const known = methods.map(({ run }) => turningPoints(runs, runOfFolder(scannedRun(run.spec.suite) ?? "")));
  const held = methods.map(({ rows }, at) => rows.flatMap((row) => heldAgainst(row, known[at]!.get(row.task))));
  const never = new Set(
    methods.flatMap(({ rows }, at) =>
      rows.flatMap(({ task }) => (known[at]!.get(task)?.last === undefined && known[at]!.has(task) ? [task] : [])),
    ),
  );
  if (never.size === 0 && held.every((each) => each.length === 0)) return [];
  const all = [...new Map(held.flat().map((each) => [each.row.task, each.turning])).values()];
  return [
    {
      kind: "table",
      title: `Predicted steps and points of no return${set === "" ? "" : `: ${set}`}`,
      columns: tableColumns(["Method"], ["n", "same request %", "±1 %", "earlier", "later", "no prediction"]),
      rows: [...methods.map(({ run }, at) => methodLine(run.label, held[at]!)), ...floorLines(all)],
      notes: [
        "Point of no return: the last request from which a continuation succeeded. Same request: the predicted step is the reply to this request, or follows it before the next request. A missing prediction counts as wrong; intervals are Wilson's at 95 %. The constant for each task is the best one on the other tasks",
        ...(never.size === 0 ? [] : [`Left out: ${counted(never.size, "task")} without a successful continuation`]),
      ],
    },
  ];
}

function heldAgainst(row: Row, turning: TurningPoint | undefined): readonly Held[] {
  if (turning?.last === undefined) return [];
  const predicted = row.score?.labels?.[predictionLabels.request];
  if (predicted === undefined) return [{ row, turning, off: undefined }];
  // Others' requests, such as a user's, belong to the model's one before them.
  const at = turning.requests.findLastIndex((request) => request <= Number(predicted));
  return [{ row, turning, off: at - turning.last }];
}

function methodLine(label: string, held: readonly Held[]): readonly Cell[] {
  const share = (holds: (off: number) => boolean): Cell => {
    const right = held.filter(({ off }) => off !== undefined && holds(off));
    const wrong = held.filter((each) => !right.includes(each));
    const cell = cells.valueCell(held.length === 0 ? undefined : right.length / held.length, "percent", held.length);
    const bounds = held.length === 0 ? undefined : wilson(right.length, held.length);
    return cells.withTasks(
      { ...cell, ...bounds },
      wrong.map(({ row }) => row),
    );
  };
  const count = (holds: (off: number | undefined) => boolean): Cell =>
    cells.countCell(held.filter(({ off }) => holds(off)).map(({ row }) => row));
  return [
    cells.textCell(label),
    cells.countCell(held.map(({ row }) => row)),
    share((off) => off === 0),
    share((off) => Math.abs(off) <= 1),
    count((off) => off !== undefined && off < 0),
    count((off) => off !== undefined && off > 0),
    count((off) => off === undefined),
  ];
}

/** Returns the best constant request and a random guess; none without a point of no return. */
function floorLines(all: readonly TurningPoint[]): readonly (readonly Cell[])[] {
  if (all.length === 0) return [];
  const { constant, leave_one_out, random } = attributionFloor(
    all.map(({ last }) => String(last! + 1)),
    all.map(({ requests }) => requests.length),
  );
  return [
    floorLine(`always request ${constant}`, leave_one_out, all.length),
    floorLine("a random guess", random, all.length),
  ];
}

const floorLine = (name: string, share: number, n: number): readonly Cell[] => [
  cells.textCell(name),
  { text: "" },
  cells.valueCell(share, "percent", n),
  ...Array.from({ length: 4 }, () => ({ text: "" })),
];
