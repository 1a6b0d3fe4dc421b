import { describe, expect, it } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import {
  groupOfOne,
  groupsAcross,
  groupsAcrossSplits,
  hasRepeats,
  joinedAcrossSplits,
  numberedLabels,
  settingTexts,
  trialPools,
} from "../../../source/engine/measures/run-groups.ts";
import { fieldValue, hasValue } from "../../../source/engine/measures/run-field.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { madeRun, type MadeRow, madeSpec, madeSuite } from "../../analyses/made-run.ts";

const one: readonly MadeRow[] = [{ task: "a", right: 1 }];
const made = (run: string, spec: Partial<RunSpec> = {}, rows = one, more: Partial<RunRows> = {}) =>
  madeRun(run, rows, { spec: { ...madeSpec, ...spec }, ...more });
const split = (name: string, task: string, more: Partial<RunSpec> = {}) =>
  made(name, { split: name, ...more }, [{ task, right: 1 }]);
/** The runs of each group. */
const together = (groups: readonly { readonly runs: readonly RunRows[] }[]) =>
  groups.map(({ runs }) => runs.map(({ run }) => run).join("+"));

describe("runs on several splits", () => {
  it("form one group if nothing else differs, in the order in which the runs start", () => {
    const runs = [split("x", "a"), split("y", "b", { temperature: 1 }), split("z", "c")];
    const groups = groupsAcrossSplits(runs);
    expect(together(groups)).toEqual(["x+z", "y"]);
    expect(groups.map(({ label }) => label)).toEqual(["lab/small · temperature 0", "lab/small · temperature 1"]);
    expect(groups[0]!.rows.map(({ task }) => task)).toEqual(["a", "c"]);
  });

  it("are not joined if a task would count twice, but are joined if two different tasks share a name", () => {
    expect(together(groupsAcross([split("x", "a"), split("y", "b")], []))).toEqual(["x+y"]);
    expect(together(groupsAcross([split("x", "a"), split("y", "a")], []))).toEqual(["x", "y"]);
    const with_ = (run: string, level: string) =>
      made(run, { split: run }, [{ task: "a", right: 1, facets: { level } }]);
    expect(together(groupsAcross([with_("x", "easy"), with_("y", "hard")], []))).toEqual(["x+y"]);
    expect(together(groupsAcross([with_("x", "easy"), with_("y", "easy")], []))).toEqual(["x", "y"]);
    const more = made("y", { split: "y" }, [{ task: "a", right: 1, facets: { level: "easy", parallel: "1" } }]);
    expect(together(groupsAcross([with_("x", "easy"), more], []))).toEqual(["x+y"]);
  });

  it("are separate if they share any task, whose facets all have the same values", () => {
    const [x, more] = [split("x", "a"), made("y", { split: "y" }, [...one, { task: "b", right: 1 }])];
    expect(together(groupsAcross([x, more], []))).toEqual(["x", "y"]);
    expect(together(groupsAcross([more, x], []))).toEqual(["y", "x"]);
    const asked = (run: string, facets: MadeRow["facets"] & object) =>
      made(run, { split: run }, [{ task: "a", right: 1, facets }]);
    const first = asked("x", { level: "easy", parallel: 1 });
    expect(together(groupsAcross([first, asked("y", { level: "easy", parallel: 2 })], []))).toEqual(["x+y"]);
    expect(together(groupsAcross([first, asked("y", { level: "hard", parallel: 1 })], []))).toEqual(["x+y"]);
    expect(together(groupsAcross([first, asked("y", { level: "easy" })], []))).toEqual(["x+y"]);
    expect(together(groupsAcross([first, asked("y", { parallel: 1, level: "easy" })], []))).toEqual(["x", "y"]);
    // A run may have several rows of one task.
    const twice = made("x", { split: "x" }, [...one, ...one]);
    expect(together(groupsAcross([twice, split("y", "b")], []))).toEqual(["x+y"]);
    // Runs that differ in the field are in different columns, in which a task counts once each.
    const columns = [split("x", "a"), split("y", "a", { temperature: 1 }), split("z", "b")];
    expect(together(groupsAcross(columns, ["temperature"]))).toEqual(["x+y+z"]);
    // With a common task, only the runs on one split are joined.
    const both = [...columns, split("y", "a"), split("z", "b", { temperature: 1 })].map((run, at) => ({
      ...run,
      run: `${at}`,
    }));
    expect(together(groupsAcross(both, ["temperature"]))).toEqual(["0", "1+3", "2+4"]);
  });

  it("stay separate if their split has a column of its own", () => {
    const runs = [split("x", "a"), split("y", "b"), split("z", "c", { temperature: 1 })];
    expect(together(groupsAcross(runs, ["temperature"], ["split"]))).toEqual(["x", "y", "z"]);
    const both = groupsAcross(
      [...runs, split("x", "a", { temperature: 1 })].map((run, at) => ({ ...run, run: `${at}` })),
      ["temperature"],
      ["split"],
    );
    expect(together(both)).toEqual(["0+3", "1", "2"]);
    expect(together(groupsAcross(runs, ["temperature"], ["model"]))).toEqual(["x+y+z"]);
  });

  it("form one run whose split lists all splits in sorted order", () => {
    const [joined, alone] = joinedAcrossSplits([split("y", "b"), split("x", "a"), split("z", "c", { shots: 2 })]);
    expect([joined!.run, joined!.spec.split, joined!.rows.map(({ task }) => task)]).toEqual(["y", "x,y", ["b", "a"]]);
    expect([alone!.run, alone!.spec.split]).toEqual(["z", "z"]);
  });
});

