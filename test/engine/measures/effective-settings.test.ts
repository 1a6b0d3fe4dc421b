import { expect, test } from "vitest";
import { appliedOptions, effectiveOptions, effectOf } from "../../../source/engine/measures/effective-settings.ts";
import { fieldValue } from "../../../source/engine/measures/run-field.ts";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import { bareSpec } from "../../bare-spec.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";

const runOf = (source: string) => {
  const suites = [apibench, toolbench];
  const { spec } = planRunCell(`model: lab/m\n${source}`, { suites, defaultData: () => "sample" }).runs[0]!;
  return { spec, suite: suites.find(({ name }) => name === spec.suite)! };
};

test("a run has no value for an option that has no effect on that run, even if the cell sets the option", () => {
  const k = (more: string) => fieldValue(runOf(`suite: toolbench\nclusters: {k: 4}\n${more}`), "clusters.k");
  expect(k("strategy: tool-planner\n")).toBe(4);
  expect(k("strategy: react\n")).toBeUndefined();
  expect(k("strategy: react\ntoolkits: on\n")).toBe(4);
  expect(k("strategy: tool-planner\nclusters.method: dbscan\n")).toBeUndefined();
});

test("settings of grouping have no effect if the toolkits come from a library", () => {
  const cell = "suite: toolbench\nstrategy: tool-planner\nclusters: {k: 4, explain: lab/m, describe: lab/m}\n";
  const grouping = ["clusters.k", "clusters.method", "clusters.explain", "clusters.describe", "clusters.embedding"];
  const counting = (more: string) => {
    const { spec, suite } = runOf(cell + more);
    return grouping.filter(effectOf(spec, suite));
  };
  expect(counting("clusters.embedding: lexical\n")).toEqual(grouping);
  expect(counting("clusters.embedding: library\n")).toEqual(["clusters.embedding"]);
});

test("settings of a judge have no effect without a judge", () => {
  const counting = (more: string) => {
    const { spec, suite } = runOf(`suite: toolbench\nerrors: judge\nreference: mine\n${more}`);
    return ["errors", "reference"].filter(effectOf(spec, suite));
  };
  expect(counting("")).toEqual([]);
  expect(counting("judge: lab/m\n")).toEqual(["errors", "reference"]);
});

test("a run older than a setting has the value that was fixed before the setting existed", () => {
  const of = (more: string) => fieldValue(runOf(`suite: apibench\n${more}`), "catalogue");
  const usual = runOf("suite: apibench\nstrategy: react\ncatalogue: usual\n");
  expect(usual.spec.options).not.toHaveProperty("catalogue");
  expect([fieldValue(usual, "catalogue"), of("strategy: react\n"), of("strategy: direct\n")]).toEqual([
    "usual",
    "same",
    undefined,
  ]);
});

test("settings that the strategy uses have an effect, and so have unknown settings", () => {
  const { spec, suite } = runOf("suite: apibench\nstrategy: react\n");
  const matters = effectOf(spec, suite);
  const names = ["shots", "actor", "model", "temperature", "seed", "judge", "split", "gone"];
  expect(names.filter((name) => !matters(name))).toEqual(["shots", "actor"]);
});

test("settings of requests, roles and demonstrations have an effect if the strategy uses them", () => {
  const strategies = [
    { name: "none", roles: [] },
    { name: "one", roles: ["model"], usesShots: true },
    { name: "two", roles: ["model", "actor"] },
  ];
  const suite = { name: "made", options: [], strategies } as unknown as Suite;
  const without = (strategy: string) => {
    const matters = effectOf(bareSpec("made", { strategy }), suite);
    const names = ["shots", "prompts", "vary", "model", "actor", "user", "judge", "temperature", "seed", "split"];
    return names.filter((name) => !matters(name));
  };
  expect(without("none")).toEqual(["shots", "prompts", "vary", "model", "actor", "user", "temperature"]);
  expect(without("one")).toEqual(["actor", "user"]);
  expect(without("two")).toEqual(["shots", "user"]);
  expect(without("gone")).toEqual([]);
});

test("an option may depend on the value of an earlier option", () => {
  const options = [
    { name: "mode", title: "", values: ["a", "b"], default: "a" },
    { name: "size", title: "", values: "number", default: 1, when: { mode: ["b"] } },
  ];
  const of = (mode: string | undefined) =>
    appliedOptions((name) => (name === "mode" ? mode : undefined), { options } as never, { name: "direct" })
      .map(({ option, value }) => [option.name, value])
      .filter(([name]) => options.some((option) => option.name === name));
  expect(of("b")).toEqual([
    ["mode", "b"],
    ["size", 1],
  ]);
  expect(of(undefined)).toEqual([["mode", "a"]]);
});

test("the effective settings of a run are computed once for any number of tables", () => {
  const { spec, suite } = runOf("suite: toolbench\nstrategy: tool-planner\n");
  expect(effectiveOptions(spec, suite)).toBe(effectiveOptions(spec, suite));
  expect(effectiveOptions({ ...spec }, suite)).toEqual(effectiveOptions(spec, suite));
});
