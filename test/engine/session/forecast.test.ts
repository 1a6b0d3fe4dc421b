import { describe, expect, test } from "vitest";
import { LoadedSuites } from "../../../source/engine/workbench/document/loaded-suites.ts";
import { DocumentHistory } from "../../../source/engine/session/document/document-history.ts";
import { emptySettings } from "../../../source/engine/settings/settings.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../workbench/temporary-session.ts";
import { tinySuite } from "../workbench/tiny-suite.ts";

const sessions = temporarySessions();

describe("the forecast of an experiment", () => {
  const lab = {
    name: "lab",
    baseUrl: "http://127.0.0.1:9/v1",
    concurrency: 1,
    idleTimeout: 1,
    identify: false,
    prices: { "*": { input: 2, output: 10 } },
  };

  test("is the sum over the grid, with a price computed from the tokens", async () => {
    const loaded = await sessions.open("", { settings: { endpoints: [lab] } });
    const one = await loaded.forecast("suite: appbench\nsplit: all\nmodel: lab/m\nlimit: 8\n");
    expect(one).toMatchObject({ runs: 1, tasks: 8, calls: 16, problems: [] });
    expect(one.cost).toBeCloseTo((one.input * 2 + one.output * 10) / 1e6, 4);
    const grid = await loaded.forecast(
      "suite: appbench\nsplit: all\nmodel: [lab/m, builtin/oracle]\nlimit: 8\ntrial: [1, 2]\n",
    );
    expect(grid).toMatchObject({ runs: 4, tasks: 32, calls: 64 });
    expect(grid.cost).toBeCloseTo(2 * one.cost!, 4);
  });

  test("learns from three finished tasks of the run, otherwise from runs with the same model, suite and strategy", async () => {
    const { suite } = tinySuite();
    const cell = (limit: number, model = "builtin/oracle") => `suite: tiny\nmodel: ${model}\nlimit: ${limit}\n`;
    const source = `\`\`\`run main\n${cell(3)}\`\`\`\n\`\`\`run few\n${cell(2, "builtin/constant")}\`\`\`\n`;
    const loaded = await sessions.open(source, { suites: [suite] });
    const learnt = /Estimated from/;
    expect((await loaded.forecast(cell(8))).warnings.join()).not.toMatch(learnt);
    for (const name of ["main", "few"]) await loaded.run(cellNamed(loaded, name));
    const rows = loaded.rows(runsOf(loaded, "main")[0]!.run);
    const mean = (of: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0) / 3;
    const other = await loaded.forecast(cell(8));
    expect(other.warnings).toContain("Estimated from 3 tasks of earlier runs of builtin/oracle with `direct`");
    // Three of the eight answers exist.
    expect(other).toMatchObject({
      tasks: 8,
      calls: Math.round(mean(({ counted }) => counted.calls) * 5),
      input: Math.round(mean(({ counted }) => counted.tokens.input) * 5),
      output: Math.round(mean(({ counted }) => counted.tokens.output) * 5),
    });
    expect((await loaded.forecast(cell(3))).warnings).toContain("Estimated from 3 finished tasks of this run");
    // Two tasks are too few, and another model's tasks do not count.
    expect((await loaded.forecast(cell(8, "builtin/constant"))).warnings.join()).not.toMatch(learnt);
  });

  test("scales learned numbers by the length of the prompts", async () => {
    const head = "suite: planningarena\nsplit: generated\nmodel: builtin/oracle\nresponder: builtin/oracle\n";
    const [few, many] = [`${head}limit: 3\nseed: 1\n`, `${head}limit: 10\nseed: 99\n`];
    const source = `\`\`\`run few\n${few}\`\`\`\n\`\`\`run many\n${many}\`\`\`\n`;
    const loaded = await sessions.open(source, { suites: [planningarena] });
    const inputOf = (name: string) => runsOf(loaded, name)[0]!.tokens.input;
    await loaded.run(cellNamed(loaded, "few"));
    const forecast = await loaded.forecast(many);
    expect(forecast.warnings.join()).toContain("Estimated from 3 tasks of earlier runs");
    await loaded.run(cellNamed(loaded, "many"));
    const error = (input: number) => input / inputOf("many") - 1;
    // The three tasks have shorter prompts than most.
    expect(error((inputOf("few") / 3) * 10)).toBeLessThan(-0.25);
    expect(Math.abs(error(forecast.input))).toBeLessThan(0.25);
  });

  test("has only warnings about its own runs", async () => {
    const loaded = await sessions.open("", { suites: [appbench, ultratool] });
    const said = async (source: string) => (await loaded.forecast(source)).warnings.join("\n");
    const cell = "suite: appbench\nprompting: flat\nmodel: builtin/oracle\n";
    expect(await said(cell)).not.toContain("Demonstrations");
    expect(await said(`${cell}shots: [0, 3]\n`)).toContain("Demonstrations");
  });

  test("reports how many of the runs cannot start because data are missing", async () => {
    const loaded = await sessions.open("");
    const cell = "suite: appbench\nmodel: builtin/oracle\nlimit: 3\nsplit: all\n";
    const forecast = await loaded.forecast(`${cell}data: [sample, published]\n`);
    expect(forecast).toMatchObject({ runs: 2, stuck: 1, tasks: 3 });
    expect(forecast.problems).toHaveLength(1);
    expect(await loaded.forecast(cell)).not.toHaveProperty("stuck");
    const { suite, behaviour } = tinySuite();
    behaviour.lacking = (_, { temperature }) => (temperature === 1 ? "Expected what is asked, found none" : undefined);
    const tiny = await sessions.open("", { suites: [suite] });
    expect(await tiny.forecast("suite: tiny\nmodel: builtin/oracle\ntemperature: [1, 0]\n")).toMatchObject({
      runs: 2,
      stuck: 1,
      tasks: 12,
      problems: [{ message: "Expected what is asked, found none" }],
    });
  });

  test("reports how many of all tasks a run executes, also with filters and several splits", async () => {
    const loaded = await sessions.open("");
    const all = await loaded.forecast("suite: appbench\nsplit: all\nmodel: builtin/oracle\n");
    const cell = "suite: appbench\nmodel: builtin/oracle\nlimit: 3\n";
    expect(await loaded.forecast(`${cell}split: all\n`)).toMatchObject({ tasks: 3, available: [all.tasks] });
    const [ss, mm] = [await loaded.forecast(`${cell}split: ss\n`), await loaded.forecast(`${cell}split: mm\n`)];
    expect(ss.available).not.toEqual(mm.available);
    const both = [...ss.available!, ...mm.available!].toSorted((one, other) => one - other);
    expect((await loaded.forecast(`${cell}split: [ss, mm]\n`)).available).toEqual(both);
    const filtered = await loaded.forecast(`${cell}split: all\nfilter: {category: SS}\n`);
    expect(filtered.available).toEqual(ss.available);
  });

  test("counts the judge's requests at the judge's price, and warns of a missing judge", async () => {
    const loaded = await sessions.open("", {
      settings: { endpoints: [lab] },
      suites: [appbench, toolbench, ultratool],
    });
    const judged = "suite: appbench\nmodel: builtin/oracle\njudge: lab/m\nlimit: 2\n";
    expect((await loaded.forecast(judged)).warnings).toContain("`appbench` is scored by rules: no judge is asked");
    const tools = "suite: toolbench\nsplit: all\nmodel: builtin/oracle\nstrategy: react\nlimit: 4\n";
    const alone = await loaded.forecast(tools);
    const also = await loaded.forecast(`${tools}judge: lab/m\nerrors: judge\n`);
    // Three judgements that may each be unsure, and one of correctness; the same and two comparisons for the sample's reference; eight
    // errors.
    expect(also.calls - alone.calls).toBe(4 * (3 * 2 + 1 + 3 * 2 + 2 + 8));
    expect(also.warnings).toContain("At most 92 of these calls are to lab/m as the judge");
    expect(also.cost).toBeCloseTo(((also.input - alone.input) * 2 + (also.output - alone.output) * 10) / 1e6, 4);
    expect(alone.cost).toBe(0);
    const plans = "suite: ultratool\nmodel: builtin/oracle\njudge: builtin/oracle\nlimit: 3\nsplit: ";
    expect((await loaded.forecast(`${plans}en/planning\n`)).calls).toBe(6);
    expect((await loaded.forecast(`${plans}en/tool_usage\n`)).calls).toBe(3);
  });

  test("counts requests and tokens of both sides of a dialogue, round by round", async () => {
    const cell = "suite: planningarena\nsplit: generated\nmodel: builtin/oracle\nresponder: builtin/oracle\nlimit: 6\n";
    const loaded = await sessions.open(`\`\`\`run main\n${cell}\`\`\`\n`, { suites: [planningarena] });
    const forecast = await loaded.forecast(cell);
    await loaded.run(cellNamed(loaded, "main"));
    const [run] = runsOf(loaded, "main");
    expect(forecast.calls).toBe(run!.calls);
    expect(forecast.calls).toBeGreaterThan(6 * 2);
    expect(forecast.atMost).toBeUndefined();
    // In both, tokens are estimated from the texts that are sent.
    expect(Math.abs(forecast.output / run!.tokens.output - 1)).toBeLessThan(0.2);
    expect(Math.abs(forecast.input / run!.tokens.input - 1)).toBeLessThan(0.2);
  });

  test("reports errors of cell, model and data instead of throwing them", async () => {
    const loaded = await sessions.open("");
    const problems = async (source: string) => (await loaded.forecast(source)).problems.map(({ message }) => message);
    expect(await problems("suite: nobench")).toEqual([
      expect.stringContaining("Expected `suite` to be one of appbench"),
    ]);
    expect(await problems("- a")).toEqual([expect.stringContaining("Expected `suite: NAME`")]);
    expect(await problems("suite: appbench\nmodel: [nowhere/m, nowhere/n]\nlimit: 2")).toEqual([
      expect.stringContaining("planwright endpoint add nowhere"),
    ]);
    expect(await problems("suite: appbench\nmodel: builtin/oracle\ndata: published")).toEqual([
      expect.stringContaining("planwright data add appbench --from DIR"),
    ]);
  });

  test("warns of repeats at temperature 0, because most models then give the same reply", async () => {
    const loaded = await sessions.open("", { settings: { endpoints: [lab] } });
    const warnings = async (more: string) => (await loaded.forecast(`suite: appbench\nlimit: 2\n${more}`)).warnings;
    const alike = expect.stringContaining("Repeats at temperature 0");
    expect(await warnings("model: lab/m\nrepeats: 3\n")).toContainEqual(alike);
    expect(await warnings("model: lab/m\ntrial: [1, 2]\n")).toContainEqual(alike);
    expect(await warnings("model: lab/m\nrepeats: 3\ntemperature: 0.7\n")).not.toContainEqual(alike);
    expect(await warnings("model: lab/m\ntrial: 2\n")).not.toContainEqual(alike);
    expect(await warnings("model: builtin/slips\nrepeats: 3\n")).not.toContainEqual(alike);
    // ToolChain* has its own temperature for samples.
    const tools = await sessions.open("", { settings: { endpoints: [lab] }, suites: [toolbench] });
    const star = (more: string) =>
      tools.forecast(`suite: toolbench\nlimit: 2\nmodel: lab/m\nrepeats: 3\nstrategy: toolchain-star\n${more}`);
    expect((await star("")).warnings).not.toContainEqual(alike);
    expect((await star("toolchain.temperature: 0\n")).warnings).toContainEqual(alike);
  });

  test("contains the difference detectable from a saved run of the same tasks, but not the difference between planned runs", async () => {
    const { suite } = tinySuite();
    const source = "suite: tiny\nmodel: builtin/slips?rate=0.5\n";
    const text = ["one", "two"].map(
      (name) => `\`\`\`run ${name}\n${source}seed: ${name.length}\ntrial: ${name === "one" ? 1 : 2}\n\`\`\`\n`,
    );
    const loaded = await sessions.open(text.join("\n"), { suites: [suite] });
    expect((await loaded.forecast(source)).detectable).toBeUndefined();
    for (const { id } of loaded.cells()) await loaded.run(id);
    const [one, two] = loaded.cells().map(({ id }) => {
      const state = loaded.state(id);
      return new Map(
        loaded.rows(state.kind === "run" ? state.runs[0]!.run : "").map(({ task, score }) => [task, score!.value]),
      );
    });
    const differing = [...one!].filter(([task, value]) => two!.get(task) !== value).length;
    expect(differing).toBeGreaterThan(0);
    expect((await loaded.forecast(source)).detectable).toMatchObject({
      against: "two",
      tasks: 12,
      observed: true,
      spread: { kind: "disagreement", value: differing / 12 },
    });
    // A run is not compared with itself, but its differences from the other run count.
    const own = `${source}seed: 3\ntrial: 2\n`;
    expect((await loaded.forecast(own)).detectable).toMatchObject({
      against: "one",
      observed: true,
      spread: { kind: "disagreement", value: differing / 12 },
    });
  });

  test("has zeros, not NaN, without tasks", async () => {
    const loaded = await sessions.open("");
    const forecast = await loaded.forecast(
      "suite: appbench\nsplit: all\nmodel: builtin/oracle\nfilter:\n  category: ZZ\n",
    );
    expect(forecast).toMatchObject({ tasks: 0, calls: 0, input: 0, output: 0, cost: 0 });
  });
});

