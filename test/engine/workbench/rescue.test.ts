/** Many forks as one run, and the rescue made from them. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBuiltin } from "../../../source/kit/builtin-run.ts";
import { verdictOf } from "../../../source/engine/log/rows/verdict.ts";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { intervalOf } from "../../../source/engine/statistics/mean-interval.ts";
import type { Task } from "../../../source/engine/types.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { pointFacets } from "../../../source/engine/run/fork-point.ts";
import type { TableFigure } from "../../../source/engine/figure.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { suites } from "../../../suites/index.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

const cellText = (kind: string, name: string, text: string) => `\`\`\`${kind} ${name}\n${text}\`\`\`\n\n`;
const appbench = "suite: appbench\nsplit: mm\ndata: sample\nmodel: builtin/slips?garbage=0.5\n";
const arena = (rate: number) =>
  `suite: planningarena\ndata: sample\nmodel: builtin/slips?rate=${rate}\nresponder: builtin/responder\n`;

async function open(...cells: readonly string[]) {
  return sessions.open(cells.join(""), { suites });
}
async function runAll(workbench: SessionWorkbench, ...names: readonly string[]) {
  for (const name of names) await workbench.run(cellNamed(workbench, name));
  workbench.refresh();
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const folders = () => readdirSync(join(sessions.path, "runs")).toSorted();
const wrongOf = (workbench: SessionWorkbench, name: string) =>
  runsOf(workbench, name).flatMap(({ run, part }) =>
    workbench.rows(part ?? run).filter(({ score }) => score?.value !== undefined && score.value < 1),
  );
const problemOf = (workbench: SessionWorkbench, name: string) => {
  workbench.refresh();
  return workbench.state(cellNamed(workbench, name)).problems[0];
};

describe("many forks of another cell's runs", () => {
  const forks = cellText("run", "forks", "model: builtin/oracle\nfork: {of: plans, tasks: wrong, at: requests}\n");

  it("form one run whose tasks are requests of the wrong tasks, and use the settings of the original run", async () => {
    const workbench = await open(cellText("run", "plans", appbench), forks);
    await runAll(workbench, "plans", "forks");
    const wrong = wrongOf(workbench, "plans");
    expect(wrong.length).toBeGreaterThan(0);
    const [run] = runsOf(workbench, "forks");
    expect(run).toMatchObject({
      status: "done",
      total: 2 * wrong.length,
      spec: { model: "builtin/oracle", split: "mm" },
    });
    const rows = workbench.rows(run!.part ?? run!.run);
    expect(rows.map(({ task }) => task)).toEqual(wrong.flatMap(({ task }) => [`${task}@0`, `${task}@1`]));
    expect(rows.map(({ facets }) => facets[pointFacets.request])).toEqual(wrong.flatMap(() => [1, 2]));
    // The first request is reused, and only the second is sent.
    const { entries } = (await workbench.trajectory({ run: run!.run, task: rows[1]!.task }))!;
    expect(entries.flatMap((entry) => (entry.kind === "turn" ? [entry.saved === undefined] : []))).toEqual([
      false,
      true,
    ]);
    expect(await workbench.taskView({ run: run!.run, task: rows[1]!.task })).toBeDefined();
  });

  it("have the same ids for any choice of tasks and requests", async () => {
    const other = forks.replace("run forks", "run all").replace("tasks: wrong", "tasks: all");
    const errors = forks.replace("run forks", "run errors").replace("at: requests", "at: errors");
    const workbench = await open(cellText("run", "plans", appbench), forks, other, errors);
    await runAll(workbench, "plans", "forks");
    const before = folders();
    const [forked, all, atErrors] = ["forks", "all", "errors"].map((name) => runsOf(workbench, name)[0]!);
    expect(new Set([forked!.run, all!.run, atErrors!.run]).size).toBe(1);
    await runAll(workbench, "errors");
    expect(runsOf(workbench, "errors")[0]!.status).toBe("done");
    expect(runsOf(workbench, "errors")[0]!.total).toBeLessThan(forked!.total);
    await runAll(workbench, "all");
    expect(folders()).toEqual(before);
    expect(runsOf(workbench, "all")[0]!.total).toBeGreaterThan(forked!.total);
    expect(runsOf(workbench, "forks")[0]!.total).toBe(forked!.total);
  });

  it("can number more than 500, and all are forecast and executed", async () => {
    const count = 510;
    const plans = "suite: own\nfrom: questions.csv\nmodel: builtin/slips\n";
    const source = "model: builtin/oracle\nfork: {of: plans, tasks: all}\n";
    const workbench = await open(cellText("run", "plans", plans), cellText("run", "forks", source));
    const lines = Array.from({ length: count }, (_, index) => `What is ${index} + 1?,${index + 1}`);
    writeFileSync(join(sessions.path, "questions.csv"), `question,answer\n${lines.join("\n")}\n`);
    await runAll(workbench, "plans");
    expect(await workbench.forecast(source)).toMatchObject({ tasks: count, calls: count, available: [count] });
    await runAll(workbench, "forks");
    expect(runsOf(workbench, "forks")[0]).toMatchObject({ status: "done", total: count, counts: { right: count } });
  });

  it("are forecast by the request at which they start, each with the remaining requests", async () => {
    const source = "model: builtin/oracle\nfork: {of: plans, tasks: wrong, at: requests}\n";
    const workbench = await open(cellText("run", "plans", appbench));
    expect((await workbench.forecast(source)).problems[0]!.message).toContain("run its cell first");
    await runAll(workbench, "plans");
    const wrong = wrongOf(workbench, "plans").length;
    const { tasks, calls, available } = await workbench.forecast(source);
    // From the first of two requests both are sent, from the second only one.
    expect({ tasks, calls, available }).toEqual({ tasks: 2 * wrong, calls: 3 * wrong, available: [2 * wrong] });
    expect(await workbench.forecast(`${source}limit: 1\n`)).toMatchObject({ tasks: 1 });
  });

  it("can be limited to a sample by `limit`", async () => {
    const workbench = await open(
      cellText("run", "plans", `${arena(0.6)}limit: 10\n`),
      cellText("run", "forks", "model: builtin/oracle\nlimit: 7\nfork: {of: plans, tasks: all, at: requests}\n"),
    );
    await runAll(workbench, "plans", "forks");
    expect(runsOf(workbench, "forks")[0]).toMatchObject({ status: "done", total: 7 });
  });

  it.each([
    ["fork: {of: plan}\n", "did you mean `plans`?"],
    ["fork: {of: forks}\n", "got `forks`"],
    ["fork: {of: plans, tasks: best}\n", 'wrong, right, all or a list of tasks, got "best"'],
    ["fork: {of: plans, at: steps}\n", "to be requests or errors"],
    ["fork: {of: plans, when: now}\n", "got `when`"],
    ["rescue: {of: plans, with: nobody}\n", "same, answer-key or a map of fields"],
    ["modle: x\nfork: {of: plans}\n", "got `modle`"],
  ])("are rejected with the reason: %j", async (text, message) => {
    const workbench = await open(cellText("run", "plans", appbench), cellText("run", "forks", text));
    expect(problemOf(workbench, "forks")!.message).toContain(message);
  });
});

/** Returns the table's cells as texts, by the text of the first. */
const tableOf = (workbench: SessionWorkbench, title: string) => {
  const figure = analysisOf(workbench, "lost").figures.find((each) => each.title === title) as TableFigure;
  return { titles: figure.columns.map((column) => column.title), rows: figure.rows, notes: figure.notes };
};

