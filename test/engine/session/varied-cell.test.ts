/** `vary` in a run cell: its runs, their ids and labels, and its errors. */
import { describe, expect, it } from "vitest";
import { Problem } from "../../../source/engine/problem.ts";
import { forkedFields, forkSource } from "../../../source/engine/session/fork-cell.ts";
import { type CellContext, planRunCell } from "../../../source/engine/session/run-cell.ts";
import { variableIn } from "../../../source/engine/session/varied-cell.ts";
import { suites } from "../../../suites/index.ts";

const files: Readonly<Record<string, string>> = {
  "paraphrases.csv": "id,question\n1,One?\n2,Two?\n1,Eins?\n",
  "paraphrases.jsonl": '{"id":1,"question":"One?"}\n{"id":"2","question":"Two?"}\n{"id":"1","question":"Eins?"}\n',
  "one.json": '{"1":"One?","2":"Two?"}',
  "list.json": '[{"id":"1","question":"One?"},{"id":"2","question":"Two?"}]',
  "no-id.csv": "question\nOne?\n",
  "empty.csv": "id,question\n",
  "broken.csv": 'id,question\n1,"One\n',
};
const context: CellContext = {
  suites,
  defaultData: () => "sample",
  text(file) {
    const text = files[file];
    if (text === undefined) throw new Problem("parse", `Expected a file \`${file}\`, found none`);
    return text;
  },
};
const cell = (more: string, suite = "own") => planRunCell(`suite: ${suite}\nmodel: lab/model\n${more}\n`, context);
const runs = (more: string, suite?: string) => {
  const planned = cell(more, suite);
  expect(planned.problems).toEqual([]);
  return planned.runs;
};
const problems = (more: string, suite?: string) => cell(more, suite).problems.map(({ message }) => message);

