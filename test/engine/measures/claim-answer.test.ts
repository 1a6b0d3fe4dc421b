import { describe, expect, test } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { claimAnswers, claimTables, claimTests, type ClaimTest } from "../../../source/engine/measures/claim-test.ts";
import { type Claim, readClaim } from "../../../source/engine/measures/claim.ts";
import { detectableShare, mcnemarPower } from "../../../source/engine/statistics/detectable-difference.ts";
import { pairedProportion } from "../../../source/engine/statistics/paired-proportion.ts";
import type { TableFigure } from "../../../source/engine/figure.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";
import { madeRun, madeSuite, texts } from "../../analyses/made-run.ts";

const option = (name: string, more: object) => ({ name, title: name, values: ["on", "off"], default: "off", ...more });
const suite = {
  ...madeSuite,
  options: [option("prompting", {}), option("hints", { quiet: true })],
} as unknown as Suite;

/** Tasks of which the first `right` are right and the first `easy` are easy. */
const rows = (n: number, right: number, easy = n) =>
  Array.from({ length: n }, (_, index) => ({
    task: `t${index}`,
    right: index < right ? 1 : 0,
    facets: { level: index < easy ? "easy" : "hard" },
  }));
const run = (
  name: string,
  model: string,
  options: Record<string, string>,
  made: Parameters<typeof madeRun>[1],
): RunRows => madeRun(name, made, { suite, spec: bareSpec("made", { model, options }) });

const claim = (text: string) => readClaim(text) as Claim;
const tests = (text: string, runs: readonly RunRows[]) => claimTests(claim(text), runs) as readonly ClaimTest[];
const problem = (text: string, runs: readonly RunRows[]) =>
  (claimTests(claim(text), runs) as { problem: string }).problem;

const runs = [
  run("big on", "lab/big", { prompting: "on" }, rows(40, 30)),
  run("big off", "lab/big", { prompting: "off" }, rows(40, 10)),
  run("small on", "lab/small", { prompting: "on" }, rows(40, 8)),
  run("small off", "lab/small", { prompting: "off" }, rows(40, 9)),
];

