/** Claims with given tests, and the runs and groups that a claim compares. */
import { describe, expect, test } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import type { Cell, TableFigure } from "../../../source/engine/figure.ts";
import {
  claimAnswers,
  type ClaimPair,
  claimPairs,
  claimTables,
  type ClaimTest,
  claimTests,
} from "../../../source/engine/measures/claim-test.ts";
import { type Claim, readClaim } from "../../../source/engine/measures/claim.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { Facets, RunSpec } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";
import { madeRun, type MadeRow, madeSuite, texts } from "../../analyses/made-run.ts";

const option = (name: string) => ({ name, title: name, values: ["on", "off"], default: "off" });
const suite = { ...madeSuite, options: [option("prompting"), option("hints")] } as unknown as Suite;
const claim = (text: string) => readClaim(text) as Claim;

const run = (label: string, spec: Partial<RunSpec>, rows: readonly MadeRow[], of = suite): RunRows =>
  madeRun(label, rows, { suite: of, spec: bareSpec("made", { model: "lab/big", ...spec }) });
const task = (name: string, right: number, facets: Facets = {}, metrics: MadeRow["metrics"] = {}): MadeRow => ({
  task: name,
  right,
  facets,
  metrics,
});
const on = run("on", { options: { prompting: "on" } }, [task("a", 1), task("b", 0)]);
const off = run("off", { options: { prompting: "off" } }, [task("a", 0), task("b", 0)]);

const found = (text: string, runs: readonly RunRows[]) => claimTests(claim(text), runs) as readonly ClaimTest[];
const problem = (text: string, runs: readonly RunRows[]) =>
  (claimTests(claim(text), runs) as { readonly problem?: string }).problem;

describe("the pairs of runs of a claim", () => {
  const paired = (text: string) => claimPairs(claim(text), [on, off]);

  test("are the runs on each side, with the measure", () => {
    const pairs = paired("prompting=on > prompting=off on right") as readonly ClaimPair[];
    expect(pairs.map(({ label, more, less, measure }) => [label, more, less, measure.name])).toEqual([
      ["lab/big", on, off, "strict.right"],
    ]);
  });

  test.each([
    ["prompting=on > prompting=off on beauty", "to name a measure (strict.right, loose.waste), got `beauty`"],
    ["level=easy > level=hard on right", "to name a setting of the runs, so that tasks are paired, got `level`"],
    ["prompting=on > prompting=never on right", "to name a value of `prompting` that a run has (on, off), got `never`"],
  ])("are missing if the claim is wrong: %s", (text, why) => {
    expect(paired(text)).toEqual({ problem: `Expected \`claim: ${text}\` ${why}` });
  });
});

describe("the setting of a claim", () => {
  test("is the setting with exactly this name, otherwise the first whose last word it is", () => {
    const two = {
      ...suite,
      options: [option("search.depth"), option("plan.depth"), option("depth")],
    } as unknown as Suite;
    const made = (options: Record<string, string>) => run(JSON.stringify(options), { options }, [task("a", 1)], two);
    const sides = (...all: readonly Record<string, string>[]) =>
      claimPairs(claim("depth=1 > depth=2 on right"), all.map(made));
    const rest = { "search.depth": "1", "plan.depth": "1" };
    expect(sides({ ...rest, depth: "1" }, { ...rest, depth: "2" })).toHaveLength(1);
    const without = { ...suite, options: [option("search.depth"), option("plan.depth")] } as unknown as Suite;
    const shorter = (depth: string) =>
      run(depth, { options: { "search.depth": depth, "plan.depth": "1" } }, [task("a", 1)], without);
    expect(claimPairs(claim("depth=1 > depth=2 on right"), [shorter("1"), shorter("2")])).toHaveLength(1);
  });

  test("distinguishes pairs in their labels by the settings in which they differ, besides the model and itself", () => {
    const labels = (text: string, ...runs: readonly RunRows[]) => found(text, runs).map(({ label }) => label);
    const warm = (prompting: string, temperature: number) =>
      run(`${prompting} ${temperature}`, { temperature, options: { prompting } }, [task("a", 1)]);
    expect(
      labels("prompting=on > prompting=off on right", warm("on", 0), warm("off", 0), warm("on", 1), warm("off", 1)),
    ).toEqual(["lab/big · temperature 0", "lab/big · temperature 1"]);
    // Both pairs have the same first run, which is all that a label names.
    const shot = (shots: number, hints: string) =>
      run(`${shots} ${hints}`, { shots, options: { hints } }, [task("a", 1)]);
    expect(labels("shots=3 > shots=0 on right", shot(3, "on"), shot(0, "on"), shot(3, "off"), shot(0, "off"))).toEqual([
      "lab/big · hints on",
      "lab/big · hints off",
    ]);
    const by = (model: string, label: string) => run(label, { model }, [task("a", 1)]);
    expect(labels("model=lab/one > model=lab/two on right", by("lab/one", "first"), by("lab/two", "second"))).toEqual([
      "first",
    ]);
    const imported = (prompting: string) =>
      run(`answers ${prompting}`, { model: "none", options: { prompting } }, [task("a", 1)]);
    expect(labels("prompting=on > prompting=off on right", imported("on"), imported("off"))).toEqual(["answers on"]);
  });
});