describe("`vary` in a run cell", () => {
  it("makes a run with the benchmark's original and a run for each variant, one kind at a time", () => {
    const planned = runs("strategy: react\nvary: {tools: 3, names: 2}", "toolbench");
    expect(planned.map(({ label, spec }) => [label, spec.vary])).toEqual([
      ["standard", undefined],
      ["tools 2", { tools: 2 }],
      ["tools 3", { tools: 3 }],
      ["names 2", { names: 2 }],
    ]);
    expect(new Set(planned.map(({ run }) => run)).size).toBe(4);
  });

  it("does not change the run's id without a variant", () => {
    const plain = runs("")[0]!.run;
    expect(runs("vary: {}").map(({ run }) => run)).toEqual([plain]);
    expect(runs("vary: {options: 1}").map(({ run }) => run)).toEqual([plain]);
    expect(runs("vary: {options: 2}")[0]!.run).toBe(plain);
    expect(runs("vary: [{options: 2}]").map(({ run }) => run)).toEqual([runs("vary: {options: 3}")[1]!.run]);
  });

  it("reads paraphrases from CSV, JSON Lines and JSON: the first paraphrase of each task, then the second", () => {
    const [, first, second] = runs("vary: {questions: paraphrases.csv}");
    expect([first!.label, second!.label]).toEqual(["paraphrase 1", "paraphrase 2"]);
    expect(first!.spec.vary).toEqual({ questions: { 1: "One?", 2: "Two?" } });
    expect(second!.spec.vary).toEqual({ questions: { 1: "Eins?" } });
    const again = ["paraphrases.jsonl", "one.json", "list.json", '{"2": "Two?", "1": "One?"}'];
    for (const source of again) expect(runs(`vary: {questions: ${source}}`)[1]!.run).toBe(first!.run);
    expect(runs('vary: {questions: {"1": "One?"}}')[1]!.run).not.toBe(first!.run);
  });

  it("is written into a fork's cell as one variant that gives the same run", () => {
    const [, , third] = runs("strategy: react\nvary: {tools: 3}", "toolbench");
    expect(forkedFields(third!.spec)["vary"]).toEqual([{ tools: 3 }]);
    const fork = { run: "0123456789abcdef", task: "1", request: 0 };
    const source = forkSource(third!.spec, fork);
    expect(source).toContain("vary: [{tools: 3}]\n");
    expect(planRunCell(source, context).runs.map(({ spec }) => spec.vary)).toEqual([{ tools: 3 }]);
    expect(runs("vary: [{questions: one.json}]")[0]!.spec.vary).toEqual({ questions: { 1: "One?", 2: "Two?" } });
  });

  it("is combined with each value of the other settings", () => {
    expect(runs("temperature: [0, 1]\nvary: {options: 2}").map(({ label }) => label)).toEqual([
      "temperature 0 · standard",
      "temperature 0 · options 2",
      "temperature 1 · standard",
      "temperature 1 · options 2",
    ]);
  });

  it("reports a mistake with its position", () => {
    expect(problems("vary: {option: 2}")).toEqual([
      "Expected `vary` to hold tools, names, options, questions, got `option` (did you mean `options`?)",
    ]);
    for (const count of ["0", "101", "2.5", "two"])
      expect(problems(`vary: {options: ${count}}`)[0]).toContain("to be a number of variants from 1 to 100, got");
    expect(problems("vary: 5")).toEqual([
      "Expected `vary` to be a map with one of the keys tools, names, options, questions, such as {tools: 2}, got `5`",
    ]);
    expect(problems("vary: [{options: 1}]")[0]).toContain("to be the number of a variant, 2 to 100, got `1`");
    expect(problems("vary: [{options: 2, questions: one.json}]")).toHaveLength(1);
    expect(problems("vary: {questions: gone.csv}")).toEqual(["Expected a file `gone.csv`, found none"]);
    expect(problems("vary: {questions: no-id.csv}")[0]).toContain("to have `id`, the task, and `question`");
    expect(problems("vary: {questions: empty.csv}")).toEqual(["Expected questions in `empty.csv`, found none"]);
    expect(problems("vary: {questions: broken.csv}")[0]).toContain("to be CSV or JSON Lines");
    expect(problems("vary: {questions: 5}")[0]).toContain("to be a file with the columns id and question, got `5`");
    expect(problems("vary: [{questions: paraphrases.csv}]")[0]).toContain("found several");
    expect(cell("vary:\n  options: 0").problems[0]!.line).toBe(4);
  });

  it("is rejected if no task has the part to be varied, and the error lists what can be varied", () => {
    expect(problems("vary: {tools: 2}")).toEqual([
      "Expected `vary.tools` only for strategies that offer functions, or show tools in their own prompt, got `own` with `direct`, which can vary options, questions",
    ]);
    expect(problems("vary: {names: 2}", "appbench")[0]).toContain("which can vary tools, questions");
    expect(problems("strategy: adaplanner\nvary: {names: 2}", "toolbench")[0]).toContain("which can vary questions");
    expect(problems("strategy: react\nvary: {tools: 2}", "travelplanner")[0]).toContain("which can vary questions");
    expect(problems("vary: {options: 2}", "planbench")[0]).toContain("which can vary nothing");
    expect(problems("vary: {options: 2}\npredictions: answers.jsonl")[0]).toContain("`vary` or `predictions`");
  });

  it("lists the kinds that each benchmark and strategy can vary", () => {
    const known = suites.flatMap((suite) =>
      suite.strategies.map((strategy) => `${suite.name} ${strategy.name}: ${variableIn(suite, strategy).join(" ")}`),
    );
    const of = (name: string) => known.find((each) => each.startsWith(`${name}: `))?.slice(name.length + 2);
    expect(of("tau2 conversation")).toBe("tools names");
    expect(of("toolbench react")).toBe("tools names questions");
    expect(of("toolbench single-chain")).toBe("tools names questions");
    expect(of("toolbench tool-planner")).toBe("questions");
    expect(of("toolbench agent")).toBe("questions");
    expect(of("own direct")).toBe("options questions");
    expect(of("own react")).toBe("tools names options questions");
    expect(of("appbench cot")).toBe("tools questions");
    expect(of("planningarena dialogue")).toBe("tools questions");
    expect(of("ultratool direct")).toBe("tools questions");
    expect(of("travelplanner react")).toBe("questions");
    expect(of("process process")).toBe("");
  });
});
