import { describe, expect, test } from "vitest";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";

const context = { suites: [appbench], defaultData: () => "sample" as const };
const plan = (source: string) => planRunCell(source, context);
const problems = (source: string) => plan(source).problems.map(({ line, message }) => `${line ?? ""}: ${message}`);

describe("a run cell", () => {
  test("is rejected with one error, without parsing, if it has more than 20 KB", () => {
    expect(plan(`suite: ${'"'.repeat(40 * 1024)}`)).toEqual({
      runs: [],
      problems: [
        {
          message:
            "Expected at most 20 KB of YAML in a run or analysis cell, got 40.0 KB: longer text belongs in a note",
        },
      ],
    });
    expect(plan(`suite: appbench\nmodel: builtin/oracle\n#${"x".repeat(20_000)}`).problems).toEqual([]);
  });

  test("becomes one run, with defaults for missing fields", () => {
    const { runs, problems } = plan("suite: appbench\nmodel: builtin/oracle\n");
    expect(problems).toEqual([]);
    expect(runs).toHaveLength(1);
    expect(runs[0]!.spec).toMatchObject({
      suite: "appbench",
      data: "sample",
      strategy: "direct",
      shots: 0,
      limit: 0,
      seed: 0,
      trial: 1,
      temperature: 0,
    });
  });

  test("makes a grid of all lists, labelled by the settings that differ", () => {
    const { runs } = plan(
      "suite: appbench\nsplit: mm\nmodel: builtin/oracle\nprompting: [hierarchical, flat]\nshots: [0, 3]\n",
    );
    expect(runs.map(({ label }) => label)).toEqual([
      "hierarchical · 0 shots",
      "hierarchical · 3 shots",
      "flat · 0 shots",
      "flat · 3 shots",
    ]);
    expect(new Set(runs.map(({ run }) => run)).size).toBe(4);
  });

  test("samples a judge like its benchmark unless it has settings for the judge", () => {
    const suites = [toolbench, planningarena];
    const judging = (source: string) =>
      planRunCell(source, { suites, defaultData: () => "sample" }).runs.map(({ spec }) => spec.judging);
    const own = "model: lab/m\nresponder: lab/r\ntemperature: 1\n";
    expect(judging(`suite: toolbench\n${own}judge: lab/j`)).toEqual([{ temperature: 0.2, maxTokens: 4096 }]);
    expect(judging(`suite: planningarena\n${own}judge: lab/j`)).toEqual([{ temperature: 0, maxTokens: 4096 }]);
    expect(judging(`suite: toolbench\n${own}judge: {model: lab/j, temperature: 0.7, stop: X}`)).toEqual([
      { temperature: 0.7, maxTokens: 4096, stop: ["X"] },
    ]);
    expect(judging(`suite: toolbench\n${own}`)).toEqual([undefined]);
  });

  test("makes one run for several settings of a role that its strategy does not use", () => {
    const roles = "actor: [lab/a, {model: lab/a, temperature: 1}, {model: lab/a, maxTokens: 9}]";
    expect(plan(`suite: appbench\nmodel: lab/m\n${roles}`).runs).toHaveLength(1);
  });

  test("makes one run for values without effect, and omits such values from labels", () => {
    const suites = [toolbench, apibench, travelplanner, planningarena, appbench];
    const labels = (source: string) => {
      const { runs, problems } = planRunCell(source, { suites, defaultData: () => "sample" });
      expect(problems).toEqual([]);
      return runs.map(({ label }) => label);
    };
    const kits = "suite: toolbench\nmodel: lab/m\nclusters: {k: [4, 8, 16]}\n";
    expect(labels(`${kits}strategy: [react, dfsdt, tool-planner]\n`)).toEqual([
      "react",
      "dfsdt",
      "k 4 · tool-planner",
      "k 8 · tool-planner",
      "k 16 · tool-planner",
    ]);
    expect(labels(`${kits}strategy: react\ntoolkits: [off, on]\n`)).toEqual([
      "toolkits off",
      "k 4 · toolkits on",
      "k 8 · toolkits on",
      "k 16 · toolkits on",
    ]);
    expect(labels(`${kits}strategy: tool-planner\nclusters.embedding: [library, lexical]\n`)).toEqual([
      "library",
      "k 4 · lexical",
      "k 8 · lexical",
      "k 16 · lexical",
    ]);
    const judged = "suite: toolbench\nmodel: lab/m\nstrategy: react\nerrors: [rules, judge]\n";
    expect(labels(judged)).toEqual(["lab/m"]);
    expect(labels(`${judged}judge: lab/j\n`)).toEqual(["rules", "judge"]);
    // A single run is named after its model.
    expect(labels(`${kits}strategy: dfsdt\n`)).toEqual(["lab/m"]);
    expect(labels(`${kits}strategy: tool-planner\nclusters.method: dbscan\n`)).toEqual(["lab/m"]);
    expect(labels("suite: toolbench\nmodel: lab/m\nstrategy: [react, adaplanner]\nactor: [lab/a, lab/b]\n")).toEqual([
      "react",
      "adaplanner · lab/a",
      "adaplanner · lab/b",
    ]);
    expect(labels("suite: apibench\nmodel: lab/m\nstrategy: [direct, react]\nshots: [0, 3]\n")).toEqual([
      "direct · 0 shots",
      "direct · 3 shots",
      "react",
    ]);
    expect(
      labels("suite: apibench\nmodel: lab/m\nstrategy: [tool-planner, react]\ncatalogue: usual\nretrieve: [5, 10]\n"),
    ).toEqual(["tool-planner", "react · retrieve 5", "react · retrieve 10"]);
    // A search asks no model, so it has no temperature.
    expect(
      labels("suite: travelplanner\nsplit: validation\nstrategy: greedy\nmodel: [lab/a, lab/b]\ntemperature: [0, 1]\n"),
    ).toEqual(["greedy"]);
    expect(labels("suite: travelplanner\nstrategy: greedy\nseed: [1, 2]\n")).toEqual(["seed 1", "seed 2"]);
  });

  test("keeps the id that version 0.1.0 gave the first value of a setting without effect", () => {
    const run = (k: string) =>
      planRunCell(`suite: toolbench\nmodel: lab/m\nstrategy: react\nclusters: {k: ${k}}\n`, {
        suites: [toolbench],
        defaultData: () => "sample",
      }).runs.map((each) => each.run);
    expect(run("[4, 8]")).toEqual(run("4"));
    expect(run("[8, 4]")).toEqual(run("8"));
    expect(run("4")).not.toEqual(run("8"));
  });

  test("has the same run id for any order of its fields, and if defaults are written out", () => {
    const one = plan("suite: appbench\nmodel: builtin/oracle\nsplit: ss\n");
    const other = plan(
      "split: ss   # single\nmodel: builtin/oracle\nsuite: appbench\nshots: 0\nprompting: hierarchical\n",
    );
    expect(other.runs[0]!.run).toBe(one.runs[0]!.run);
    expect(plan("suite: appbench\nmodel: builtin/oracle\nsplit: ms\n").runs[0]!.run).not.toBe(one.runs[0]!.run);
  });

  test("reports a misspelt field, and a misspelt suite", () => {
    expect(problems("model: builtin/oracle\nsuitne: appbench\nprompting: flat\nclusters: {k: 3}\n")).toEqual([
      ": Expected `suite` to be one of appbench, got nothing",
      "2: Expected the fields of a run, got `suitne`",
      "4: Expected the fields of a run, got `clusters`",
    ]);
  });

  test("reports the expected value and the line of a mistake", () => {
    expect(problems("suite: nope\n")).toEqual(['1: Expected `suite` to be one of appbench, got `"nope"`']);
    expect(problems("suite: appbench\nmodel: builtin/oracle\nshots: -1\n")).toEqual([
      `3: Expected \`shots\` to be a whole number from 0 to ${appbench.maxShots}, got \`-1\``,
    ]);
    expect(problems("suite: appbench\nmodel: oracle\n")).toEqual([
      '2: Expected `model` to be ENDPOINT/MODEL, such as `builtin/oracle`, got `"oracle"`',
    ]);
    expect(problems("suite: appbench\nmodel: builtin/oracle\nprompting: sideways\n")[0]).toContain(
      "3: Expected `prompting` to be one of hierarchical, flat, got",
    );
    expect(problems("suite: appbench\nmodel: builtin/oracle\nmodle: x\n")[0]).toContain(
      "3: Expected one of the fields",
    );
    expect(problems("suite: appbench\nmodel: builtin/oracle\nfilter: {colour: red}\n")[0]).toContain(
      "Expected `filter` to name facets",
    );
    expect(problems("suite: appbench\nmodel: builtin/oracle\nbudget: {task: {steps: -2}}\n")[0]).toContain(
      "Expected `budget.task`",
    );
    expect(problems("suite: appbench\nsplit: [ss\n")[0]).toContain("Expected YAML");
    expect(problems("just words")).toEqual([": Expected `suite: NAME` and further settings, one per line"]);
    expect(problems("suite: appbench\n")[0]).toContain("Expected `model: ENDPOINT/NAME`");
  });

  test("requires a responder if the strategy is a dialogue", () => {
    const arena = { suites: [planningarena], defaultData: () => "sample" as const };
    const cell = "suite: planningarena\nmodel: builtin/oracle\n";
    expect(planRunCell(cell, arena).problems[0]!.message).toContain("Expected `responder: ENDPOINT/MODEL`");
    expect(planRunCell(`${cell}responder: builtin/responder\n`, arena).problems).toEqual([]);
  });

  test("ignores a list without effect, whatever its length, and keeps the fields after that list", () => {
    const suites = [toolbench];
    const ks = Array.from({ length: 501 }, (_, index) => index + 2).join(", ");
    const source = `suite: toolbench\nmodel: lab/m\nstrategy: react\nclusters: {k: [${ks}]}\nlimit: 3\n`;
    const { runs, problems } = planRunCell(source, { suites, defaultData: () => "sample" });
    expect(problems).toEqual([]);
    expect(runs.map(({ label, spec }) => [label, spec.limit])).toEqual([["lab/m", 3]]);
  });

  test("is rejected quickly if YAML aliases multiply or the grid has too many runs", () => {
    const bomb = [
      "a: &a [1,1,1,1,1,1,1,1,1]",
      ...["b", "c", "d", "e", "f"].map(
        (name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcde"[index]}`).join(",")}]`,
      ),
    ].join("\n");
    expect(problems(`suite: appbench\n${bomb}\n`).length).toBeGreaterThan(0);
    const many = `[${Array.from({ length: 100 }, (_, index) => index).join(", ")}]`;
    expect(
      problems(`suite: appbench\nmodel: builtin/oracle\nseed: ${many}\ntrial: ${many.replace("0, ", "")}\n`)[0],
    ).toContain("at most 500 runs");
  });
});
