import { beforeAll, describe, expect, it } from "vitest";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { RunSpec, Step, Task } from "../../../source/engine/types.ts";
import { runWithBuiltin, type TaskRun } from "../run-with-builtin.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { askingStrategies } from "../../asking-strategies.ts";

let loaded: LoadedSuite;
let tasks: readonly Task[];
beforeAll(async () => {
  loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  tasks = await loaded.tasks("all");
});

const specOf = (strategy: string, options: RunSpec["options"] = {}): RunSpec =>
  ({
    suite: "toolbench",
    split: "all",
    data: "sample",
    strategy,
    options,
    budget: { task: { steps: 60 } },
    model: "builtin/slips",
    temperature: 0,
    seed: 7,
    trial: 1,
  }) as unknown as RunSpec;

const runAll = (spec: RunSpec, model: string): Promise<TaskRun[]> =>
  Promise.all(tasks.map((task) => runWithBuiltin(loaded, task, spec, model)));
const total = (runs: readonly TaskRun[], metric: string): number =>
  runs.reduce((sum, { score }) => sum + (score.metrics[metric] ?? 0), 0);

describe("the sample of ToolBench", () => {
  it("has at least 20 tasks and 48 APIs in 12 groups, and some APIs fail on purpose", async () => {
    expect(tasks.length).toBeGreaterThanOrEqual(20);
    const { sampleApis } = await import("../../../suites/toolbench/data/sample-apis/call.ts");
    expect(sampleApis).toHaveLength(48);
    expect(new Set(sampleApis.map(({ category }) => category)).size).toBe(12);
    expect(sampleApis.filter(({ health }) => health !== "works").length).toBeGreaterThan(10);
  });
});

it("a mistake in a ToolBench call is reported as its kind, even if other requests come between call and result", async () => {
  const spec = specOf("toolchain-star");
  for (const kind of ["invalid-parameter", "missing-parameter", "false-format", "api-hallucinated"]) {
    const runs = await runAll(spec, `slips?${kind}=1&seed=1`);
    const kinds = new Set(runs.flatMap(({ score }) => score.errors.map((error) => error.kind)));
    const unspoilt = new Set(
      (await runAll(spec, "oracle")).flatMap(({ score }) => score.errors.map((one) => one.kind)),
    );
    expect(kinds.has(kind), kind).toBe(true);
    expect(
      [...kinds].filter((one) => one !== kind && one !== "decision-failure" && !unspoilt.has(one)),
      kind,
    ).toEqual([]);
  }
});

it("ToolBench's sample has demonstrations that contain the functions that a task needs", async () => {
  const { open, plan } = loaded.asks.environment!;
  for (const task of tasks) {
    const spec = specOf("toolchain-star");
    const offered = (await open(task, spec)).tools.map(({ name }) => name);
    expect(plan!(task, spec).length).toBeGreaterThan(0);
    expect(offered).toEqual(expect.arrayContaining([...plan!(task, spec)]));
  }
});

describe("the retriever over a wider catalogue", () => {
  it("reports the retriever's recall next to the results, and no recall if every query has its own list", async () => {
    const known = async (options: RunSpec["options"], strategy = "react") =>
      (await runAll(specOf(strategy, options), "oracle")).map(({ score }) => score.metrics["retriever.recall"]);
    expect(await known({ catalogue: "pool", retrieve: 48 })).toEqual(tasks.map(() => 1));
    const few = await known({ catalogue: "pool", retrieve: 1 });
    expect(few.every((recall) => recall! >= 0 && recall! <= 1)).toBe(true);
    expect(few.some((recall) => recall! < 1)).toBe(true);
    expect(new Set(await known({}))).toEqual(new Set([undefined]));
    expect(new Set(await known({ catalogue: "pool" }, "tool-planner"))).toEqual(new Set([undefined]));
  });
});