describe("a claim about a setting of the runs", () => {
  test("has one answer for the runs of a model on several splits", () => {
    const on = (split: string, prompting: string, right: number) => {
      const made = rows(20, right).map((row) => ({ ...row, task: `${split} ${row.task}` }));
      const spec = bareSpec("made", { model: "lab/big", split, options: { prompting } });
      return madeRun(`${split} ${prompting}`, made, { suite, spec });
    };
    const both = [on("a", "on", 15), on("b", "on", 15), on("a", "off", 5), on("b", "off", 5)];
    const [one, ...more] = tests("prompting=on > prompting=off on right", both);
    expect(more).toEqual([]);
    expect(one).toMatchObject({ n: 40, values: [0.75, 0.25] });
    expect(one!.test!.interval(0.05)).toEqual(pairedProportion(20, 0, 40));
    // Splits may ask different things about the same questions.
    const asked = (split: string, level: string, right: number) =>
      madeRun(
        split,
        rows(20, right).map((row) => ({ ...row, facets: { level } })),
        {
          suite,
          spec: bareSpec("made", { model: "lab/big", split }),
        },
      );
    expect(tests("level=easy > level=hard on right", [asked("a", "easy", 15), asked("b", "hard", 5)])).toMatchObject([
      { n: 40, values: [0.75, 0.25] },
    ]);
    // The claim is about the splits themselves.
    expect(problem("split=a > split=b on right", both.slice(0, 1))).toContain("`split` that a run has (a), got `b`");
  });

  test("can contain the last word of a setting's name, and then refers to the first setting with that word", () => {
    const two = { ...suite, options: [option("clusters.depth", {}), option("search.depth", {})] } as unknown as Suite;
    const made = (name: string, clusters: string, search: string, right: number) =>
      madeRun(name, rows(20, right), {
        suite: two,
        spec: bareSpec("made", { model: "lab/big", options: { "clusters.depth": clusters, "search.depth": search } }),
      });
    const apart = [made("a", "1", "1", 15), made("b", "2", "1", 5)];
    expect(tests("depth=1 > depth=2 on right", apart)).toMatchObject([{ values: [0.75, 0.25] }]);
  });

  test("is tested for each model on the runs that differ only in the setting, paired by task", () => {
    const [big, small, ...more] = tests("prompting=on > prompting=off on right", runs);
    expect(more).toEqual([]);
    expect([big!.label, small!.label]).toEqual(["lab/big", "lab/small"]);
    expect(big).toMatchObject({ n: 40, values: [0.75, 0.25], bound: 0 });
    expect(big!.test).toMatchObject({ difference: 0.5 });
    expect(big!.test!.interval(0.05)).toEqual(pairedProportion(20, 0, 40));
    // Tasks on which they differ, from both runs.
    expect(big!.deciding).toHaveLength(40);
    expect(big!.deciding[0]).toEqual({ run: "big on", task: "t10" });
    expect(small!.deciding).toEqual([
      { run: "small on", task: "t8" },
      { run: "small off", task: "t8" },
    ]);
  });

  test("does not pair runs that differ in another setting, even in a setting that is not part of the ids", () => {
    const [one, other] = [
      run("on", "lab/big", { prompting: "on", hints: "on" }, rows(40, 30)),
      run("off", "lab/big", { prompting: "off" }, rows(40, 10)),
    ];
    expect(problem("prompting=on > prompting=off on right", [one, other])).toContain(
      "to be about runs that differ in `prompting` only, found none",
    );
    const hints = [one, { ...other, spec: bareSpec("made", { model: "lab/big", options: { prompting: "on" } }) }];
    expect(tests("hints=on > hints=off on right", hints)).toHaveLength(1);
  });

  test("pairs strategies if only one of the two has the differing role", () => {
    const made = (name: string, more: Partial<RunSpec>) =>
      madeRun(name, rows(40, 30), { suite, spec: bareSpec("made", { model: "lab/big", ...more }) });
    const react = made("react", { strategy: "react" });
    const acted = (name: string, actor: string, strategy = "adaplanner") => made(name, { strategy, actor });
    const text = "strategy=react > strategy=adaplanner on right";
    expect(tests(text, [react, acted("a", "lab/one")])).toHaveLength(1);
    expect(problem(text, [acted("a", "lab/one", "react"), acted("b", "lab/two")])).toContain("found none");
    expect(tests(text, [acted("a", "lab/one", "react"), acted("b", "lab/one")])).toHaveLength(1);
    expect(problem(text, [react, made("b", { strategy: "adaplanner", judge: "lab/judge" })])).toContain("found none");
  });

  test("does not pair runs whose judges have different prompts, unless prompts are compared", () => {
    const made = (prompting: string, judgePrompts: Readonly<Record<string, string>>) =>
      madeRun(prompting, rows(40, 30), {
        suite,
        spec: bareSpec("made", { model: "lab/big", options: { prompting }, judgePrompts }),
      });
    const text = "prompting=on > prompting=off on right";
    expect(tests(text, [made("on", { a: "x" }), made("off", { a: "x" })])).toHaveLength(1);
    expect(problem(text, [made("on", { a: "x" }), made("off", { a: "y" })])).toContain("found none");
  });

  test("is not tested until rows arrive, and uses only tasks that both runs have", () => {
    const some = [runs[0]!, run("big off", "lab/big", { prompting: "off" }, rows(12, 3))];
    expect(tests("prompting=on > prompting=off on right", some)[0]!.n).toBe(12);
    const none = [runs[0]!, run("big off", "lab/big", { prompting: "off" }, [])];
    expect(tests("prompting=on > prompting=off on right", none)).toMatchObject([{ test: undefined, n: 0 }]);
    expect(claimAnswers(tests("prompting=on > prompting=off on right", none))).toMatchObject([
      { answer: "not decided", p: undefined, interval: undefined },
    ]);
    expect(tests("prompting=on > prompting=off on right", [])).toEqual([]);
  });

  test.each([
    ["prompting=on > prompting=sideways on right", "a value of `prompting` that a run has (on, off), got `sideways`"],
    ["colour=red > colour=blue on right", "to name a setting of the runs or a facet of their tasks (model, "],
    ["prompting=on > prompting=off on beauty", "to name a measure (strict.right, loose.waste), got `beauty`"],
    [
      "prompting=on > prompting=off on argument-em",
      "a measure that has a value for each task (strict.right, loose.waste)",
    ],
    ["level=easy > level=soft on right", "a value of `level` (easy, hard), got `soft`"],
  ])("reports the mistake: %s", (text, why) => expect(problem(text, runs)).toContain(why));
});

describe("a claim about groups of tasks", () => {
  test("is tested within each run, unpaired, and all trials of a task count as one", () => {
    const twice = [...rows(40, 20, 20), ...rows(40, 20, 20)];
    const [found] = tests("level=easy > level=hard on right", [run("big", "lab/big", {}, twice)]);
    expect(found).toMatchObject({ label: "big", n: 40, values: [1, 0] });
    expect(found!.test).toMatchObject({ difference: 1, test: "unpaired shares: Newcombe's interval" });
    expect(found!.deciding).toHaveLength(80);
  });
});