describe("a claim about groups of tasks", () => {
  const rows = [task("a", 1, { parallel: 1 }), task("b", 0, { parallel: 2 }), task("c", 1, { parallel: 2 })];

  test("knows the values of a facet without a given order from the rows, and names the first value that is unknown", () => {
    const [one] = found("parallel=1 > parallel=2 on right", [run("one", {}, rows)]);
    expect(one).toMatchObject({ label: "one", n: 3, values: [1, 0.5], bound: 0 });
    const text = "parallel=7 > parallel=8 on right";
    expect(problem(text, [run("one", {}, rows)])).toBe(
      `Expected \`claim: ${text}\` to name a value of \`parallel\` (1, 2), got \`7\``,
    );
  });

  test("accepts any value until one of the runs has a row", () => {
    const text = "parallel=7 > parallel=1 on right";
    const [empty, other] = [run("empty", {}, []), run("other", { temperature: 1 }, [])];
    expect(found(text, [empty, other])).toMatchObject([
      { n: 0, test: undefined, values: [undefined, undefined] },
      { n: 0, test: undefined },
    ]);
    const started = run("started", { temperature: 1 }, rows.slice(0, 1));
    expect(problem(text, [empty, started])).toContain("(1), got `7`");
    expect(problem(text, [started, empty])).toContain("(1), got `7`");
  });

  test("has a bound in the measure's own values: points are hundredths, other numbers are as written", () => {
    const wasted = rows.map((row, at) => ({ ...row, metrics: { waste: at } }));
    const runs = [run("one", {}, wasted)];
    expect(found("parallel=1 > parallel=2 on right by 5", runs)[0]!.bound).toBe(0.05);
    expect(found("parallel=1 > parallel=2 on waste by 5", runs)[0]!.bound).toBe(5);
    expect(found("parallel=1 > parallel=2 on right by 5", runs)[0]!.test!.difference).toBe(0.5);
  });
});

const usual = claim("prompting=on > prompting=off on right");

/** A test that has this p value, and whose interval shows the level at which it is made. */
const given = (
  p: number,
  more: Partial<ClaimTest> & { readonly difference?: number; readonly detectable?: number } = {},
) => {
  const { difference = 0.25, detectable = 0.125, ...rest } = more;
  return {
    claim: usual,
    label: `p ${p}`,
    measure: { name: "right", title: "Right", unit: "percent" },
    bound: 0,
    more: [],
    less: [],
    values: [0.75, 0.5],
    n: 40,
    deciding: [],
    test: {
      difference,
      p,
      test: "a test",
      interval: (level) => ({ low: level, high: 1 }),
      detectable: () => detectable,
    },
    ...rest,
  } satisfies ClaimTest as ClaimTest;
};

describe("the answers to given tests", () => {
  const shown = (...tests: readonly ClaimTest[]) =>
    claimAnswers(tests).map(({ answer, interval, p }) => [answer, interval?.low, p]);

  test("have Holm's levels in the order of p, whatever the order of the claims", () => {
    expect(shown(given(0.03), given(0.5), given(0.001))).toEqual([
      // 0.03 is not below 0.05 / 2, and later p values have its level.
      ["not decided", 0.05 / 2, 0.06],
      ["not decided", 0.05 / 2, 0.5],
      ["yes", 0.05 / 3, 0.003],
    ]);
    expect(shown(given(0.02), given(0.04), given(0.001)).map(([answer, level]) => [answer, level])).toEqual([
      ["yes", 0.05 / 2],
      ["yes", 0.05],
      ["yes", 0.05 / 3],
    ]);
  });

  test("are not decided at a p value that equals its level, which does not raise the next level", () => {
    expect(shown(given(0.05))).toEqual([["not decided", 0.05, 0.05]]);
    expect(shown(given(0.025), given(0.04)).map(([answer, level]) => [answer, level])).toEqual([
      ["not decided", 0.025],
      ["not decided", 0.025],
    ]);
  });

  test("are yes only if the difference is above the bound", () => {
    const decided = (difference: number) => shown(given(0.001, { difference, bound: 0.25 }))[0]![0];
    expect([decided(0.26), decided(0.25), decided(0.24)]).toEqual(["yes", "no", "no"]);
  });

  test("leave a claim without a test undecided, and its test out of the correction", () => {
    const [none, one] = claimAnswers([given(1, { test: undefined }), given(0.04)]);
    expect(none).toMatchObject({ answer: "not decided", p: undefined, difference: undefined, test: undefined });
    expect(none).not.toHaveProperty("detectable");
    expect(one).toMatchObject({ answer: "yes", p: 0.04, difference: 0.25, test: "a test" });
    expect(one).not.toHaveProperty("detectable");
  });
});

