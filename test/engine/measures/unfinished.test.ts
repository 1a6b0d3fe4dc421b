import { describe, expect, it } from "vitest";
import { overview } from "../../../analyses/overview.ts";
import type { BarsFigure, TableFigure } from "../../../source/engine/figure.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { measureInterval } from "../../../source/engine/measures/measure-cell.ts";
import { numbersBeside } from "../../../source/engine/measures/beside.ts";
import { withRunNotes } from "../../../source/engine/measures/run-notes.ts";
import {
  intervalAtAnyLook,
  lookedCell,
  unfinishedNote,
  unfinishedRun,
} from "../../../source/engine/measures/unfinished.ts";
import { BettingSequence } from "../../../source/engine/statistics/confidence-sequence.ts";
import { seededOrder } from "../../../source/engine/statistics/sequential-test.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import type { Row, Task } from "../../../source/engine/types.ts";
import { madeRun, madeSuite } from "../../analyses/made-run.ts";
import { describePublished, sharedJson, sharedLines } from "../../shared.ts";

const [right] = madeSuite.measures;
const tasks = Array.from({ length: 40 }, (_, at) => ({ id: `t${at}` }) as unknown as Task);
const ids = tasks.map(({ id }) => id);
const order = seededOrder(ids, "0");
const runOf = (names: readonly string[], valueOf: (at: number) => number = (at) => at % 2) => {
  const run = madeRun(
    "a",
    names.map((task, at) => ({ task, right: valueOf(at) })),
  );
  const unfinished = unfinishedRun(tasks, run.rows, 0);
  return unfinished === undefined ? run : { ...run, unfinished };
};

describe("the task order of an unfinished run", () => {
  it("is seeded if the run's tasks started in seeded order, otherwise it is the order of the file", () => {
    expect(runOf(order.slice(0, 12)).unfinished).toEqual({ of: 40, order: "seeded" });
    expect(runOf(ids.slice(0, 12)).unfinished).toEqual({ of: 40, order: "file" });
    expect(runOf([...ids.slice(0, 3), ...order.slice(0, 9)]).unfinished).toEqual({ of: 40, order: "file" });
  });

  it("is seeded if each of the first tasks that workers started is fewer than eight places from its seeded position", () => {
    const [a, b, ...others] = order.slice(0, 12) as [string, string, ...string[]];
    expect(runOf([b, a, ...others]).unfinished?.order).toBe("seeded");
    expect(runOf([b, a]).unfinished?.order).toBe("seeded");
    expect(runOf([b, ...others]).unfinished?.order).toBe("file");
    const swapped = (at: number) =>
      order
        .slice(0, 12)
        .with(at, order[at + 1]!)
        .with(at + 1, order[at]!);
    expect([0, 7, 8, 10].map((at) => runOf(swapped(at)).unfinished?.order)).toEqual(
      Array.from({ length: 4 }, () => "seeded"),
    );
    const moved = (by: number) => [...order.slice(1, by + 1), order[0]!, ...order.slice(by + 1, 12)];
    expect(runOf(moved(7)).unfinished?.order).toBe("seeded");
    expect(runOf(moved(8)).unfinished?.order).toBe("file");
  });

  it("is recognised from two tasks, but not from one", () => {
    expect(runOf(order.slice(0, 2)).unfinished).toEqual({ of: 40, order: "seeded" });
    expect(runOf(order.slice(0, 1)).unfinished).toEqual({ of: 40, order: "file" });
  });

  it("is known while a single task is unfinished", () => {
    expect(runOf(order.slice(0, 39)).unfinished).toEqual({ of: 40, order: "seeded" });
  });

  it("is known if every task has ended but one has failed", () => {
    const rows = madeRun(
      "a",
      order.map((task, at) => (at === 3 ? { task, failed: "model" as const } : { task, right: 1 })),
    ).rows;
    expect(unfinishedRun(tasks, rows, 0)).toEqual({ of: 40, order: "seeded" });
    expect(unfinishedRun(tasks, rows, 1)).toEqual({ of: 40, order: "file" });
  });

  it("is undefined for a finished run and for a run without tasks", () => {
    expect(runOf(ids).unfinished).toBeUndefined();
    expect(runOf([]).unfinished).toBeUndefined();
  });
});

describe("the score in the table of runs", () => {
  it("has a confidence sequence while the run is unfinished in seeded order, and an interval afterwards", () => {
    const run = runOf(order.slice(0, 20));
    const of = (unfinished: typeof run.unfinished) => numbersBeside(madeSuite, run.rows, unfinished).score!;
    expect(of(run.unfinished)).toMatchObject({ anytime: true, ...intervalAtAnyLook(right!, run.rows, [run]) });
    expect(of(undefined)).toEqual({ ...of(undefined), ...measureInterval(right!, run.rows) });
    expect(of(undefined).anytime).toBeUndefined();
    expect(of({ of: 40, order: "file" }).anytime).toBeUndefined();
  });
});