describe("the claims of a notebook", () => {
  const answers = (...found: readonly (readonly ClaimTest[])[]) => claimAnswers(found.flat());

  test("are answered with yes, no or not decided, and each answer has an interval and p", () => {
    const [big, small] = answers(tests("prompting=on > prompting=off on right", runs));
    expect([big!.answer, small!.answer]).toEqual(["yes", "not decided"]);
    const [no] = answers(tests("prompting=off > prompting=on on right", runs));
    expect(no!.answer).toBe("no");
    expect(no!.interval!.high).toBeLessThan(0);
    const bound = (least: number) =>
      answers(tests(`prompting=on > prompting=off on right by ${least}`, runs))[0]!.answer;
    expect([bound(20), bound(50), bound(90)]).toEqual(["yes", "not decided", "no"]);
  });

  test("are corrected by Holm, so a claim that is decided alone can be undecided among others", () => {
    // 8 gained of 40, none lost: p = 0.0078.
    const weak = [
      run("on", "lab/big", { prompting: "on" }, rows(40, 18)),
      run("off", "lab/big", { prompting: "off" }, rows(40, 10)),
    ];
    const one = tests("prompting=on > prompting=off on right", weak);
    expect(answers(one)[0]).toMatchObject({ answer: "yes", interval: pairedProportion(8, 0, 40, 0.05) });
    const others = Array.from({ length: 6 }, () =>
      tests("prompting=on > prompting=off on right", [runs[2]!, runs[3]!]),
    );
    const [first, ...rest] = answers(one, ...others);
    expect(first!.p).toBeCloseTo(7 * 2 * 0.5 ** 8, 12);
    expect(first).toMatchObject({ answer: "not decided", interval: pairedProportion(8, 0, 40, 0.05 / 7) });
    expect(rest.every(({ answer }) => answer === "not decided")).toBe(true);
    // The smallest p is tested at 0.025, the next at 0.05.
    const [strong, next] = answers(tests("prompting=on > prompting=off on right", runs.slice(0, 2)), one);
    expect(strong!.answer).toBe("yes");
    expect(next!.interval).toEqual(pairedProportion(8, 0, 40, 0.05));
  });

  test("are listed in a table whose cells open the tasks that decide the claim", () => {
    const found = answers(tests("prompting=on > prompting=off on right", runs));
    const [{ title, columns, rows: lines, notes }, ...more] = claimTables(found, 2) as [TableFigure];
    expect([title, more]).toEqual(["Claim: prompting=on > prompting=off on right", []]);
    expect(columns.map(({ title }) => title)).toEqual([
      "Of",
      "Answer",
      "more",
      "less",
      "difference",
      "95 % interval",
      "p",
      "tasks that decide",
      "n",
    ]);
    expect(texts(lines).map((line) => line.slice(0, 5))).toEqual([
      ["lab/big", "yes", "75.00", "25.00", "+50.00"],
      ["lab/small", "not decided", "20.00", "22.50", "-2.50"],
    ]);
    expect(lines[0]![1]!.tasks).toEqual(found[0]!.deciding);
    expect(lines[1]![7]).toMatchObject({ text: "1", tasks: found[1]!.deciding });
    expect(notes.join("\n")).toContain("all 2 claim tests of this notebook");
  });

  test("report the smallest detectable difference if a claim is not decided", () => {
    // Runs of 40 tasks that differ on one of them, on ten in both directions, and nowhere.
    const other = (name: string, right: (index: number) => boolean) =>
      run(
        name,
        "lab/other",
        { prompting: "off" },
        rows(40, 0).map((row, index) => ({ ...row, right: right(index) ? 1 : 0 })),
      );
    const on = run("on", "lab/other", { prompting: "on" }, rows(40, 20));
    const [found] = answers(
      tests("prompting=on > prompting=off on right", [on, other("off", (at) => at >= 5 && at < 25)]),
    );
    expect(found).toMatchObject({ answer: "not decided", detectable: detectableShare(40, 10 / 40) });
    expect(mcnemarPower(40, 10 / 40, found!.detectable!)).toBeCloseTo(0.8, 3);
    expect((claimTables([found!], 1)[0] as TableFigure).notes.at(-1)).toBe(
      `Detectable difference (80 % power, p < 0.05 before Holm's correction): at least ${(found!.detectable! * 100).toFixed(2)}`,
    );
    const [one] = answers(tests("prompting=on > prompting=off on right", [on, other("off", (at) => at < 21)]));
    expect((claimTables([one!], 1)[0] as TableFigure).notes.at(-1)).toMatch(/correction\): none$/);
    const far = answers(
      tests("prompting=on > prompting=off on right by 5", [on, other("off", (at) => at >= 5 && at < 25)]),
    );
    expect((claimTables(far, 1)[0] as TableFigure).notes.at(-1)).toMatch(
      /^Detectable distance from the claimed difference/,
    );
    expect(answers(tests("prompting=on > prompting=off on right", runs))[0]).not.toHaveProperty("detectable");
    // Groups: 1.96 and 0.84 standard errors of two shares of 20 tasks each, 12 and 8 of them right.
    const groups = rows(40, 0, 20).map((row, index) => ({ ...row, right: index < 12 || index >= 32 ? 1 : 0 }));
    const [between] = answers(tests("level=easy > level=hard on right", [run("big", "lab/big", {}, groups)]));
    expect(between!.answer).toBe("not decided");
    expect(between!.detectable).toBeCloseTo((1.959964 + 0.841621) * Math.sqrt((2 * 0.6 * 0.4) / 19), 5);
  });
});
