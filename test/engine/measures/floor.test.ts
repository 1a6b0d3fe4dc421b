import { describe, expect, it } from "vitest";
import { overview } from "../../../analyses/overview.ts";
import type { RunFloors, RunRows } from "../../../source/engine/analysis.ts";
import type { BarsFigure, Cell, TableFigure } from "../../../source/engine/figure.ts";
import { drawFigure } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { floorText } from "../../../source/engine/figures/floor-text.ts";
import { figureSvg } from "../../../source/engine/figures/figure-svg.ts";
import { prepared } from "../../../source/engine/figures/prepared-figure.ts";
import { bestFloor, floorLines, floorNotes, floorRows, withFloor } from "../../../source/engine/measures/floor.ts";
import { measureCell } from "../../../source/engine/measures/measure-cell.ts";
import { pairedProportion } from "../../../source/engine/statistics/paired-proportion.ts";
import type { Score } from "../../../source/engine/types.ts";
import { madeRun, madeSuite } from "../../analyses/made-run.ts";

const [right, hits, waste] = madeSuite.measures;
const score = (value: number): Score => ({ value, metrics: { right: value }, checks: [], errors: [] });

/** Floors by the tasks of `t0`, `t1` ... that each gets right. */
const floorsOf = (all: Readonly<Record<string, readonly number[]>>, tasks = 20): RunFloors => ({
  floors: Object.entries(all).map(([name, gets]) => ({
    name,
    ...(name.startsWith("most") && { readsAnswerKey: true as const }),
    scores: new Map(Array.from({ length: tasks }, (_, at) => [`t${at}`, score(gets.includes(at) ? 1 : 0)] as const)),
  })),
  unscored: [],
});

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, at) => at + from);

/** A run of twenty tasks of which the first `right` are right. */
const runOf = (correct: number, floors?: RunFloors, tasks = 20): RunRows => ({
  ...madeRun(
    "a",
    upTo(tasks).map((at) => ({ task: `t${at}`, right: at < correct ? 1 : 0 })),
  ),
  ...(floors && { floors }),
});

describe("the lines of floors below a table", () => {
  const cell = (text: string, value: number | undefined, floor?: readonly [name: string, gets: number]): Cell => ({
    text,
    ...(value !== undefined && { value }),
    n: 20,
    ...(floor && { floor: { name: floor[0], gets: floor[1] } }),
  });

  it("show the score of the best trivial answer with each column's decimals, and nothing in a column without that score", () => {
    const row = [
      { text: "a" },
      cell("40.00", 0.4, ["filler", 0.125]),
      cell("3", 3),
      cell("-", undefined),
      cell("40", 0.4, ["filler", 0.2]),
    ];
    expect(floorRows([row, [{ text: "b" }, ...row.slice(1)]])).toEqual([
      [
        { text: "floor (filler)" },
        { text: "12.50", value: 0.125, n: 20, note: "filler" },
        { text: "-" },
        { text: "" },
        { text: "20", value: 0.2, n: 20, note: "filler" },
      ],
    ]);
  });

  it("are drawn once per set of floors, and have a name only if one answer gives all of them", () => {
    const rows = [
      [{ text: "a" }, cell("40.00", 0.4, ["filler", 0.1]), cell("1.00", 0.01, ["nothing", 0])],
      [{ text: "b" }, cell("40.00", 0.4, ["filler", 0.2]), cell("1.00", 0.01)],
    ];
    expect(floorRows(rows).map(([first, ...more]) => [first!.text, ...more.map(({ text }) => text)])).toEqual([
      ["floor", "10.00", "0.00"],
      ["floor (filler)", "20.00", "-"],
    ]);
    expect(floorRows([[{ text: "a" }, cell("1", 1)]])).toEqual([]);
  });
});

describe("the best trivial answer", () => {
  it("is the trivial answer with the highest value over the tasks of the result", () => {
    const floors = floorsOf({ nothing: [], filler: [0, 1, 19], most: [0, 1] });
    expect(bestFloor(right!, runOf(10, floors).rows, [runOf(10, floors)])).toMatchObject({
      gets: 0.15,
      name: "filler",
    });
    // On the first ten tasks filler gets two right, as many as the answer listed after it.
    const first = runOf(10, floors, 10);
    expect(bestFloor(right!, first.rows, [first])).toMatchObject({ gets: 0.2, name: "filler" });
  });

  it("is marked if it is derived from other tasks' reference answers", () => {
    const run = runOf(10, floorsOf({ nothing: [], "most frequent": [3] }));
    expect(bestFloor(right!, run.rows, [run])).toMatchObject({ name: "most frequent", readsAnswerKey: true });
    expect(floorText(withFloor(measureCell(right!, run.rows), right!, run.rows, [run]))).toContain(
      "floor 5.00 (most frequent, which reads the answer key)",
    );
  });

  it("is compared with a result by McNemar's exact test", () => {
    const better = runOf(16, floorsOf({ nothing: [], filler: upTo(10) }));
    // Six more tasks right and none fewer: p = 2 / 64.
    expect(bestFloor(right!, better.rows, [better])).toMatchObject({ difference: { by: 0.3, isAbove: true } });
    const alike = runOf(15, floorsOf({ nothing: [], filler: upTo(10) }));
    expect(bestFloor(right!, alike.rows, [alike])).toMatchObject({ difference: { by: 0.25, isAbove: false } });
  });

  it("counts only if each task has a score for it, and never for counts or errors", () => {
    const floors = floorsOf({ nothing: [], filler: upTo(10) }, 10);
    const run = runOf(15, floors);
    expect(bestFloor(right!, run.rows, [run])).toBeUndefined();
    const whole = runOf(15, floorsOf({ nothing: [] }));
    expect(withFloor({ text: "1", value: 1 }, waste!, whole.rows, [whole]).floor).toBeUndefined();
    // A ratio has no per-task value, so there is no test.
    expect(bestFloor(hits!, whole.rows, [whole])).toBeUndefined();
  });

  it("is compared with the mean over all trials of a task", () => {
    const floors = floorsOf({ nothing: [] });
    const rows = ["a", "b"].flatMap((run) => runOf(6, floors).rows.map((row) => ({ ...row, run })));
    const pooled = { ...runOf(6, floors), rows };
    expect(bestFloor(right!, rows, [pooled])).toMatchObject({ gets: 0, difference: { by: 0.3, isAbove: true } });
  });
});