describe("intervals of an unfinished run", () => {
  it("are confidence sequences in seeded order, wider than the usual interval of the same number of tasks", () => {
    const run = runOf(order.slice(0, 20));
    const [sequence, usual] = [intervalAtAnyLook(right!, run.rows, [run])!, measureInterval(right!, run.rows)!];
    expect(sequence.anytime).toBe(true);
    expect(sequence.high - sequence.low).toBeGreaterThan(usual.high - usual.low);
  });

  it("are the usual intervals in the order of the file, and for a finished run", () => {
    for (const run of [runOf(ids.slice(0, 20)), runOf(ids)])
      expect(intervalAtAnyLook(right!, run.rows, [run])).toEqual(measureInterval(right!, run.rows));
  });

  it("are the usual intervals if one of several unfinished runs asks its tasks in the order of the file", () => {
    const [seeded, inFile] = [runOf(order.slice(0, 20)), { ...runOf(ids.slice(0, 20)), run: "b" }];
    const both = [...seeded.rows, ...inFile.rows];
    expect(intervalAtAnyLook(right!, both, [seeded, inFile])).toEqual(measureInterval(right!, both));
    expect(intervalAtAnyLook(right!, both, [inFile, seeded])?.anytime).toBeUndefined();
  });

  it("wait for the trial that still runs if there are several trials", () => {
    const trial = (run: string, running: number) => {
      const one = runOf(order.slice(0, 6));
      const rows = one.rows.map((row, at) => ({ ...row, run, ...(at === running && { state: "running" as const }) }));
      return { ...one, run, rows };
    };
    const [first, second] = [trial("a", -1), trial("b", 4)];
    const four = [trial("a", -1), trial("b", -1)].map((one) => ({ ...one, rows: one.rows.slice(0, 4) }));
    const rowsOf = (runs: readonly { rows: typeof first.rows }[]) => runs.flatMap(({ rows }) => rows);
    expect(intervalAtAnyLook(right!, rowsOf([first, second]), [first, second])).toEqual(
      intervalAtAnyLook(right!, rowsOf(four), four),
    );
  });

  it("count each task once in the note, even if several runs contain it", () => {
    const one = runOf(order.slice(0, 12));
    const both = { ...one, rows: [...one.rows, ...one.rows.map((row) => ({ ...row, run: "b" }))] };
    expect(unfinishedNote(both)).toBe("12 of 40 tasks, in the seeded order");
    expect(unfinishedNote({ ...one, unfinished: { of: 12, order: "file" } })).toBeUndefined();
    expect(unfinishedNote({ ...one, unfinished: { of: 13, order: "file" } })).toBe(
      "the first 12 of 13 tasks, in the file's order",
    );
    expect(unfinishedNote({ rows: one.rows })).toBeUndefined();
  });

  it("omit results that arrived before the results of earlier tasks", () => {
    const whole = runOf(order.slice(0, 6));
    const held = {
      ...whole,
      rows: whole.rows.map((row, at) => (at === 4 ? { ...row, state: "running" as const } : row)),
    };
    const four = runOf(order.slice(0, 4));
    expect(intervalAtAnyLook(right!, held.rows, [held])).toEqual(intervalAtAnyLook(right!, four.rows, [four]));
  });

  it("have the steps of the sequence over the means of the tasks of these rows, one grid step wider on each side", () => {
    const run = runOf(order.slice(0, 12), (at) => (at % 3 === 0 ? 1 : 0));
    const odd = run.rows.filter((_, at) => at % 2 === 1);
    const sequence = (values: readonly number[]) => {
      const betting = new BettingSequence();
      return values.map((value) => betting.take(value)).at(-1)!;
    };
    const valuesOf = (rows: typeof run.rows) => rows.map(({ score }) => score!.value!);
    const whole = sequence(valuesOf(run.rows));
    expect(intervalAtAnyLook(right!, run.rows, [run])).toEqual({
      low: Math.max(0, whole.low - 0.001),
      high: Math.min(1, whole.high + 0.001),
      anytime: true,
    });
    const half = sequence(valuesOf(odd));
    expect(intervalAtAnyLook(right!, odd, [run])).toMatchObject({
      low: Math.max(0, half.low - 0.001),
      high: half.high + 0.001,
    });
    // Two trials: the second is right wherever the first is wrong, and the last task is right in both.
    const again = run.rows.map((row, at) => ({
      ...row,
      run: "b",
      score: { ...row.score!, metrics: { right: at === 11 ? 0 : 1 - row.score!.value! } },
    }));
    const both = { ...run, rows: [...run.rows, ...again] };
    const means = sequence([...Array.from({ length: 11 }, () => 0.5), 0]);
    expect(intervalAtAnyLook(right!, both.rows, [both])).toMatchObject({
      low: means.low - 0.001,
      high: means.high + 0.001,
    });
    const all = runOf(order.slice(0, 30), () => 1);
    expect(intervalAtAnyLook(right!, all.rows, [all])!.high).toBe(1);
    const none = runOf(order.slice(0, 30), () => 0);
    expect(intervalAtAnyLook(right!, none.rows, [none])!.low).toBe(0);
  });

  it("are the usual intervals of measures that are not shares, that have other values, or whose first task still runs", () => {
    const run = runOf(order.slice(0, 12));
    const usual = (measure: Measure, rows = run.rows, of = run) => {
      const found = intervalAtAnyLook(measure, rows, [of]);
      expect(found).toEqual(measureInterval(measure, rows));
      return found?.anytime;
    };
    const each = ({ score }: Row) => score!.value;
    expect(usual({ ...right!, unit: "number", each } as Measure)).toBeUndefined();
    const { each: _, ...ratio } = right!;
    expect(usual(ratio as Measure)).toBeUndefined();
    expect(usual({ ...right!, each: (row) => 2 * each(row)! } as Measure)).toBeUndefined();
    expect(usual({ ...right!, each: (row) => -each(row)! } as Measure)).toBeUndefined();
    const held = { ...run, rows: run.rows.map((row, at) => (at === 0 ? { ...row, state: "running" as const } : row)) };
    expect(usual(right!, held.rows, held)).toBeUndefined();
    expect(intervalAtAnyLook({ ...right!, each } as Measure, run.rows, [run])!.anytime).toBe(true);
  });

  it("are confidence sequences if some of the runs are finished and the others follow the seeded order", () => {
    const run = runOf(order.slice(0, 12));
    const { unfinished: _, ...finished } = { ...run, rows: run.rows.map((row) => ({ ...row, run: "b" })) };
    expect(intervalAtAnyLook(right!, run.rows, [finished, run])!.anytime).toBe(true);
    expect(intervalAtAnyLook(right!, run.rows, [finished])!.anytime).toBeUndefined();
    expect(lookedCell(right!, run.rows, [run])).toMatchObject({
      ...intervalAtAnyLook(right!, run.rows, [run]),
      value: 0.5,
      n: 12,
    });
  });

  it("are marked in figures, whose notes report the order of each run's tasks", () => {
    const run = runOf(order.slice(0, 20));
    const figures = withRunNotes(overview.compute([run], { mode: "strict", effort: "off" }, {}), [run]);
    const [bars, table] = figures as [BarsFigure, TableFigure];
    expect(bars.bars[0]!.cell.anytime).toBe(true);
    expect(prepared(bars).stops.row(0)[0]!.cell!.note).toMatch(/^95 % confidence sequence \d/);
    expect(prepared(table).notes([])).toEqual(
      expect.arrayContaining([
        "20 of 40 tasks, in the seeded order",
        "[a, b]: 95 % confidence sequence, valid after every task",
      ]),
    );
    const inFile = runOf(ids.slice(0, 20));
    const [other] = withRunNotes(overview.compute([inFile], { mode: "strict", effort: "off" }, {}), [inFile]);
    expect(other!.notes).toContain("the first 20 of 40 tasks, in the file's order");
  });
});

