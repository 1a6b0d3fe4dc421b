import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeAgreement } from "../../analyses/judge-agreement.ts";
import { overview } from "../../analyses/overview.ts";
import type { RunRows, Codebook, FileLabels, TaskCodes } from "../../source/engine/analysis.ts";
import type { GridFigure, TableFigure } from "../../source/engine/figure.ts";
import { withJudgeNotes } from "../../source/engine/session/judging/judge-notes.ts";
import type { Row } from "../../source/engine/types.ts";
import { describePublished, shared, sharedJson } from "../shared.ts";
import { madeRow, madeRun, madeSpec, madeSuite, texts } from "./made-run.ts";

const usage = {
  calls: 1,
  toolCalls: 0,
  retries: 0,
  tokens: { input: 0, output: 0, estimated: false },
  cost: 0,
  seconds: 1,
};

/** A run whose judge gave these verdicts: null for an unreadable reply. */
function judgedRun(
  judge: string,
  verdicts: Readonly<Record<string, boolean | null>>,
  { model = "lab/small", codes, labels = {} }: Made = {},
): RunRows {
  const run = `${model} ${judge}`;
  const rows = Object.entries(verdicts).map(([task, verdict]): Row => {
    const right = verdict === null ? null : Number(verdict);
    const row = madeRow(run, { task, right });
    return { ...row, judging: usage, score: { ...row.score!, labels: labels[task] ?? {} } };
  });
  const spec = { ...madeSpec, model, judge };
  return madeRun(run, [], {
    rows,
    spec,
    suite: { ...madeSuite, strategies: [{ name: madeSpec.strategy }] as never },
    ...(codes && { codes }),
  });
}
type Made = {
  readonly model?: string;
  readonly codes?: Codebook;
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const fileOf = (lines: FileLabels["lines"]): Codebook => ({
  kinds: [],
  runs: new Map(),
  checks: [{ people: "labels.csv:people" }],
  labels: new Map([["labels.csv:people", { lines }]]),
});

const at = "2026-01-01T00:00:00.000Z";
/** Labels of one person: success or failure by task, drawn at random or not. */
function labelledBy(run: string, success: readonly string[], failure: readonly string[], isDrawn = true): Codebook {
  const sample = isDrawn ? { sample: { seed: 1, n: 99, runs: [run] } } : {};
  const tasks = [...success, ...failure].map((task): [string, TaskCodes] => [
    task,
    {
      codes: success.includes(task) ? [{ id: `c${task}`, by: "anna", at, kind: "success" }] : [],
      labelled: [{ id: `l${task}`, by: "anna", at, ...sample }],
    },
  ]);
  return { kinds: [{ name: "success" }], runs: new Map([[run, new Map(tasks)]]) };
}

type AnyFigure = Omit<TableFigure, "kind"> & Omit<GridFigure, "kind">;
const compute = (runs: readonly RunRows[], chosen: Readonly<Record<string, string>>) =>
  judgeAgreement.compute(runs, { positive: "usual", ...chosen }) as readonly unknown[] as readonly AnyFigure[];

describePublished("ten judges of the same 95 answers", () => {
  type Fixture = { official: Record<string, { all: Record<string, number & number[]> }>; group: Record<string, any> };
  const fixture = sharedJson<Fixture>("conformance", "judges", "livemcpbench.json");
  const lines = readFileSync(shared("data", "judges", "livemcpbench.csv"), "utf8")
    .trim()
    .split(/\r?\n/)
    .slice(1);
  const rows = lines.map((line) => line.split(","));
  const people = rows.map(([task, , , value]) => ({ task: task!, value: value! }));
  const codes = fileOf([...new Map(people.map((each) => [each.task, each])).values()]);
  const runs = [...Map.groupBy(rows, ([, , judge]) => judge!)].map(([judge, own]) =>
    judgedRun(judge, Object.fromEntries(own.map(([task, , , , official]) => [task!, official === "success"])), {
      codes,
    }),
  );
  const figures = compute(runs, { people: "labels.csv:people" });

  it("agree with people as in the published labels", () => {
    const [table] = figures;
    expect(table!.rows).toHaveLength(10);
    for (const [name, , , agreement, kappa, sensitivity, specificity, says, said, lean, p] of table!.rows) {
      const { all } = fixture.official[name!.text]!;
      const ends = (cell: typeof kappa) => [cell!.low, cell!.high];
      const close = (actual: unknown, expected: unknown) => expect(actual).toBeCloseTo(expected as number, 12);
      close(agreement!.value, all["agreement"]);
      close(kappa!.value, all["kappa"]);
      for (const [at, end] of ends(kappa).entries()) close(end, all["kappa_ci"]![at]);
      for (const [at, end] of ends(sensitivity).entries()) close(end, all["sensitivity_wilson"]![at]);
      close(specificity!.value, all["specificity"]);
      close(says!.value, all["judge_rate"]);
      close(said!.value, all["people_rate"]);
      close(lean!.value, all["bias"]);
      close(p!.value, all["mcnemar_exact"]);
    }
  });

  it("agree among themselves by the published labels' Fleiss' kappa and matrix", () => {
    const grid = figures.find(({ title }) => title === "Cohen's kappa of each pair of judges")!;
    const { fleiss_kappa: fleiss, pairwise_kappa: pairs, unanimous, judges } = fixture.group["official"];
    const order = grid.x.ticks.map((judge: string) => judges.indexOf(judge));
    for (const [y, row] of grid.cells.entries())
      for (const [x, cell] of row.entries()) {
        const expected = pairs[order[y]!][order[x]!];
        if (expected === null) expect(cell).toBeUndefined();
        else expect(cell!.value).toBeCloseTo(expected, 12);
      }
    expect(grid.notes[0]).toContain(`Fleiss' kappa of all 10 judges: ${fleiss.toFixed(3)}, over 95 answers`);
    expect(grid.notes[1]).toBe(`All judges agree on ${unanimous} answers; 9 ties without a verdict`);
  });

  it("have a note that labels of chosen tasks do not correct the rate", () => {
    expect(figures[0]!.notes).toContain(
      "95 labels of chosen tasks count only for agreement, which may differ on other tasks; only labels of tasks drawn at random correct the rates",
    );
    const rates = figures.find(({ title }) => title.startsWith("Success by judges"))!;
    expect(texts(rates.rows).map((row) => row.slice(3, 6))).toEqual(Array.from({ length: 10 }, () => ["-", "-", "-"]));
  });
});

describe("the comparison of a judge with people", () => {
  const run = "lab/small lab/judge";
  const verdicts = { a: true, b: true, c: true, d: false, e: false, f: null, g: true, h: false };
  const codes = labelledBy(run, ["a", "b", "d", "f"], ["c", "e"]);
  const judged = judgedRun("lab/judge", verdicts, { codes });
  const [table, confusion] = compute([judged], { people: "anna" });

  it("omits and counts unreadable verdicts", () => {
    const [line] = texts(table!.rows);
    expect(line!.slice(0, 4)).toEqual(["lab/judge", "5", "1", "60.00"]);
    expect(table!.rows[0]![2]!.tasks).toEqual([{ run, task: "f" }]);
  });

  it("has a confusion matrix whose cells open their tasks", () => {
    expect(confusion!.x.ticks).toEqual(["success", "failure", "no verdict"]);
    expect(confusion!.cells.map((row) => row.map((cell) => cell!.tasks!.map(({ task }) => task).join()))).toEqual([
      ["a,b", "d", "f"],
      ["c", "e", ""],
    ]);
  });

  it("warns of few labels, and of a kappa near 0, which is agreement by chance", () => {
    expect(table!.notes).toContain(
      "lab/judge: judge checked on 5 answers: no better than chance (kappa 0.17), few labels (no readable verdict on 1 of 6 labelled answers)",
    );
    expect(table!.rows[0]!.at(-1)!.text).toBe("few labels");
  });

  it("shows people's rate and the power-tuned rate next to the judge's uncorrected rate, also in the overview", () => {
    const rates = compute([judged], { people: "anna" }).at(-1)!;
    // By the formulas in Python: y = 1 1 0 1 0, z = 1 1 1 0 0 of five drawn tasks, and 1 0 of the two others.
    const [raw, people, tuned] = rates.rows[0]!.slice(2, 5);
    expect(raw).toMatchObject({ text: "57.14", n: 7 });
    expect(people).toMatchObject({ text: "60.00", n: 5 });
    expect(tuned!.value).toBeCloseTo(0.5953333333333333, 12);
    expect(overview.compute([judged], { mode: "strict" }).at(-1)!.title).toBe(
      "Success by judges, by people, and corrected",
    );
    const [figure] = withJudgeNotes([rates as never], [judged]);
    expect(figure!.notes.at(-1)).toMatch(
      /^judge lab\/judge checked on 5 answers: no better than chance \(kappa 0\.17\), few labels; success by people 60\.0 % \[23\.1, 88\.2\] \(5 randomly drawn answers\); corrected 59\.5 %/,
    );
  });

  it("compares no answers for which the judge only picked the best sample and gave no verdict on each", () => {
    const picking = judgedRun("lab/judge", verdicts, { codes });
    const picked = { ...picking, spec: { ...picking.spec, samples: 3, pick: "judge" as const } };
    expect(judgeAgreement.missing!([picked])).toContain("No task here was judged");
    expect(withJudgeNotes([table as never], [picked])[0]!.notes).toEqual(table!.notes);
    const byMajority = { ...picking, spec: { ...picking.spec, samples: 3, pick: "majority" as const } };
    expect(judgeAgreement.missing!([byMajority])).toBeUndefined();
  });

  it("reports that the judge is unchecked if there are no labels", () => {
    const bare = judgedRun("lab/judge", verdicts);
    expect(judgeAgreement.choices([bare])["people"]).toEqual(["nobody"]);
    const [figure] = compute([bare], { people: "nobody" });
    expect(figure!.rows[0]!.at(-1)!.text).toBe("unchecked");
    expect(figure!.notes).toContain("lab/judge: judge unchecked");
    expect(withJudgeNotes([figure as never], [bare])[0]!.notes.at(-1)).toBe("judge lab/judge unchecked");
  });

  it("corrects an unlabelled run's rate with another run's labels, by Rogan and Gladen's method", () => {
    const other = { ...judgedRun("lab/judge", { a: true, b: false, c: true }, { model: "lab/large" }), codes };
    const rates = compute([judged, other], { people: "anna" }).at(-1)!;
    // se = 2/3, sp = 1/2, p = 2/3: (2/3 + 1/2 - 1) / (1/6) = 1.
    expect(texts(rates.rows).map((row) => [row[0], row[5]])).toEqual([
      ["lab/small", "-"],
      ["lab/large", "100.00"],
    ]);
  });

  it("resamples tasks, not verdicts, for its intervals if tasks have several answers", () => {
    const second = { ...judgedRun("lab/judge", verdicts, { model: "lab/large" }), codes };
    const both = labelledBy("lab/large lab/judge", ["a", "b", "d", "f"], ["c", "e"]);
    const joined = { ...codes, runs: new Map([...codes.runs, ...both.runs]) };
    const runs = [judged, second].map((each) => ({ ...each, codes: joined }));
    const [twice] = compute(runs, { people: "anna" });
    expect(twice!.rows[0]![1]!.text).toBe("10");
    // Answers to the same tasks add no information: the interval is about as wide as for five.
    const width = ({ low = 0, high = 0 }) => high - low;
    expect(width(twice!.rows[0]![3]!)).toBeGreaterThan(0.9 * width(table!.rows[0]![3]!));
    expect(twice!.notes.join()).toContain("intervals resample tasks, not verdicts");
  });
});

describe("the bias of a judge", () => {
  it("towards longer replies is tested by Spearman's rho, equal to SciPy's", () => {
    const lengths = [12, 40, 40, 55, 81, 90, 120, 200, 350];
    const tasks = lengths.map((_, index) => `t${index}`);
    const said = [false, false, true, true, false, true, true, true, true];
    const right = [true, true, true, true, false, false, false, true, false];
    const verdicts = Object.fromEntries(tasks.map((task, index) => [task, said[index]!]));
    const byPeople = (wanted: boolean) => tasks.filter((_, index) => right[index] === wanted);
    const run = judgedRun("lab/judge", verdicts, {
      codes: labelledBy("lab/small lab/judge", byPeople(true), byPeople(false)),
    });
    const answerLengths = new Map(tasks.map((task, index) => [`lab/small lab/judge ${task}`, lengths[index]!]));
    const figure = compute([{ ...run, answerLengths }], { people: "anna" }).find(({ title }) => /Bias/.test(title))!;
    const [, short, middle, long, rho, p] = figure.rows[0]!;
    expect([short, middle, long].map((cell) => cell!.text)).toEqual(["-66.7", "+33.3", "+66.7"]);
    expect(rho!.value).toBeCloseTo(0.7872533945070451, 12);
    expect(p!.value).toBeCloseTo(0.011793391667755447, 12);
  });

  it("towards a position is measured as the share of pairs whose winner changes when the order is reversed", () => {
    const labels = {
      a: { votes: "candidate, candidate" },
      b: { votes: "candidate, reference" },
      c: { votes: "none, reference" },
    };
    const run = judgedRun("lab/judge", { a: true, b: true, c: true }, { labels });
    const figure = compute([run], { people: "nobody" }).find(({ title }) => /Bias/.test(title))!;
    expect(figure.rows[0]!.at(-1)).toMatchObject({ text: "50.00", n: 2 });
    expect(figure.rows[0]!.at(-1)!.tasks!.map(({ task }) => task)).toEqual(["b"]);
  });
});

describe("people's labels from a file", () => {
  const two = ["lab/small", "lab/large"].map((model) => judgedRun("lab/judge", { a: true, b: false }, { model }));
  const withFile = (lines: FileLabels["lines"]) => two.map((run) => ({ ...run, codes: fileOf(lines) }));

  it("refer to one answer, so a file with several answers per task needs a column that distinguishes the answers", () => {
    const [bare] = compute(withFile([{ task: "a", value: "success" }]), { people: "labels.csv:people" });
    expect(bare!.notes[0]).toContain("add a column `model` or `run`");
    expect(bare!.rows[0]![1]!.text).toBe("0");
    const named = withFile([
      { task: "a", value: "success", model: "lab/small" },
      { task: "a", value: "failure", model: "lab/large" },
    ]);
    const [table] = compute(named, { people: "labels.csv:people" });
    expect(texts(table!.rows)[0]!.slice(0, 4)).toEqual(["lab/judge", "2", "0", "50.00"]);
  });

  it("count as success if the label equals the configured value", () => {
    const [run] = withFile([
      { task: "a", value: "fine" },
      { task: "b", value: "bad" },
    ]);
    const [table] = compute([run!], { people: "labels.csv:people", positive: "fine" });
    expect(texts(table!.rows)[0]!.slice(1, 4)).toEqual(["2", "0", "100.00"]);
    expect(judgeAgreement.choices([run!])["positive"]).toEqual(["usual", "fine", "bad"]);
  });
});

describe("the names of judges", () => {
  const verdicts = { a: true, b: false, c: true };
  const people = labelledBy("lab/small judge/strict", ["a", "c"], ["b"]);

  it("are replaced everywhere in the figures by the names that the notebook gives them", () => {
    const [one, other] = [judgedRun("judge/strict", verdicts, { codes: people }), judgedRun("judge/kind", verdicts)];
    const figures = compute([{ ...one, named: { judge: "strict" } }, other], { people: "anna" });
    const text = JSON.stringify(figures, (key, value: unknown) => (key === "tasks" ? undefined : value));
    expect(text).toContain('"strict"');
    expect(text).not.toContain("judge/strict");
    expect(text).toContain("judge/kind");
  });

  it("do not change the numbers", () => {
    const run = judgedRun("judge/strict", verdicts, { codes: people });
    const numbers = (runs: readonly RunRows[]) =>
      JSON.stringify(compute(runs, { people: "anna" })).match(/"value":[\d.]+/g);
    expect(numbers([{ ...run, named: { judge: "strict" } }])).toEqual(numbers([run]));
    expect(numbers([run])).not.toBeNull();
  });
});
