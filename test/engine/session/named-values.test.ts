/** A map names the values of a field: names appear in all labels and in no id. */
import { describe, expect, it } from "vitest";
import { Problem } from "../../../source/engine/problem.ts";
import { type CellContext, planRunCell } from "../../../source/engine/session/run-cell.ts";
import { suites } from "../../../suites/index.ts";

const context: CellContext = {
  suites,
  defaultData: () => "sample",
  text(file) {
    if (file === "careful.md") return "Plan with care.\n";
    throw new Problem("parse", `Expected a file \`${file}\`, found none`);
  },
};
const runs = (more: string) => {
  const { runs: planned, problems } = planRunCell(`suite: appbench\n${more}`, context);
  expect(problems).toEqual([]);
  return planned;
};
const labels = (more: string) => runs(more).map(({ label }) => label);
const ids = (more: string) => runs(more).map(({ run }) => run);
const problems = (more: string) => planRunCell(`suite: appbench\n${more}`, context).problems;

describe("named values", () => {
  it("label models, texts and numbers, and do not change a run's id", () => {
    const named = 'model: {small: lab/llama, large: lab/big}\nsystem: {terse: "Be brief.", careful: careful.md}';
    expect(labels(named)).toEqual(["small · terse", "small · careful", "large · terse", "large · careful"]);
    const plain = 'model: [lab/llama, lab/big]\nsystem: ["Be brief.", careful.md]';
    expect(ids(named)).toEqual(ids(plain));
    expect(runs(named)[0]!.named).toEqual({ model: "small", system: "terse" });
    expect(labels("model: lab/m\ntemperature: {cold: 0, warm: 0.7}")).toEqual(["cold", "warm"]);
    expect(labels("model: lab/m\nprompting: {two: hierarchical, one: flat}")).toEqual(["two", "one"]);
  });

  it("label prompts and roles by a map of maps", () => {
    const grid = "model: lab/m\nprompts: {standard: {}, careful: {plan: careful.md}}";
    expect(labels(grid)).toEqual(["standard", "careful"]);
    expect(ids(grid)[0]).toBe(ids("model: lab/m")[0]);
    const judges =
      "model: lab/m\njudge: {strict: {model: lab/j, temperature: 0}, loose: {model: lab/j, temperature: 1}}";
    expect(labels(judges)).toEqual(["strict", "loose"]);
  });

  it("are not read from a map if the value of the field is a map", () => {
    const one = "model: lab/m\nrequest: {chat_template_kwargs: {enable_thinking: false}}";
    expect(runs(one)[0]!.spec.request).toEqual({ chat_template_kwargs: { enable_thinking: false } });
    expect(labels("model: lab/m\nrequest: {plain: {}, low: {reasoning_effort: low}}")).toEqual(["plain", "low"]);
    expect(runs("model: lab/m\nbudget: {task: {steps: 5}, run: {cost: 1}}")[0]!.spec.budget).toEqual({
      task: { steps: 5 },
      run: { cost: 1 },
    });
  });

  it("label filters, limits and forks by a map of maps", () => {
    const filters = "model: lab/m\nfilter: {easy: {category: [SS]}, hard: {category: [MM, MS]}, all: {}}";
    expect(labels(filters)).toEqual(["easy", "hard", "all"]);
    expect(runs(filters).map(({ spec }) => spec.filter)).toEqual([
      { category: ["SS"] },
      { category: ["MM", "MS"] },
      {},
    ]);
    expect(new Set(runs(filters).map(({ stored }) => stored.folder)).size).toBe(1);
    expect(ids(filters)[0]).toBe(ids("model: lab/m\nfilter: {category: [SS]}")[0]);

    const budgets = "model: lab/m\nbudget: {short: {task: {steps: 4}}, none: {}, run: {run: {cost: 1}}}";
    expect(labels(budgets.replace(", run: {run: {cost: 1}}", ""))).toEqual(["short", "none"]);
    expect(problems(budgets)[0]!.message).toContain("Expected `budget` to hold `task` or `run`, got `short`");
    expect(problems("model: lab/m\nbudget: {short: {task: {stepz: 4}}, none: {}}")[0]!.message).toContain(
      "as numbers above 0, got `stepz: 4`",
    );

    const place = "run: 0123456789abcdef, task: t1, request: 2";
    const forks = `model: lab/m\nfork: {sunny: {${place}, result: "21 degrees"}, rainy: {${place}, result: rain}}`;
    expect(labels(forks)).toEqual(["sunny", "rainy"]);
    expect(runs(forks).map(({ spec }) => spec.fork!.result)).toEqual(["21 degrees", "rain"]);
    expect(ids(forks)[1]).toBe(ids(`model: lab/m\nfork: {${place}, result: rain}`)[0]);
    expect(problems(`model: lab/m\nfork: {sunny: {${place}, reslt: a}}`)[0]!.message).toContain("got `reslt`");
  });

  it("are labelled by their content if the names are missing", () => {
    expect(labels("model: lab/m\nfilter: [{category: [SS, MM]}, {category: MS}, {}]")).toEqual([
      "category SS MM",
      "category MS",
      "no filter",
    ]);
    expect(labels("model: lab/m\nbudget: [{task: {steps: 4, cost: 1}}, {}]")).toEqual([
      "task steps 4 cost 1",
      "no budget",
    ]);
    const place = "run: 0123456789abcdef, request: 2";
    expect(labels(`model: lab/m\nfork: [{${place}, task: "a,b"}, {${place}, task: c, reply: Yes}]`)).toEqual([
      "a b@2",
      "c@2 reply",
    ]);
  });

  it("set several options together if the options share a group", () => {
    const toolbench = (more: string) =>
      planRunCell(`suite: toolbench\nmodel: lab/m\nstrategy: tool-planner\n${more}`, context);
    const grid = toolbench("clusters: {coarse: {k: 4}, fine: {k: 16, method: kmeans}}");
    expect(grid.problems).toEqual([]);
    expect(grid.runs.map(({ label, spec }) => [label, spec.options["clusters.k"]])).toEqual([
      ["coarse", 4],
      ["fine", 16],
    ]);
    expect(grid.runs[0]!.named).toEqual({ clusters: "coarse" });
    expect(grid.runs[0]!.run).toBe(toolbench("clusters: {k: 4}").runs[0]!.run);
    expect(toolbench("clusters: {k: {few: 4, many: 16}}").runs.map(({ label }) => label)).toEqual(["few", "many"]);
    expect(toolbench("clusters:\n  coarse:\n    k: 4\n  fine:\n    kk: 16").problems).toEqual([
      { line: 8, message: expect.stringContaining("Expected one of the fields") },
    ]);
  });

  it("label lists of tools, and the ways of calling them", () => {
    const programs = () => ({
      agents: new Map(),
      processes: new Map(),
      toolServers: new Map([
        ["mail", "1"],
        ["files", "2"],
      ]),
    });
    const own = (more: string) =>
      planRunCell(`suite: own\nmodel: lab/m\nstrategy: react\n${more}`, { ...context, programs });
    const { runs: grid, problems: wrong } = own("tools: {alone: [mail], both: [files, mail], described: [mail, text]}");
    expect(wrong).toEqual([]);
    expect(grid.map(({ label, spec }) => [label, Object.keys(spec.toolServers!), spec.tools])).toEqual([
      ["alone", ["mail"], undefined],
      ["both", ["files", "mail"], undefined],
      ["described", ["mail"], "text"],
    ]);
    expect(grid[1]!.run).toBe(own("tools: [files, mail]").runs[0]!.run);
    expect(own("tools: {alone: [mail], none: []}").problems[0]!.message).toContain("which calls tool servers");
    expect(own("tools: {alone: [post]}").problems[0]!.message).toContain("got `post`");
    expect(own("tools: {pairs: [[mail], [files]]}").problems[0]!.message).toContain("one list of tools");
  });

  it("are labelled by their file or by how their text starts if they have no name", () => {
    expect(labels('model: lab/m\nsystem: ["", careful.md, "You are careful, very careful, with all of it."]')).toEqual([
      "no system",
      "careful.md",
      '"You are careful very car…"',
    ]);
    expect(labels("model: lab/m\nprompts: [{}, {plan: careful.md}, {plan: Be careful}]")).toEqual([
      "standard prompts",
      "plan careful.md",
      expect.stringMatching(/^plan [0-9a-f]{6}$/),
    ]);
  });

  it("have no comma in the label of a text without a name, and long labels are shortened", () => {
    const scan = (text: string) =>
      planRunCell(
        `suite: own\nfrom: q.csv\nmodel: lab/m\nrubric: [short, ${JSON.stringify(text)}]\ncheck: judge\njudge: lab/j`,
        context,
      ).runs.map(({ label }) => label);
    expect(scan("right, if it is polite")).toEqual(['"short…"', '"right if it is polite…"']);
    const long = `lab/${"m".repeat(57)}`;
    expect(labels(`model: ["lab/a,b", ${long}]`)).toEqual(["lab/a b", long]);
    const agents = ["a".repeat(60), "b".repeat(61)];
    const programs = () => ({
      processes: new Map(),
      toolServers: new Map(),
      agents: new Map(agents.map((name) => [name, "1"])),
    });
    const source = `suite: own\nfrom: q.csv\nstrategy: agent\nagent: [${agents.join(", ")}]`;
    expect(planRunCell(source, { ...context, programs }).runs.map(({ label }) => label)).toEqual([
      agents[0],
      `"${"b".repeat(24)}…"`,
    ]);
  });

  it("must not contain a comma in the name, and mistakes are reported with the path of the name", () => {
    expect(problems('model: {"a, b": lab/m}')[0]!.message).toContain("without a comma, got `a, b`");
    expect(problems("model: lab/m\nprompts:\n  careful:\n    plan: gone.md\n  standard: {}")).toEqual([
      { line: 5, message: "Expected a file `gone.md`, found none" },
    ]);
  });
});