/** Rates of mistakes, with a number of tasks of which some are wrong. */
const rates = [
  [0.1, 20],
  [0.2, 14],
  [0.3, 14],
  [0.4, 8],
  [0.5, 8],
  [0.6, 12],
] as const;

describe("a rescue by the answer key", () => {
  it.each(rates)("finds the injected mistake in every wrong task at rate %d", async (rate, limit) => {
    const workbench = await open(
      cellText("run", "plans", `${arena(rate)}limit: ${limit}\n`),
      cellText("run", "rescued", "rescue: {of: plans, tasks: wrong, at: requests, repeats: 1, with: answer-key}\n"),
      cellText("analysis", "lost", "pane: rescue\nof: rescued\n"),
    );
    await runAll(workbench, "plans", "rescued");
    await workbench.settled();
    const { titles, rows } = tableOf(workbench, "Point of no return");
    const [turning, spoilt] = ["last right", "spoilt"].map((title) => titles.indexOf(title));
    expect(rows.length).toBe(wrongOf(workbench, "plans").length);
    expect(
      rows.filter((row) => row[turning!]!.text !== row[spoilt!]!.text).map((row) => row.map(({ text }) => text)),
    ).toEqual([]);
    expect(rows.length, String(rate)).toBeGreaterThan(0);
  });
});