describe("a seeded unreliable model", () => {
  it("makes Tool-Planner replan less often than DFSDT backtracks, at the same rate of success", async () => {
    // The model gives up at the first error. A tree search must go back and try another branch; within a toolkit the next API is tried,
    // and no plan changes.
    const model = "slips?gives-up=1&seed=1";
    const planner = await runAll(specOf("tool-planner", { catalogue: "query" }), model);
    const search = await runAll(specOf("dfsdt"), model);
    const chain = await runAll(specOf("react"), model);
    expect({
      "tool-planner": {
        success: total(planner, "success"),
        replans: total(planner, "replans"),
        switches: total(planner, "switches"),
      },
      dfsdt: { success: total(search, "success"), backtracks: total(search, "backtracks") },
      react: { success: total(chain, "success") },
    }).toEqual({
      "tool-planner": { success: 24, replans: 0, switches: 52 },
      dfsdt: { success: 24, backtracks: 7 },
      react: { success: 18 },
    });
  });

  // [right tasks of 24, new plans or backtracks, requests] of Tool-Planner and of DFSDT on the same APIs. Both can make the mistakes of
  // the first block. If a first call is wrong, neither has to replan: Tool-Planner continues with the toolkit's next API (and loses one
  // task whose toolkit has no other working API), DFSDT tries the same API again. Only Tool-Planner plans over toolkits, so only it
  // makes the mistakes of the second block; answering too early is a step it does not have.
  const table = {
    "gives-up=0.5": [24, 0, 186, 24, 6, 80],
    "missing-parameter=1": [23, 0, 213, 24, 0, 97],
    "invalid-parameter=1": [23, 0, 213, 24, 0, 97],
    "false-format=1": [23, 0, 213, 24, 2, 100],
    "api-hallucinated=1": [23, 0, 213, 24, 2, 100],
    "rate=0.3": [23, 0, 193, 24, 2, 86],
    "rate=0.6": [23, 2, 199, 21, 4, 86],
    "rate=1": [24, 3, 214, 22, 4, 96],

    "wrong-toolkit=0.5": [24, 11, 215, 24, 0, 74],
    "no-plan=1": [24, 0, 210, 24, 0, 74],
    "incomplete-answer=0.5": [24, 0, 186, 13, 0, 58],
  };
  for (const [model, expected] of Object.entries(table)) {
    it(`causes the documented number of new plans, backtracks, successes and requests with ${model}`, async () => {
      const planner = await runAll(specOf("tool-planner", { catalogue: "query" }), `slips?${model}&seed=1`);
      const search = await runAll(specOf("dfsdt"), `slips?${model}&seed=1`);
      const numbers = (runs: readonly TaskRun[], metric: string) => [
        total(runs, "success"),
        total(runs, metric),
        runs.reduce((sum, { steps }) => sum + steps.filter(({ type }) => type === "prompt").length, 0),
      ];
      expect([...numbers(planner, "replans"), ...numbers(search, "backtracks")]).toEqual(expected);
    });
  }

  it("has each plan over the wrong toolkit replaced once, by a plan over another toolkit", async () => {
    const runs = await runAll(specOf("tool-planner", { catalogue: "query" }), "slips?wrong-toolkit=1&seed=1");
    expect(total(runs, "success")).toBe(24);
    expect(total(runs, "replans")).toBe(24);
    expect(new Set(runs.map(({ score }) => score.labels?.["ended"]))).toEqual(new Set(["answered"]));
  });

  it("makes mistakes that are reported as their kinds", async () => {
    for (const kind of ["missing-parameter", "false-format", "api-hallucinated", "invalid-parameter"]) {
      const runs = await runAll(specOf("react"), `slips?${kind}=1&seed=1`);
      const found = runs.filter(({ score }) => score.errors.some((error) => error.kind === kind));
      // A dead or unsubscribed API gives one answer to any call, but mistakes in the arguments are still found.
      expect(found.length, kind).toBeGreaterThanOrEqual(kind === "invalid-parameter" ? 12 : 24);
    }
    const early = await runAll(specOf("react"), "slips?incomplete-answer=1&seed=1");
    const failed = early.filter(({ score }) => score.value === 0);
    expect(failed.length).toBeGreaterThan(10);
    expect(failed.every(({ score }) => score.errors.some(({ kind }) => kind === "decision-failure"))).toBe(true);
  });

  it("lets every strategy end every task within the budget", async () => {
    for (const { name } of askingStrategies(toolbench)) {
      const runs = await runAll(specOf(name, { toolkits: "on" }), "slips?rate=1&seed=3");
      for (const { steps } of runs)
        expect(steps.filter(({ type }) => type === "prompt").length).toBeLessThanOrEqual(60);
    }
  });
});

