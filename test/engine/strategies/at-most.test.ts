import { beforeAll, describe, expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import { tokensOf } from "../../../source/engine/text/tokens.ts";
import { servedContext, type Estimate } from "../../../source/engine/strategy.ts";
import type { RunSpec, Task } from "../../../source/engine/types.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { travelplanner } from "../../../suites/travelplanner/index.ts";
import { forecastTable } from "../../../source/terminal/form/forecast-lines.ts";
import { TemporarySessions } from "../workbench/temporary-session.ts";
import { runWithBuiltin, strategyOf, type TaskRun } from "../../suites/run-with-builtin.ts";
import { askingStrategies } from "../../asking-strategies.ts";

const specOf = (strategy: string, more: Partial<RunSpec> = {}): RunSpec =>
  ({ strategy, options: {}, budget: {}, temperature: 0, seed: 7, trial: 1, shots: 0, ...more }) as unknown as RunSpec;

function estimated(loaded: LoadedSuite, task: Task, spec: RunSpec): Estimate {
  const strategy = strategyOf(loaded, spec);
  return strategy.estimate!(servedContext(strategy, { task, loaded, spec, shots: [] }))!;
}

/** The real cost of a task: requests, and tokens sent, counted like the estimate. */
function took({ steps }: TaskRun): { calls: number; input: number } {
  const prompts = steps.flatMap((step) => (step.type === "prompt" ? [step] : []));
  const text = prompts.map(({ messages, tools = [] }) => JSON.stringify(messages) + JSON.stringify(tools));
  return { calls: prompts.length, input: text.reduce((sum, one) => sum + tokensOf(one), 0) };
}

describe("the forecast upper bound of a strategy", () => {
  let loaded: LoadedSuite;
  let tasks: readonly Task[];
  beforeAll(async () => {
    loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
    tasks = await loaded.tasks("G3_instruction");
  });

  it("follows from the limits of the strategy", () => {
    const calls = (strategy: string, more: Partial<RunSpec> = {}) =>
      estimated(loaded, tasks[0]!, specOf(strategy, more)).calls;
    const names = ["react", "reflexion", "adaplanner", "dfsdt", "single-chain", "tool-planner", "toolchain-star"];
    expect(names.map((name) => calls(name))).toEqual([30, 92, 60, 200, 60, 60, 60]);
    expect(names.map((name) => calls(name, { budget: { task: { steps: 20 } } }))).toEqual(names.map(() => 20));
    expect(calls("dfsdt", { options: { "search.queries": 40 } })).toBe(40);
    expect(calls("tool-planner", { options: { "planner.requests": 25 } })).toBe(25);
    expect(calls("react", { options: { toolkits: "on" } })).toBe(33);
    expect(calls("react", { options: { server: "simulate" } })).toBe(120);
    expect(estimated(loaded, tasks[0]!, specOf("react", { maxTokens: 100 })).output).toBe(3000);
  });

  it("is never exceeded, even if requests fail", async () => {
    for (const { name } of askingStrategies(toolbench))
      for (const toolkits of ["off", "on"])
        for (const model of ["oracle", "slips?rate=1&seed=3"]) {
          const spec = specOf(name, { options: { toolkits, catalogue: "query" } });
          const runs = await Promise.all(tasks.map((task) => runWithBuiltin(loaded, task, spec, model)));
          for (const one of runs) {
            const [most, real] = [estimated(loaded, one.task, spec), took(one)];
            expect(most.atMost).toBe(true);
            expect(real.calls, `${name} ${model}`).toBeLessThanOrEqual(most.calls);
            expect(real.input, `${name} ${model}`).toBeLessThanOrEqual(most.input);
          }
        }
  });
});

it("the forecast is exact if a single answer is requested: prompt and reply of the oracle, token by token", async () => {
  const hub = await apibench.open({ folder: sampleFolder("apibench"), data: "sample" });
  const [question] = await hub.tasks("torchhub");
  const spec = specOf("direct");
  const run = await runWithBuiltin(hub, question!, spec, "oracle");
  const sent = run.steps.flatMap((step) => (step.type === "prompt" ? step.messages : []));
  const said = run.steps.flatMap((step) => (step.type === "text" ? [step.text] : [])).join("");
  expect(estimated(hub, question!, spec)).toEqual({
    calls: 1,
    input: sent.reduce((sum, { content }) => sum + tokensOf(content) + 4, 0),
    output: tokensOf(said),
  });
});

it("the forecast of a run marks upper bounds, but not exact counts", async () => {
  const sessions = new TemporarySessions();
  try {
    const workbench = await sessions.open("", { suites: [toolbench, apibench] });
    const free = await workbench.forecast("suite: toolbench\nsplit: all\nstrategy: react\nmodel: builtin/oracle");
    expect(free).toMatchObject({ tasks: 24, calls: 720, atMost: true, problems: [] });
    const stages = await workbench.forecast(
      "suite: apibench\nsplit: torchhub\nstrategy: direct\nmodel: builtin/oracle",
    );
    expect(stages.atMost).toBeUndefined();
    const texts = (...given: Parameters<typeof forecastTable>) =>
      forecastTable(...given).rows[0]!.map(({ text }) => text);
    expect(texts(free).slice(0, 3)).toEqual(["1", "24", "≤ 720"]);
    expect(texts(free)[3]).toMatch(/^≤ /);
    expect(texts(stages).join()).not.toContain("≤");
  } finally {
    await sessions.end();
  }
});

it("every benchmark with actions has a forecast upper bound", async () => {
  const hub = await apibench.open({ folder: sampleFolder("apibench"), data: "sample" });
  const [question] = await hub.tasks("torchhub");
  expect(estimated(hub, question!, specOf("react"))).toMatchObject({ calls: 30, atMost: true });
  const trips = await travelplanner.open({ folder: sampleFolder("travelplanner"), data: "sample" });
  const [trip] = await trips.tasks("train");
  const twoStage = specOf("react", { options: { mode: "two-stage" } });
  expect(estimated(trips, trip!, twoStage)).toMatchObject({ calls: 90, atMost: true });
  expect(estimated(trips, trip!, specOf("react"))).toMatchObject({ calls: 60, input: 60 * 14_000 });
  expect(estimated(trips, trip!, specOf("reflexion")).calls).toBe(90);
  trips.close?.();
});