describe("a rescue by the model of the original run", () => {
  it("succeeds at the first step at each rate of mistakes, within the interval", async () => {
    const workbench = await open(
      ...rates.flatMap(([rate, limit], at) => [
        cellText("run", `plans${at}`, `${arena(rate)}limit: ${limit}\n`),
        cellText("run", `rescued${at}`, `rescue: {of: plans${at}, at: requests, repeats: 2, with: same}\n`),
      ]),
      cellText("analysis", "lost", "pane: rescue\nof: rescued0\n"),
    );
    for (const [at, [rate]] of rates.entries()) {
      await runAll(workbench, `plans${at}`, `rescued${at}`);
      workbench.edit(cellNamed(workbench, "lost"), `pane: rescue\nof: rescued${at}\n`);
      workbench.refresh();
      await workbench.settled();
      const { titles, rows, notes } = tableOf(workbench, "Rescued by step");
      expect(titles).toEqual(["Step", "same", "95 % interval", "tasks"]);
      const [, share, bounds, tasks] = rows[0]!;
      expect(tasks!.value).toBeGreaterThan(1);
      expect(bounds!.low!, `${rate}: ${share!.text}`).toBeLessThanOrEqual(1 - rate);
      expect(bounds!.high!, `${rate}: ${share!.text}`).toBeGreaterThanOrEqual(1 - rate);
      // Later steps leave fewer requests for an injected mistake, but the original one remains.
      expect(share!.value!).toBeGreaterThan(rows.at(-1)![1]!.value!);
      expect(notes.join()).not.toContain("Control");
    }
  });

  // A continuation from the first request is a new trial. Each line has the tasks that were wrong, and their share of right trials with
  // its interval, as `planwright run --keep-going` prints them after a rescue with 5 repeats.
  it.each([
    [0.1, 8, "85.00 [57.83, 96.10]"],
    [0.2, 13, "80.00 [63.07, 88.89]"],
    [0.3, 20, "75.00 [63.59, 83.84]"],
    [0.4, 25, "64.00 [53.46, 73.85]"],
    [0.5, 32, "48.75 [40.27, 57.83]"],
    [0.6, 38, "40.53 [33.12, 49.21]"],
  ])("of 60 tasks has a share of 1 minus the rate in its interval at rate %d", async (rate, count, expected) => {
    const model = `slips?rate=${rate}`;
    const { runs } = planRunCell(`${arena(rate)}repeats: 6\n`, { suites, defaultData: () => "sample" });
    const loaded = await planningarena.open({ folder: sampleFolder("planningarena"), data: "sample" });
    const isRightIn = async (task: Task, { spec }: (typeof runs)[number]) => {
      const strategy = planningarena.strategies.find(({ name }) => name === spec.strategy)!;
      const { score } = await runBuiltin({ loaded, strategy, spec, model }, task);
      return Number(verdictOf(score) === "right");
    };
    const [first, ...later] = runs;
    const shares: number[] = [];
    for (const task of await loaded.tasks(first!.spec.split)) {
      if ((await isRightIn(task, first!)) === 1) continue;
      const right = [];
      for (const run of later) right.push(await isRightIn(task, run));
      shares.push(mean(right));
    }
    const { low, high } = intervalOf(shares)!;
    const percent = (value: number) => (100 * value).toFixed(2);
    expect([shares.length, `${percent(mean(shares))} [${percent(low)}, ${percent(high)}]`]).toEqual([count, expected]);
    expect(low).toBeLessThanOrEqual(1 - rate);
    expect(high).toBeGreaterThanOrEqual(1 - rate);
  });

  it("succeeds at the first step as often as new trials, and 1 minus the rate is in the interval", async () => {
    const rate = 0.6;
    const all = (faults: string) => `suite: appbench\nsplit: all\ndata: sample\nmodel: builtin/slips?${faults}\n`;
    const workbench = await open(
      cellText("run", "plans", `${all(`rate=${rate}`)}repeats: 4\n`),
      cellText("run", "first", all(`rate=${rate}`)),
      cellText("run", "rescued", "rescue: {of: first, at: requests, repeats: 3, with: same}\n"),
      cellText("analysis", "lost", "pane: rescue\nof: rescued\n"),
    );
    // A fault that leaves no readable answer would otherwise pause the run.
    for (const name of ["plans", "first", "rescued"])
      await workbench.run(cellNamed(workbench, name), undefined, "continue");
    await workbench.settled();
    workbench.refresh();
    const wrong = new Set(wrongOf(workbench, "first").map(({ task }) => task));
    /** The share of the runs of a cell, of these trials, in which this task was wrong. */
    const lost = (name: string, task: string, trials: readonly number[]) => {
      const runs = runsOf(workbench, name).filter(({ spec }) => trials.includes(spec.trial));
      const rows = runs.flatMap(({ run, part }) => workbench.rows(part ?? run)).filter((row) => row.task === task);
      expect(rows).toHaveLength(trials.length);
      return mean(rows.map(({ score }) => Number(score!.value! < 1)));
    };
    const [, share, bounds, tasks] = tableOf(workbench, "Rescued by step").rows[0]!;
    expect(tasks!.value).toBe(wrong.size);
    const fresh = mean([...wrong].map((task) => 1 - lost("plans", task, [2, 3, 4])));
    expect(share!.value!).toBeCloseTo(fresh, 12);
    expect(bounds!.low!, share!.text).toBeLessThanOrEqual(1 - rate);
    expect(bounds!.high!, share!.text).toBeGreaterThanOrEqual(1 - rate);
  });

  it("pools its trials with those of the original, and shares the pooled trials with the control arm of another rescue", async () => {
    const workbench = await open(
      cellText("run", "plans", appbench),
      cellText("run", "same", "rescue: {of: plans, repeats: 2}\n"),
      cellText("run", "other", "rescue: {of: plans, repeats: 2, with: {model: builtin/filler}}\n"),
      cellText("analysis", "lost", "pane: rescue\nof: other\n"),
    );
    await runAll(workbench, "plans", "same");
    const runs = runsOf(workbench, "same");
    expect(runs.map(({ spec }) => spec.trial)).toEqual([2, 3]);
    expect(runs.every(({ status }) => status === "done")).toBe(true);
    const control = runsOf(workbench, "other").slice(2);
    expect(control.map(({ run, status }) => [run, status])).toEqual(runs.map(({ run }) => [run, "done"]));
    await runAll(workbench, "other");
    await workbench.settled();
    const { titles, rows } = tableOf(workbench, "Rescued by step");
    expect(titles.filter((title) => title !== "95 % interval")).toEqual([
      "Step",
      "builtin/filler",
      "control: same",
      "tasks",
    ]);
    expect(rows.map(([step, filler]) => [step!.text, filler!.value])).toEqual([
      ["1", 0],
      ["2", 0],
    ]);
  });

  it("counts tasks with a single request separately, because they have no step to find", async () => {
    const workbench = await open(
      cellText("run", "plans", `${appbench}prompting: flat\n`),
      cellText("run", "rescued", "rescue: {of: plans, repeats: 1, with: answer-key}\n"),
      cellText("analysis", "lost", "pane: rescue\nof: rescued\n"),
    );
    await runAll(workbench, "plans", "rescued");
    await workbench.settled();
    const { rows, notes } = tableOf(workbench, "Rescued by step");
    const wrong = wrongOf(workbench, "plans").length;
    expect(rows).toEqual([]);
    expect(notes).toContain(
      `Left out: ${wrong} tasks with a single request, so there is no step to find (${wrong} succeeded when repeated)`,
    );
    expect(tableOf(workbench, "Point of no return").rows).toEqual([]);
  });

  it("is limited by its budget, and later continues after the last request that it sent", async () => {
    const rescued = "rescue: {of: plans, repeats: 1, with: same}\nbudget: {run: {steps: 3}}\n";
    const workbench = await open(cellText("run", "plans", appbench), cellText("run", "rescued", rescued));
    await runAll(workbench, "plans", "rescued");
    const [cut] = runsOf(workbench, "rescued");
    expect(cut!.calls).toBeLessThan(cut!.total * 2);
    expect(cut!.leftOutBy).toBe("budget");
    workbench.edit(cellNamed(workbench, "rescued"), rescued.replace("budget: {run: {steps: 3}}\n", ""));
    await runAll(workbench, "rescued");
    const [whole] = runsOf(workbench, "rescued");
    expect(whole).toMatchObject({ run: cut!.run, status: "done" });
  });
});