test("data that could not be opened are opened again for the next forecast", async () => {
  const { suite, behaviour } = tinySuite();
  const loadedSuites = new LoadedSuites([suite], () => emptySettings);
  behaviour.opening = Promise.reject(new Error("disk asleep"));
  await expect(loadedSuites.tasks("tiny", "sample", "all")).rejects.toThrow("disk asleep");
  behaviour.opening = Promise.resolve();
  expect(await loadedSuites.tasks("tiny", "sample", "all")).toHaveLength(12);
  await expect(loadedSuites.task("tiny", "sample", "all", "t99")).rejects.toThrow("to have a task `t99`, found none");
  expect(() => loadedSuites.suite("other")).toThrow("Expected a suite (tiny), got `other`");
});

describe("undo in a document", () => {
  test("restores up to 200 changes, and forgets undone changes after a new change", () => {
    const history = new DocumentHistory("# 0\n");
    const change = (text: string) => history.change(new DocumentHistory(text).document);
    for (let index = 1; index <= 250; index++) change(`# ${index}\n`);
    expect(history.dirty).toBe(true);
    let steps = 0;
    while (history.undo()) steps += 1;
    expect(steps).toBe(200);
    expect(history.document.segments[0]!.source).toBe("# 50");
    expect(history.redo()).toBe(true);
    change("# new\n");
    expect(history.redo()).toBe(false);
    expect(history.save()).toBe("# new\n");
    expect(history.dirty).toBe(false);
  });
});