describe("a run on the sample", () => {
  it("draws its plan as a tree of toolkits with the tried APIs below", async () => {
    const [first] = await runAll(specOf("tool-planner"), "oracle");
    const kinds = new Set(first!.steps.flatMap((step) => (step.type === "node" ? [step.kind] : [])));
    expect([...kinds]).toEqual(["query", "toolkit", "api"]);
    expect(first!.score.metrics).toMatchObject({
      plan_length: 1,
      apis_per_step: first!.score.metrics["switches"]! + 1,
    });
  });

  it("measures the time to the first call if steps have times", async () => {
    const at = (step: object, ms: number) => ({ ...step, at: ms }) as unknown as Step;
    const steps = [
      at({ type: "prompt", request: 0, role: "model", model: "m", stage: "step", messages: [] }, 1000),
      at({ type: "result", callId: "c", name: "x", result: { ok: true, observation: "", status: 0 } }, 3500),
    ];
    const { signal } = new AbortController();
    const scored = (all: readonly Step[]) =>
      loaded.score(tasks[0]!, { answer: "", steps: all, failure: undefined }, { spec: specOf("react"), signal });
    expect((await scored(steps)).metrics["first_call"]).toBe(2.5);
    expect((await scored(steps.slice(0, 1))).metrics["first_call"]).toBeUndefined();
  });

  it("can search the whole catalogue, and its labels contain the scope", async () => {
    const runs = await runAll(specOf("tool-planner", { catalogue: "all", "clusters.k": 12 }), "oracle");
    expect(total(runs, "success")).toBe(24);
    expect(runs[0]!.score.labels).toMatchObject({ catalogue: "all", toolkits: "on" });
    expect(runs[0]!.score.metrics["cluster.count"]).toBe(12);
    const dbscan = await runAll(
      specOf("tool-planner", { catalogue: "all", "clusters.method": "dbscan", "clusters.eps": 0.7 }),
      "oracle",
    );
    expect(dbscan[0]!.score.metrics["cluster.count"]).toBeGreaterThan(5);
  });

  it("shows its toolkits on a map with one point for every API", async () => {
    const view = await loaded.toolkits!.clusters(specOf("tool-planner", { "clusters.k": 12 }));
    expect(view!.apis).toHaveLength(48);
    expect(view!.toolkits).toHaveLength(12);
    expect(await loaded.toolkits!.clusters(specOf("tool-planner", { catalogue: "query" }))).toBeUndefined();
  });

  it("limits k to the length of a query's list, and rejects an invalid eps or k", async () => {
    const many = await runWithBuiltin(
      loaded,
      tasks[0]!,
      specOf("tool-planner", { catalogue: "query", "clusters.k": 1800 }),
      "oracle",
    );
    expect(many.score.metrics["cluster.count"]).toBe(6);
    const wrong = runWithBuiltin(
      loaded,
      tasks[0]!,
      specOf("tool-planner", { "clusters.method": "dbscan", "clusters.eps": 3 }),
      "oracle",
    );
    await expect(wrong).rejects.toThrow("Expected `clusters.eps` to be a cosine distance from 0 to 2, got `3`");
    for (const k of [1.5, -3])
      await expect(
        runWithBuiltin(loaded, tasks[0]!, specOf("tool-planner", { "clusters.k": k }), "oracle"),
      ).rejects.toThrow(`Expected \`clusters.k\` to be a whole number of at least 0, got \`${k}\``);
  });

  it("gives the same results for the same seed", async () => {
    const spec = specOf("tool-planner");
    const once = await runAll(spec, "slips?rate=0.5&seed=2");
    const again = await runAll(spec, "slips?rate=0.5&seed=2");
    expect(again.map(({ score }) => score.metrics)).toEqual(once.map(({ score }) => score.metrics));
  });
});
