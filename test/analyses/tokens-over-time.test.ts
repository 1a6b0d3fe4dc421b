import { describe, expect, it } from "vitest";
import { efficiency } from "../../analyses/efficiency.ts";
import { tokensOverTime } from "../../analyses/tokens-over-time.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import type { LinesFigure } from "../../source/engine/figure.ts";
import type { Row } from "../../source/engine/types.ts";
import { bareRow } from "../bare-row.ts";
import { bareSpec } from "../bare-spec.ts";
import { madeSuite } from "./made-run.ts";

/** A task that ran between two seconds. */
const rowOf = (task: string, from: number, to: number, input: number, output = 0): Row => ({
  ...bareRow("r", task, {
    score: { value: 1, metrics: {}, checks: [], errors: [] },
    tokens: { input, output, estimated: false },
  }),
  from: from * 1000,
  to: to * 1000,
});
const runOf = (label: string, rows: readonly Row[]): RunRows => ({
  run: label,
  label,
  spec: bareSpec("made", { model: "lab/small" }),
  suite: madeSuite,
  rows,
  reported: { values: [], tables: [] },
  warnings: [],
  readsAnswerKey: false,
});
const pointsOf = ({ series }: LinesFigure, at = 0) =>
  series[at]!.points.map(({ x, cell: { text, n, tasks } }) => [x, text, n, tasks?.map(({ task }) => task)]);

describe("tokens over time", () => {
  it("sum up the tokens of tasks in the order in which the tasks end, from the start of the run", () => {
    const rows = [rowOf("slow", 100, 130, 50, 5), rowOf("fast", 105, 110, 20, 1), rowOf("last", 120, 150, 7)];
    const figure = tokensOverTime([runOf("flat", rows)], false);
    expect(figure).toMatchObject({ kind: "lines", x: "seconds of work", y: "tokens so far" });
    expect(pointsOf(figure)).toEqual([
      [0, "0", 0, undefined],
      [10, "21", 1, ["fast"]],
      [30, "76", 2, ["slow"]],
      [50, "83", 3, ["last"]],
    ]);
  });

  it("leave out the time in which no task ran, such as the days before a run was continued", () => {
    const rows = [rowOf("a", 0, 10, 1), rowOf("b", 10, 20, 1), rowOf("c", 200_000, 200_030, 1)];
    expect(pointsOf(tokensOverTime([runOf("flat", rows)], false)).map(([x]) => x)).toEqual([0, 10, 20, 50]);
  });

  it("have the largest unit of time in which the longest run takes at least two", () => {
    const lasting = (seconds: number) => tokensOverTime([runOf("flat", [rowOf("a", 0, seconds, 1)])], false);
    expect(lasting(119).x).toBe("seconds of work");
    expect(lasting(120).x).toBe("minutes of work");
    expect(pointsOf(lasting(150))[1]![0]).toBe(2.5);
    expect(lasting(7199).x).toBe("minutes of work");
    expect(lasting(7200).x).toBe("hours of work");
    expect(pointsOf(lasting(9000))[1]![0]).toBe(2.5);
  });

  it("have at most 60 points besides the start, the last task among them, and no task is lost", () => {
    const rows = Array.from({ length: 151 }, (_, at) => rowOf(`t${at}`, at, at + 1, 10));
    const points = pointsOf(tokensOverTime([runOf("flat", rows)], false));
    expect(points).toHaveLength(61);
    expect(points.at(-1)!.slice(0, 3)).toEqual([151, "1510", 151].map((each, at) => (at === 0 ? 2.51667 : each)));
    expect(new Set(points.flatMap(([, , , tasks]) => tasks ?? [])).size).toBe(151);
  });

  it("omit unfinished tasks, and a run without an ended task has no points", () => {
    const running: Row = { ...rowOf("open", 0, 5, 9), state: "running", score: undefined };
    const figure = tokensOverTime([runOf("flat", [rowOf("a", 0, 4, 3), running]), runOf("new", [running])], false);
    expect(pointsOf(figure).map(([, text]) => text)).toEqual(["0", "3"]);
    expect(pointsOf(figure, 1)).toEqual([]);
  });

  it("are the last figure of the efficiency analysis if its option `time` is on", () => {
    const runs = [runOf("flat", [rowOf("a", 0, 4, 3)])];
    expect(efficiency.choices(runs)["time"]).toEqual(["off", "on"]);
    expect(efficiency.compute(runs, {})).toHaveLength(3);
    expect(efficiency.compute(runs, { time: "on" }).map(({ title }) => title)[3]).toBe("Tokens over time");
  });
});
