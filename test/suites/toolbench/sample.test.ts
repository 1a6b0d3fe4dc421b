import { beforeAll, describe, expect, it } from "vitest";
import { readBuiltinName } from "../../../source/engine/models/builtin-name.ts";
import { slippingReply } from "../../../source/engine/models/slips.ts";
import { randomFrom } from "../../../source/engine/random.ts";
import type { Play } from "../../../source/engine/strategy.ts";
import type { Asked, Bench } from "../../../source/engine/suite.ts";
import type { Chunk, ModelRequest, Outcome, RunSpec, Score, Step, Task } from "../../../source/engine/types.ts";
import { sampleFolder } from "../../../source/engine/package-folder.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";

let bench: Bench;
let tasks: readonly Task[];
beforeAll(async () => {
  bench = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  tasks = await bench.tasks("sample");
});

const specOf = (strategy: string, options: RunSpec["options"] = {}): RunSpec =>
  ({
    suite: "toolbench",
    split: "sample",
    data: "sample",
    strategy,
    options,
    budget: { task: { steps: 60 } },
    model: "builtin/slips",
    temperature: 0,
    seed: 7,
    trial: 1,
  }) as unknown as RunSpec;

export type Played = { readonly task: Task; readonly steps: readonly Step[]; readonly score: Score };

async function playOne(task: Task, spec: RunSpec, model: string): Promise<Played> {
  const strategy = toolbench.strategies.find(({ name }) => name === spec.strategy)!;
  let request = 0;
  const named = readBuiltinName(model);
  const stream = async function* ({ messages, tools = [], asker }: ModelRequest): AsyncIterable<Chunk> {
    const asked: Asked = { role: asker.role, stage: asker.stage, messages, tools, spec };
    const reply = named.kind === "slips" ? slippingReply(bench, task, asked, named) : bench.oracle(task, asked);
    if (reply.text !== "") yield { type: "text", text: reply.text };
    for (const call of reply.calls ?? []) yield { type: "call", call: { ...call, id: `${call.id}-${request}` } };
  };
  const random = randomFrom(`${spec.seed} ${spec.trial} ${task.id}`);
  const signal = new AbortController().signal;
  const play: Play = {
    task,
    bench,
    spec,
    shots: [],
    model: (role) => ({ name: role, readsAnswerKey: true, stream }),
    random,
    signal,
    nextRequest: () => request++,
  };
  const steps: Step[] = [];
  for await (const step of strategy.run(play)) steps.push(step);
  const last = steps.findLast((step) => step.type === "answer");
  const outcome: Outcome = { answer: last?.type === "answer" ? last.answer : undefined, steps, failure: undefined };
  return { task, steps, score: await bench.score(task, outcome, { spec, signal }) };
}

const playAll = (spec: RunSpec, model: string): Promise<Played[]> =>
  Promise.all(tasks.map((task) => playOne(task, spec, model)));
const total = (played: readonly Played[], metric: string): number =>
  played.reduce((sum, { score }) => sum + (score.metrics[metric] ?? 0), 0);

describe("the sample", () => {
  it("has at least 20 tasks, and 48 APIs in 12 groups of which some are broken on purpose", async () => {
    expect(tasks.length).toBeGreaterThanOrEqual(20);
    const { sampleApis } = await import("../../../suites/toolbench/sample-apis/call.ts");
    expect(sampleApis).toHaveLength(48);
    expect(new Set(sampleApis.map(({ category }) => category)).size).toBe(12);
    expect(sampleApis.filter(({ health }) => health !== "works").length).toBeGreaterThan(10);
  });

  for (const strategy of toolbench.strategies) {
    it(`is solved by the oracle with ${strategy.name}`, async () => {
      const played = await playAll(specOf(strategy.name), "oracle");
      const failed = played.filter(({ score }) => score.value !== 1);
      expect(failed.map(({ task, score }) => `${task.id} ${score.labels?.["ended"]}`)).toEqual([]);
    });
  }
});