type SequenceRow = {
  readonly matrix: string;
  readonly model: string;
  readonly at: Readonly<Record<string, { readonly betting: readonly [number, number] }>>;
};
type Matrices = {
  readonly matrices: Readonly<
    Record<string, { readonly tasks: readonly string[]; readonly models: Readonly<Record<string, string>> }>
  >;
};

describePublished("confidence sequences of PlanBench's models", () => {
  it("equal the fixture's sequences at each look, widened by one step of the grid", () => {
    const { matrices } = sharedJson<Matrices>("conformance", "sequential", "matrices.json");
    const rows = sharedLines<SequenceRow>("conformance", "sequential", "confidence-sequences.jsonl.gz");
    for (const { matrix, model, at } of rows.filter(
      (row, place) => place % 8 === 0 && row.model in (matrices[row.matrix]?.models ?? {}),
    )) {
      const { tasks: names, models } = matrices[matrix]!;
      const places = new Map(names.map((name, place) => [name, place]));
      const all = names.map((id) => ({ id }) as unknown as Task);
      for (const look of ["25", "100"]) {
        const seen = seededOrder(names, "1").slice(0, Number(look));
        const run = madeRun(
          "a",
          seen.map((task) => ({ task, right: Number(models[model]![places.get(task)!]) })),
        );
        const unfinished = unfinishedRun(all, run.rows, 1)!;
        const [low, high] = at[look]!.betting;
        const found = intervalAtAnyLook(right!, run.rows, [{ ...run, unfinished }])!;
        expect(found.low).toBeCloseTo(Math.max(0, low - 0.001), 9);
        expect(found.high).toBeCloseTo(Math.min(1, high + 0.001), 9);
      }
    }
  });
});