describe("runs that differ in a field", () => {
  const strategies = [
    made("direct", { strategy: "direct" }),
    made("react", { strategy: "react", strategyRevision: 2, options: { steps: 3 } }),
    made("other", { strategy: "react", strategyRevision: 2, options: { steps: 3 }, temperature: 1 }),
  ];

  it("form one group across that field, even if different strategies also change revision and options", () => {
    expect(together(groupsAcross(strategies, []))).toEqual(["direct", "react", "other"]);
    expect(together(groupsAcross(strategies, ["strategy"]))).toEqual(["direct+react", "other"]);
    expect(together(groupsAcross(strategies, ["strategy", "temperature"]))).toEqual(["direct+react+other"]);
    expect(together(groupsAcross(strategies.slice(0, 2), ["temperature"]))).toEqual(["direct", "react"]);
  });

  it("are not joined across an option of the suite, unless the option is the field", () => {
    const suite = { ...madeSuite, options: [{ name: "hints" }] } as unknown as Suite;
    const hints = (run: string, value: string, strategy: string) =>
      made(run, { options: { hints: value }, strategy }, one, { suite });
    const runs = [hints("a", "on", "direct"), hints("b", "off", "react")];
    expect(together(groupsAcross(runs, ["strategy"]))).toEqual(["a", "b"]);
    expect(together(groupsAcross(runs, ["strategy", "hints"]))).toEqual(["a+b"]);
  });

  it("are also joined if data, judge and the suite's own options differ because their suites differ", () => {
    const own = { ...madeSuite, name: "own", options: [{ name: "check" }] } as unknown as Suite;
    const other = made(
      "b",
      { suite: "own", suiteRevision: 7, data: "published", judge: "lab/judge", options: { check: "exact" } },
      [{ task: "b", right: 1 }],
      { suite: own },
    );
    expect(together(groupsAcross([made("a"), other], ["suite"]))).toEqual(["a+b"]);
    expect(together(groupsAcross([made("a"), other], []))).toEqual(["a", "b"]);
    expect(together(groupsAcross([made("a"), made("b", { data: "published" })], []))).toEqual(["a", "b"]);
  });

  it("differ in the judge and its prompts only if neither of them is the field", () => {
    const judged = [
      made("a", { judge: "lab/one", judging: { temperature: 0 }, judgePrompts: { score: "x" } }),
      made("b", { judge: "lab/two", judging: { temperature: 1 }, judgePrompts: { score: "y" } }),
    ];
    expect(together(groupsAcross(judged, []))).toEqual(["a", "b"]);
    expect(together(groupsAcross(judged, ["judge"]))).toEqual(["a", "b"]);
    expect(together(groupsAcross(judged, ["judge", "prompts"]))).toEqual(["a+b"]);
    expect(together(groupsAcross(judged, ["prompts"]))).toEqual(["a", "b"]);
    const settled = [0, 1].map((temperature) =>
      made(`${temperature}`, { judge: "lab/one", judging: { temperature } }, [{ task: `${temperature}`, right: 1 }]),
    );
    expect(together(groupsAcross(settled, []))).toEqual(["0", "1"]);
    expect(together(groupsAcross(settled, ["judge"]))).toEqual(["0+1"]);
  });

  it("are one group across a role and its settings, across the tools and their servers, and across a group of options", () => {
    const acted = (run: string, actor: string, temperature: number) =>
      made(run, { actor, roles: { actor: { temperature } } });
    expect(together(groupsAcross([acted("a", "lab/one", 0), acted("b", "lab/two", 1)], ["actor"]))).toEqual(["a+b"]);
    expect(together(groupsAcross([acted("a", "lab/one", 0), acted("b", "lab/two", 1)], ["temperature"]))).toEqual([
      "a",
      "b",
    ]);
    const served = ["x", "y"].map((server) =>
      made(server, { toolServers: [server] } as never, [{ task: server, right: 1 }]),
    );
    expect(together(groupsAcross(served, ["seed", "tools"]))).toEqual(["x+y"]);
    expect(together(groupsAcross(served, ["seed"]))).toEqual(["x", "y"]);
    const clustered = [3, 4].map((k) => made(`${k}`, { options: { "clusters.k": k } }, [{ task: `${k}`, right: 1 }]));
    expect(together(groupsAcross(clustered, ["seed", "clusters"]))).toEqual(["3+4"]);
    expect(together(groupsAcross(clustered, ["seed", "cluster"]))).toEqual(["3", "4"]);
  });

  it("contain each run once, and number identical labels", () => {
    const [run] = strategies;
    expect(together(groupsAcross([run!, run!], []))).toEqual(["direct"]);
    expect(groupsAcross([run!], [])[0]).toEqual(groupOfOne(run!));
    const labels = numberedLabels(
      ["a", "b", "a", "a"].map((label) => ({ label })),
      ({ label }) => label,
    );
    expect(labels.map(({ label }) => label)).toEqual(["a", "b", "a (2)", "a (3)"]);
  });

  it("are not joined if their labels differ and no model is known", () => {
    const imported = (label: string) => made(label, { model: "none" }, one, { label });
    const groups = groupsAcross([imported("x"), imported("y")], ["temperature"]);
    expect(together(groups)).toEqual(["x", "y"]);
    expect(groups.map(({ label }) => label)).toEqual(["x", "y"]);
  });
});