describe("floors in detail", () => {
  it("belong to shares of which more is better and that are no effort, if the cell has a value", () => {
    const run = runOf(10, floorsOf({ nothing: [] }));
    const floorOf = (more: object, cell: Cell = { text: "", value: 0.5 }) =>
      withFloor(cell, { ...right!, ...more } as typeof right & object, run.rows, [run]).floor?.gets;
    expect(floorOf({})).toBe(0);
    expect(floorOf({ unit: "number" })).toBeUndefined();
    expect(floorOf({ better: "lower" })).toBeUndefined();
    expect(floorOf({ mode: "effort" })).toBeUndefined();
    expect(floorOf({}, { text: "-" })).toBeUndefined();
    const bare = runOf(10);
    expect(withFloor({ text: "", value: 0.5 }, right!, bare.rows, [bare])).not.toHaveProperty("floor");
  });

  it("of a ratio are sums over the same tasks, and have no difference", () => {
    const sums = (hits: number) => ({ value: 1, metrics: { hits, tries: 4 }, checks: [], errors: [] });
    const made = madeRun("a", [
      { task: "x", right: 1, metrics: { hits: 2, tries: 4 } },
      { task: "y", right: 1 },
    ]);
    const run = {
      ...made,
      floors: {
        floors: [
          { name: "one", scores: new Map([["x", sums(1)]]) },
          {
            name: "two",
            scores: new Map([
              ["x", sums(2)],
              ["y", sums(0)],
            ]),
          },
          { name: "again", scores: new Map([["x", sums(2)]]) },
        ],
        unscored: [],
      },
    };
    // The second task has no value of the ratio, so that an answer to it does not count.
    expect(bestFloor(hits!, run.rows, [run])).toEqual({ gets: 0.5, name: "two" });
  });

  it("have a difference over the tasks whose answers have a value of their own", () => {
    const measure = {
      ...right!,
      kind: "custom",
      of: (rows: readonly unknown[]) => ({ value: 0.25, n: rows.length }),
      has: () => true,
    } as unknown as typeof right & object;
    const differenceOf = (floorsRight: readonly (number | undefined)[]) => {
      const run = runOf(2, undefined, 2);
      const scores = new Map(
        floorsRight.map((value, at) => [
          `t${at}`,
          { value: 1, metrics: value === undefined ? {} : { right: value }, checks: [], errors: [] } as Score,
        ]),
      );
      const floored = { ...run, floors: { floors: [{ name: "one", scores }], unscored: [] } };
      return bestFloor(measure, run.rows, [floored])!.difference?.by;
    };
    expect(differenceOf([0, 0])).toBe(1);
    expect(differenceOf([0, undefined])).toBe(1);
    expect(differenceOf([undefined, 1])).toBe(0);
    expect(differenceOf([undefined, undefined])).toBeUndefined();
  });

  it("are above or below a result only if the test says so", () => {
    const of = (correct: number, floor: number) => {
      const run = runOf(correct, floorsOf({ filler: upTo(floor) }));
      return bestFloor(right!, run.rows, [run])!.difference!;
    };
    expect([of(6, 0).isAbove, of(5, 0).isAbove, of(0, 6).isAbove, of(7, 7).isAbove]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(of(0, 6).by).toBeCloseTo(-0.3, 12);
    const { from, to, by } = of(6, 0);
    const { low, high } = pairedProportion(6, 0, 20)!;
    expect([from, to, by]).toEqual([low, high, 0.3]);
  });

  it("are found by the run of each row", () => {
    const [one, other] = [runOf(10, floorsOf({ filler: [0] })), runOf(10, floorsOf({ filler: [0, 1] }))];
    const second = { ...other, run: "b", rows: other.rows.map((row) => ({ ...row, run: "b" })) };
    const rows = [...one.rows, ...second.rows];
    expect(bestFloor(right!, rows, [one, second])).toMatchObject({ name: "filler", gets: 3 / 40 });
    const { floors: _, ...bare } = second;
    expect(bestFloor(right!, rows, [one, bare])).toBeUndefined();
    // A result that failed has no value, and needs no floor.
    const failed = madeRun("a", [
      { task: "t0", right: 1 },
      { task: "t99", failed: "model" },
    ]);
    const few = { ...failed, floors: floorsOf({ filler: [0] }) };
    expect(bestFloor(right!, few.rows, [few])).toMatchObject({ gets: 1 });
  });

  it("have a line for each place, and cells without a number of tasks", () => {
    const cell = { text: "40.0", value: 0.4, floor: { name: "filler", gets: 0.125 } };
    const lines = ["easy", "hard", "easy"].map((of) => ({ of, cells: [cell] }));
    expect(floorLines(lines, (of) => of)).toEqual([
      { label: "floor (filler)", of: "easy", cells: [{ text: "12.5", value: 0.125, note: "filler" }] },
      { label: "floor (filler)", of: "hard", cells: [{ text: "12.5", value: 0.125, note: "filler" }] },
    ]);
    expect(floorLines(lines)).toHaveLength(1);
  });

  it("that only a judge could score are named in a note, and all answers if no cell has a floor", () => {
    const known = (unscored: readonly string[], ...names: readonly string[]) => ({
      floors: { ...floorsOf(Object.fromEntries(names.map((name) => [name, []]))), unscored },
    });
    const [some, none] = [{ floor: { name: "filler", gets: 0 } }, {}];
    const note = (names: string) => [`No floor for ${names}, because only a judge can score the answers`];
    expect(floorNotes(right!, [some, none], [known([], "filler")])).toEqual([]);
    expect(floorNotes(right!, [some, none], [known(["nothing"], "filler"), known(["nothing"])])).toEqual(
      note("nothing"),
    );
    expect(floorNotes(right!, [none, none], [known(["nothing"], "filler"), {}])).toEqual(note("filler, nothing"));
    expect(floorNotes(waste!, [none], [known(["nothing"], "filler")])).toEqual(note("nothing"));
    expect(floorNotes(right!, [none], [known(["nothing"], "filler")])).toEqual(note("filler, nothing"));
    expect(floorNotes(right!, [], [known([], "filler")])).toEqual([]);
    expect(floorNotes(right!, [none], [{}])).toEqual([]);
  });
});

describe("figures with floors", () => {
  const run = runOf(12, floorsOf({ nothing: [], filler: upTo(11) }));
  const figures = (floor: string) =>
    overview.compute([run], { mode: "strict", effort: "off", intervals: "off", floor }, {}) as [
      BarsFigure,
      TableFigure,
    ];

  it("draw the floor as a faint line in bars, with the name of the trivial answer", () => {
    const [bars] = figures("off");
    const { body, foot } = drawFigure(bars, { width: 70, ascii: false });
    expect(body[0]!.some(({ text, style }) => text === "╎" && style === "faint")).toBe(true);
    expect(
      foot
        .flat()
        .map(({ text }) => text)
        .join(" "),
    ).toContain("╎ floor (filler)");
    expect(figureSvg(bars, [])).toContain("dotted: floor (filler)");
  });

  it("have a row for the floor in the table only with `floor: on`", () => {
    const [, off] = figures("off");
    const [, on] = figures("on");
    expect(off.rows).toHaveLength(1);
    expect(on.rows.map((row) => row.map(({ text }) => text))).toEqual([
      ["a", "60.00", "20"],
      ["floor (filler)", "55.00", ""],
    ]);
  });

  it("have the same values and intervals as figures without floors", () => {
    const { floors: _, ...bare } = run;
    const without = overview.compute([bare], { mode: "strict", effort: "off" }, {}) as [BarsFigure, TableFigure];
    const plain = (figure: BarsFigure) => figure.bars.map(({ cell, low, high }) => [cell.text, cell.value, low, high]);
    expect(plain(figures("off")[0])).toEqual(plain(without[0]));
  });

  it("report which results are not above the floor, and show the difference under the cursor", () => {
    const [bars, table] = figures("off");
    expect(prepared(table).notes([])).toContain("Not above the floor at 95 %: a (Right)");
    expect(prepared(bars).notes([])).toContain("Not above the floor at 95 %: a");
    expect(prepared(bars).stops.row(0)[0]!.cell!.note).toMatch(
      /floor 55.00 \(filler\): not above the floor, difference \+5\.00 \(95 % interval -\d+\.\d\d to \+\d+\.\d\d\)/,
    );
    expect(prepared(table).look.floors).toBe("Floor, in %: Right 55.00 (filler)");
  });

  it("have no note on a result that is above its floor", () => {
    const better = runOf(19, floorsOf({ nothing: [], filler: upTo(3) }));
    const [bars] = overview.compute([better], { mode: "strict", effort: "off" }, {});
    expect(prepared(bars!).notes([]).join()).not.toContain("Not above");
  });
});