describe("the table of a claim", () => {
  const tableOf = (all: number, ...tests: readonly ClaimTest[]) =>
    claimTables(claimAnswers(tests), all)[0] as TableFigure;
  const [above] = [
    /^Yes: the interval of the difference is above the claimed difference; no: the interval is below it/,
  ];

  test("has the values of both sides, the difference with its sign, the interval, p, and the tasks", () => {
    const deciding = [
      { run: "on", task: "a" },
      { run: "off", task: "a" },
      { run: "on", task: "b" },
    ];
    const { more, less } = found("prompting=on > prompting=off on right", [on, off])[0]!;
    const { rows } = tableOf(
      4,
      given(0.00005, { deciding, more, less }),
      given(0.0001, { difference: -0.25 }),
      given(0.5, { difference: 0 }),
    );
    expect(texts(rows)).toEqual([
      ["p 0.00005", "yes", "75.00", "50.00", "+25.00", "[1.67, 100.00]", "0.0002", "2", "40"],
      ["p 0.0001", "no", "75.00", "50.00", "-25.00", "[2.50, 100.00]", "0.0002", "0", "40"],
      ["p 0.5", "not decided", "75.00", "50.00", "0.00", "[5.00, 100.00]", "0.5000", "0", "40"],
    ]);
    const [first] = rows as readonly (readonly Cell[])[];
    expect(first![2]).toMatchObject({ value: 0.75, n: 2, tasks: more.map(({ run, task }) => ({ run, task })) });
    expect(first![3]!.tasks).toEqual(less.map(({ run, task }) => ({ run, task })));
    expect(first![4]).toMatchObject({ value: 0.25, tasks: deciding });
    expect(first![6]!.value).toBeCloseTo(0.00015, 12);
    expect(first![7]!.tasks).toEqual(deciding);
    expect(first![8]).toMatchObject({ value: 40, tasks: [...more, ...less].map(({ run, task }) => ({ run, task })) });
    expect(texts(tableOf(1, given(0.00001)).rows)[0]![6]).toBe("<0.0001");
    expect(texts(tableOf(1, given(0.0001)).rows)[0]![6]).toBe("0.0001");
    const untested = tableOf(1, given(1, { test: undefined, values: [undefined, 0.5] })).rows;
    for (const column of [2, 4, 6]) expect(untested[0]![column]).not.toHaveProperty("value");
    expect(texts(untested)).toEqual([["p 1", "not decided", "-", "50.00", "-", "-", "-", "0", "40"]]);
  });

  test("names each kind of test once, and the number of corrected answers", () => {
    expect(tableOf(1, given(0.001)).notes).toEqual([
      expect.stringMatching(new RegExp(`${above!.source}\\. Test: a test$`)),
      "Interval and p are corrected by Holm's method for the only claim test of this notebook",
    ]);
    const other = given(0.002);
    const { notes } = tableOf(3, given(0.001), { ...other, test: { ...other.test!, test: "another" } }, given(0.003));
    expect(notes).toEqual([
      expect.stringMatching(/below it\. Test: a test; another$/),
      "Interval and p are corrected by Holm's method for all 3 claim tests of this notebook",
    ]);
    expect(tableOf(1, given(1, { test: undefined })).notes[0]).toMatch(/below it$/);
  });

  test("names the detectable differences of undecided answers, with labels if the claim has several answers", () => {
    const last = (...tests: readonly ClaimTest[]) => tableOf(2, ...tests).notes.at(-1);
    const start = "(80 % power, p < 0.05 before Holm's correction):";
    expect(last(given(0.5))).toBe(`Detectable difference ${start} at least 12.50`);
    expect(last(given(0.5), given(0.001))).toBe(`Detectable difference ${start} p 0.5: at least 12.50`);
    expect(last(given(0.5), given(0.6))).toBe(
      `Detectable difference ${start} p 0.5: at least 12.50; p 0.6: at least 12.50`,
    );
    const far = given(0.5, { claim: claim("prompting=on > prompting=off on right by 1"), bound: 0.01 });
    expect(last(far)).toBe(`Detectable distance from the claimed difference ${start} at least 12.50`);
  });

  test("tells when the claim was written, and how many tasks had a result by then", () => {
    const noted = (known: number) => {
      const written = { at: "2026-02-03T04:05:06.789Z", known, of: 40 };
      return tableOf(
        1,
        given(0.001, { claim: { ...claim("prompting=on > prompting=off on right"), written } }),
      ).notes.at(-1);
    };
    expect(noted(0)).toBe("Claim written before any result, 2026-02-03 04:05 UTC");
    expect(noted(1)).toBe("Claim written after results of 1 of 40 tasks, 2026-02-03 04:05 UTC");
  });

  test("is separate for each claim", () => {
    const other = given(0.002, { claim: claim("hints=on > hints=off on right") });
    expect(claimTables(claimAnswers([given(0.001), other]), 2).map(({ title }) => title)).toEqual([
      "Claim: prompting=on > prompting=off on right",
      "Claim: hints=on > hints=off on right",
    ]);
  });
});