describe("labels of groups of runs", () => {
  it("contain the model, or the settings that differ if all groups have one model", () => {
    const labels = (runs: readonly RunRows[], told: readonly string[] = []) =>
      groupsAcross(runs, ["seed"], told).map(({ label }) => label);
    const [a, b, c] = [made("a"), made("b", { temperature: 1 }), made("c", { model: "lab/large", temperature: 1 })];
    expect(labels([a!, b!, c!])).toEqual(["lab/small · temperature 0", "lab/small · temperature 1", "lab/large"]);
    expect(labels([a!, b!], ["temperature"])).toEqual(["lab/small", "lab/small"]);
    expect(labels([a!])).toEqual(["lab/small"]);
    const options = [made("a", { options: { x: 1 } }), made("b")];
    expect(labels(options)).toEqual(["lab/small · x 1", "lab/small · x none"]);
  });

  it("contain only the settings that differ if models are joined, or the first run's label if none differs", () => {
    const labels = (...runs: readonly RunRows[]) => groupsAcross(runs, ["model"]).map(({ label }) => label);
    const large = { model: "lab/large" };
    const [a, b] = [made("a"), made("b", large)];
    expect(labels(a, b)).toEqual(["a"]);
    expect(labels(a, b, made("c", { ...large, temperature: 1 }))).toEqual(["temperature 0", "temperature 1"]);
  });

  it("name a setting if it differs among groups with equal values in the columns, and not if a column tells it", () => {
    const labels = (told: readonly string[], ...runs: readonly RunRows[]) =>
      groupsAcross(runs, ["seed"], told).map(({ label }) => label);
    const [cold, warm] = [made("a"), made("b", { temperature: 1, shots: 3 })];
    const hot = made("c", { temperature: 1, shots: 4 });
    expect(labels(["temperature"], cold, warm)).toEqual(["lab/small", "lab/small"]);
    expect(labels(["temperature"], cold, warm, hot)).toEqual([
      "lab/small · shots 0",
      "lab/small · shots 3",
      "lab/small · shots 4",
    ]);
  });

  it("are the name of the cell, which ends at the first colon, if several benchmarks share a model", () => {
    const other = { ...madeSuite, name: "other" } as unknown as Suite;
    const runs = [
      made("a", { split: "x" }, [{ task: "a", right: 1 }], { label: "app: x: first" }),
      made("b", { split: "y" }, [{ task: "b", right: 1 }], { label: "app: y: second" }),
      made("c", { suite: "other" }, [{ task: "c", right: 1 }], { label: "else: z", suite: other }),
    ];
    const groups = groupsAcross(runs, [], [], true);
    expect(groups.map(({ label }) => label)).toEqual(["app", "else: z"]);
    expect(together(groups)).toEqual(["a+b", "c"]);
  });

  it("omit a common model if settings distinguish the groups", () => {
    const runs = [made("a"), made("b", { temperature: 1 })];
    expect(groupsAcross(runs, ["seed"], [], true).map(({ label }) => label)).toEqual([
      "temperature 0",
      "temperature 1",
    ]);
    expect(groupsAcross(runs.slice(0, 1), ["seed"], [], true).map(({ label }) => label)).toEqual(["lab/small"]);
  });

  it("shorten long texts, and distinguish texts that start with the same words", () => {
    const offers = {
      ...madeSuite,
      options: [{ name: "rubric", title: "Rubric", values: "text", default: "" }],
    } as unknown as Suite;
    const text = "It is right if it is polite";
    const runs = [text, `${text} and brief`, ""].map((rubric, at) =>
      made(`${at}`, { options: { rubric } }, one, { suite: offers }),
    );
    expect(runs.map((run) => settingTexts(run, []).get("rubric"))).toEqual([
      '"It is right if it is pol…"',
      '"It is right if it is pol…"',
      "no rubric",
    ]);
    const values = runs.map((run) => fieldValue(run, "rubric"));
    expect(values).toEqual([
      expect.stringMatching(/^"It is right if it is pol…" [0-9a-f]{6}$/),
      expect.stringMatching(/^"It is right if it is pol…" [0-9a-f]{6}$/),
      "no rubric",
    ]);
    expect(values[0]).not.toBe(values[1]);
    expect(runs.map((run) => hasValue(run, "rubric", text))).toEqual([true, false, false]);
    expect(runs.map((run) => hasValue(run, "rubric", String(values[1])))).toEqual([false, true, false]);
  });

  it("contain the settings that are not excluded", () => {
    const run = made("a", { options: { x: 1, y: "two" } }, one, { named: { y: "the second" } });
    const texts = settingTexts(run, ["temperature"]);
    expect([texts.get("x"), texts.get("y"), texts.has("temperature"), texts.get("strategy")]).toEqual([
      "1",
      "the second",
      false,
      "direct",
    ]);
  });
});

