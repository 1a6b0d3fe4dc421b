import { describe, expect, test } from "vitest";
import { fieldProblem, filledInTexts, type GivenFields } from "../../../source/engine/session/fields/given-fields.ts";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { frozenContext } from "./frozen-suite.ts";

const none: GivenFields = { defaults: {}, set: {}, replaced: {} };
const plan = (source: string, given: Partial<GivenFields> = {}) =>
  planRunCell(source, { ...frozenContext, given: { ...none, ...given } });
const ids = (source: string, given: Partial<GivenFields> = {}) => plan(source, given).runs.map(({ run }) => run);

describe("a run cell with fields from elsewhere", () => {
  test("has the run ids of a cell that contains these fields itself", () => {
    const whole =
      "suite: frozen\nmodel: lab/m\nlimit: 5\nstrategy: search\nresponder: lab/r\ngroups: {k: 3}\nprompting: [flat, layered]\n";
    const defaults = { suite: "frozen", model: "lab/m", limit: 5, groups: { k: 3 }, prompting: ["flat", "layered"] };
    expect(ids("strategy: search\nresponder: lab/r\n", { defaults })).toEqual(ids(whole));
    expect(
      ids("strategy: search\nresponder: lab/r\n", { defaults: { ...defaults, limit: 9 }, set: { limit: 5 } }),
    ).toEqual(ids(whole));
    expect(ids("", { defaults })).toEqual(ids("suite: frozen\nmodel: lab/m\nlimit: 5\nprompting: [flat, layered]\n"));
    expect(ids("suite: frozen\nseed: 0\nmodel: lab/m\n")).toEqual(
      ids("suite: frozen\n", { defaults: { model: "lab/m", seed: 0 } }),
    );
  });

  test("prefers its own fields to values that a command gives to all cells, but not to values for this cell alone", () => {
    const cell = "suite: frozen\nmodel: lab/own\ngroups.k: 2\nstrategy: search\nresponder: lab/r\n";
    const model = (given: Partial<GivenFields>) => plan(cell, given).runs[0]!.spec.model;
    expect(model({ defaults: { model: "lab/m" } })).toBe("lab/own");
    expect(model({ defaults: { model: "lab/m" }, set: { model: "lab/n" } })).toBe("lab/own");
    expect(model({ set: { model: "lab/n" }, replaced: { model: "lab/o" } })).toBe("lab/o");
    expect(plan(cell, { defaults: { groups: { k: 7 } } }).runs[0]!.spec.options["groups.k"]).toBe(2);
  });

  test("uses either repeats or trials, whichever is set closer to the cell", () => {
    const trials = (cell: string, given: Partial<GivenFields>) =>
      plan(`suite: frozen\nmodel: lab/m\n${cell}`, given).runs.map(({ spec, pool }) => [
        spec.trial,
        pool !== undefined,
      ]);
    expect(trials("trial: 4\n", { defaults: { repeats: 2 } })).toEqual([[4, false]]);
    expect(trials("", { defaults: { trial: 4 }, set: { repeats: 2 } })).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(trials("repeats: 2\n", { replaced: { trial: 3 } })).toEqual([[3, false]]);
    expect(
      plan("suite: frozen\nmodel: lab/m\n", { defaults: { repeats: 2, trial: 3 } }).problems[0]!.message,
    ).toContain("Expected `repeats` or `trial`, got both (from the notebook's defaults)");
  });

  test("prefers the value that is set closer to the cell, as a setting or in `request`", () => {
    const held = (cell: string, given: Partial<GivenFields>) =>
      plan(`suite: frozen\nmodel: lab/m\n${cell}`, given).runs.map(({ spec }) => [spec.temperature, spec.request]);
    const inRequest = { request: { temperature: 0.2, lab_field: 20 } };
    expect(held("", { defaults: inRequest })).toEqual([[0.2, { lab_field: 20 }]]);
    expect(held("temperature: 0.7\n", { defaults: inRequest })).toEqual([[0.7, { lab_field: 20 }]]);
    expect(held("request: {temperature: 0.2}\n", { defaults: { temperature: 0.7 } })).toEqual([[0.2, undefined]]);
    expect(held("", { defaults: inRequest, set: { temperature: 0.7 } })).toEqual([[0.7, { lab_field: 20 }]]);
    expect(held("request: [{temperature: 0.2}, {lab_field: 20}]\n", { replaced: { temperature: 0.7 } })).toEqual([
      [0.7, undefined],
      [0.7, { lab_field: 20 }],
    ]);
    expect(
      plan("suite: frozen\nmodel: lab/m\n", { defaults: { ...inRequest, temperature: 0.7 } }).problems[0]!.message,
    ).toBe(
      'Expected one value for `temperature`, got `0.7` and `request: {"temperature":0.2}` (from the notebook\'s defaults)',
    );
  });

  test("has no default model if its strategy asks no model", () => {
    const world = { suites: [travelplanner], defaultData: () => "sample" as const };
    const models = (source: string) =>
      planRunCell(`suite: travelplanner\nsplit: train\n${source}`, {
        ...world,
        given: { ...none, defaults: { model: "lab/m" } },
      }).runs.map(({ spec }) => spec.model);
    expect(models("strategy: greedy\n")).toEqual(["none"]);
    expect(models("strategy: [greedy, direct]\n")).toEqual(["lab/m", "lab/m"]);
    expect(models("strategy: greedy\nmodel: lab/own\n")).toEqual(["lab/own"]);
    expect(models("")).toEqual(["lab/m"]);
  });

  test("omits settings of other benchmarks, and reports invalid values of its own settings", () => {
    const defaults = { model: "builtin/oracle", prompting: "flat", split: "mm" };
    const two = { suites: [appbench, ultratool], defaultData: () => "sample" as const };
    const planned = (source: string) => planRunCell(source, { ...two, given: { ...none, defaults } });
    expect(planned("suite: appbench\n").runs[0]!.spec.options["prompting"]).toBe("flat");
    expect(planned("suite: ultratool\n").problems).toEqual([
      {
        message: expect.stringMatching(/^Expected `split` to be one of .*got `"mm"` \(from the notebook's defaults\)$/),
      },
    ]);
    const own = planned("suite: ultratool\nsplit: en/planning\n");
    expect(own.problems).toEqual([]);
    expect(own.runs[0]!.spec.options).not.toHaveProperty("prompting");
  });

  test("is unchanged if the cell is a fork, because a fork has the settings of the original run", () => {
    const fork = "suite: frozen\nmodel: lab/m\ndata: sample\nfork: {run: 0123456789abcdef, task: t, request: 0}\n";
    const given = { defaults: { limit: 5, temperature: 0.7 }, set: { seed: 3 } };
    expect(ids(fork, given)).toEqual(ids(fork));
    expect(plan(fork, { replaced: { seed: 3 } }).runs[0]!.spec.seed).toBe(3);
  });

  test("is unchanged if its answers come from a file", () => {
    const elsewhere = "suite: frozen\npredictions: theirs.jsonl\n";
    const given = {
      defaults: { model: "lab/m", temperature: 0.7, repeats: 3 },
      set: { seed: 3, prompting: "layered" },
    };
    expect(ids(elsewhere, given)).toEqual(ids(elsewhere));
    const { runs, filledIn } = plan("predictions: theirs.jsonl\n", { ...given, defaults: { suite: "frozen" } });
    expect([runs.map(({ run }) => run), filledIn?.map(({ field }) => field)]).toEqual([ids(elsewhere), ["data"]]);
    expect(plan(elsewhere, { replaced: { seed: 3 } }).runs[0]!.spec.seed).toBe(3);
  });

  test("lists the fields that were added, and its data set if the cell does not set it", () => {
    const given = { defaults: { model: "lab/m", limit: 5 }, set: { limit: 7 } };
    expect(filledInTexts(plan("suite: frozen\n", given).filledIn!)).toEqual([
      "from the notebook's defaults: model: lab/m",
      "from the command: limit: 7",
      "data: sample, as published data are not installed",
    ]);
    // The notebook says the values of its defaults.
    expect(filledInTexts(plan("suite: frozen\n", given).filledIn!, true).slice(0, 2)).toEqual([
      "from the notebook's defaults: model",
      "from the command: limit: 7",
    ]);
    const published = { ...frozenContext, defaultData: () => "published" as const };
    expect(filledInTexts(planRunCell("suite: frozen\nmodel: lab/m\n", published).filledIn!)).toEqual([
      "data: published, as published data are installed",
    ]);
    expect(plan("suite: frozen\nmodel: lab/m\ndata: sample\n").filledIn).toEqual([]);
  });
});

describe("a field for several cells", () => {
  const problem = (name: string, value: unknown) =>
    fieldProblem(name, value as never, [appbench, planningarena, ultratool]);

  test.each([
    ["model", "lab/llama"],
    ["limit", 50],
    ["shots", [0, 3]],
    ["prompting", "flat"],
    ["profile", false],
    ["split", "mm"],
    ["filter", { category: ["SS"] }],
    ["suite", "ultratool"],
  ])("%s accepts %j", (name, value) => expect(problem(name, value)).toBeUndefined());

  test("can be a file of questions, and facets that exist only in that file", () => {
    const files = { ...appbench, name: "own", ofFile: () => appbench } as unknown as typeof appbench;
    expect(fieldProblem("suite", "own/questions.csv", [appbench, files])).toBeUndefined();
    expect(fieldProblem("suite", "appbench/questions.csv", [appbench, files])).toContain("Expected `suite`");
    expect(fieldProblem("filter", { topic: "rivers" }, [appbench, files])).toBeUndefined();
    expect(fieldProblem("filter", { topic: "rivers" }, [appbench])).toContain("Expected `filter`");
  });

  test("is rejected unless at least one benchmark knows it and accepts its value", () => {
    expect(problem("modle", "x")).toBe("Expected a field of a run cell (did you mean `model`?), got `modle`");
    expect(problem("Limit", 5)).toContain("did you mean `limit`?");
    expect(problem("nothing-like-it", 5)).toMatch(
      /^Expected a field of a run cell \(suite, from, process, split, .*\), got/,
    );
    expect(problem("limit", "many")).toContain("Expected `limit` to be a whole number from 0, got");
    expect(problem("model", "llama")).toContain("Expected `model` to be ENDPOINT/MODEL");
    expect(problem("suite", "appbenhc")).toContain("Expected `suite` to be one of appbench, planningarena, ultratool");
    expect(problem("fork", {})).toContain("several cells can share");
  });
});
