/** `alias:` in the front matter: names of models, agents and strategies for labels, never in ids. */
import { describe, expect, it } from "vitest";
import { readAliases } from "../../../source/engine/session/fields/aliases.ts";
import { readFrontMatter } from "../../../source/engine/session/document/notebook-fields.ts";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { suites } from "../../../suites/index.ts";

const aliases = new Map([
  ["lab/llama", "Llama"],
  ["lab/judge", "Judy"],
  ["react", "ReAct"],
]);
const plan = (source: string, given = aliases) =>
  planRunCell(source, {
    suites,
    defaultData: () => "sample",
    given: { defaults: {}, set: {}, replaced: {}, aliases: given },
  }).runs;

describe("aliases", () => {
  it("are the labels of models and strategies, and change no ids or settings", () => {
    const source = "suite: appbench\nmodel: [lab/llama, lab/big]";
    const runs = plan(source);
    expect(runs.map(({ label }) => label)).toEqual(["Llama", "lab/big"]);
    expect(runs.map(({ plainLabel }) => plainLabel)).toEqual(["lab/llama", undefined]);
    expect(runs.map(({ named }) => named)).toEqual([{ model: "Llama" }, undefined]);
    expect(runs.map(({ run }) => run)).toEqual(plan(source, new Map()).map(({ run }) => run));
    expect(runs[0]!.spec.model).toBe("lab/llama");

    const strategies = plan("suite: toolbench\nmodel: lab/big\nstrategy: [react, dfsdt]");
    expect(strategies.map(({ label, plainLabel }) => [label, plainLabel])).toEqual([
      ["ReAct", "react"],
      ["dfsdt", undefined],
    ]);
    expect(plan("suite: appbench\nmodel: lab/llama")[0]).toMatchObject({ label: "Llama", plainLabel: "lab/llama" });
  });

  it("are overridden by a name in the cell", () => {
    const [run] = plan("suite: appbench\nmodel: {small: lab/llama, big: lab/big}");
    expect(run).toMatchObject({ label: "small", named: { model: "small" } });
    expect(run!.plainLabel).toBeUndefined();
  });

  it("replace the models of roles that have their own settings", () => {
    const source =
      "suite: own\nfrom: q.csv\nmodel: lab/llama\ncheck: judge\njudge: [{model: lab/judge, temperature: 1}, lab/judge]";
    expect(plan(source).map(({ label }) => label)).toEqual(["Judy (temperature 1)", "Judy"]);
    expect(plan(source)[0]!.named).toEqual({ model: "Llama", judge: "Judy (temperature 1)" });
    const majority = "suite: own\nfrom: q.csv\nmodel: lab/big\ncheck: judge\njudge: {majority: [lab/judge, lab/x]}";
    expect(plan(majority)[0]!.named).toEqual({ judge: "majority of Judy lab/x" });
  });

  it("are rejected if an alias is empty, contains a comma, or repeats a model", () => {
    const found: unknown[] = [];
    const read = readAliases(
      { small: "lab/a", "": "lab/b", "a, b": "lab/c", other: "lab/a", no: 3 },
      (message, alias) => found.push([alias, message]),
    );
    expect([...read]).toEqual([["lab/a", "small"]]);
    expect(found).toEqual([
      ["", expect.stringContaining("without a comma, got ``")],
      ["a, b", expect.stringContaining("without a comma, got `a, b`")],
      ["other", "Expected one alias for `lab/a`, got `small` and `other`"],
      ["no", "Expected `alias.no` to be a model, an agent or a strategy, got `3`"],
    ]);
    expect(readAliases(null, () => found.push("none")).size).toBe(0);
    readAliases(["lab/a"], (message) => found.push(message));
    expect(found.at(-1)).toBe(
      'Expected `alias` to name models, agents and strategies, such as {small: lab/llama}, got `["lab/a"]`',
    );
  });

  it("are reported with their line if they are invalid, and the rest of the front matter stays valid", () => {
    const { alias, problems, defaults } = readFrontMatter(
      "defaults: {limit: 4}\nalias:\n  small: lab/a\n  no: 3\n",
      suites,
    );
    expect([...alias.aliases]).toEqual([["lab/a", "small"]]);
    expect(alias.problems).toEqual([{ line: 4, message: expect.stringContaining("`alias.no`") }]);
    expect([problems, defaults]).toEqual([[], { limit: 4 }]);
  });
});