describe("trials of a run", () => {
  const trial = (run: string, number: number, more: Partial<RunRows> = {}) =>
    made(run, { trial: number }, one, { label: `lab/small · trial ${number}`, ...more });

  it("form one pool per configuration, whose label omits the trial", () => {
    const pools = trialPools([trial("a", 1), made("x", { temperature: 1 }, one, { label: "hot" }), trial("b", 2)]);
    expect(pools.map(({ label, rows, trials }) => [label, rows.length, trials.length])).toEqual([
      ["lab/small", 2, 2],
      ["hot", 1, 1],
    ]);
    expect(trialPools([trial("a", 1)])[0]!.label).toBe("lab/small · trial 1");
    expect(pools.map(({ spec }) => spec.trial)).toEqual([1, madeSpec.trial]);
  });

  it("are not joined across several cells, and are labelled by cell", () => {
    const cell = (run: string, name: string, number: number, label = `${name}: trial ${number}`) =>
      trial(run, number, { label });
    const pools = trialPools([cell("a", "one", 1), cell("b", "two", 1), cell("c", "one", 2)]);
    expect(pools.map(({ label }) => label)).toEqual(["one", "two: trial 1"]);
    const more = [1, 2].map((number) => cell(`${number}`, "one", number, `one: hot, trial ${number}`));
    expect(trialPools(more)[0]!.label).toBe("one: hot");
    const nested = [1, 2].map((number) => cell(`${number}`, "one", number, `one: x: y, trial ${number}`));
    expect(trialPools(nested)[0]!.label).toBe("one: x: y");
    const bare = [1, 2].map((number) => cell(`${number}`, "", number, `trial ${number}`));
    expect(trialPools(bare)[0]!.label).toBe("lab/small");
  });

  it("contain a task twice if two runs of one pool have finished the task", () => {
    const running = made("b", { trial: 2 }, [{ task: "a", running: true }]);
    expect(hasRepeats([trial("a", 1), trial("b", 2)])).toBe(true);
    expect(hasRepeats([made("x", { temperature: 1 }), trial("a", 1), trial("b", 2)])).toBe(true);
    expect(hasRepeats([trial("a", 1), running])).toBe(false);
    expect(hasRepeats([trial("a", 1), made("b", { trial: 2, temperature: 1 })])).toBe(false);
  });
});
