/** Executing a suite's task with a built-in model, without HTTP between them. */
import { readBuiltinName } from "../../source/engine/models/builtin/builtin-name.ts";
import { faultyReply } from "../../source/engine/models/builtin/injected-faults.ts";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { servedContext, type Strategy, type TaskContext } from "../../source/engine/strategy.ts";
import type { Asked } from "../../source/engine/protocol.ts";
import { perfectReply, type LoadedSuite, type ScoreContext } from "../../source/engine/loaded-suite.ts";
import { suites } from "../../suites/index.ts";
import type { Chunk, ModelRequest, Outcome, RunSpec, Score, Step, Task } from "../../source/engine/types.ts";

export type TaskRun = { readonly task: Task; readonly steps: readonly Step[]; readonly score: Score };

/** The strategy a run names, of the suite that was loaded. */
export function strategyOf(loaded: LoadedSuite, spec: Pick<RunSpec, "strategy">): Strategy {
  const suite = suites.find(({ name }) => name === loaded.suite.name)!;
  return suite.strategies.find(({ name }) => name === spec.strategy)!;
}

/** Executes one task with `oracle` or `slips?...` and scores it, with a judge where one is given. */
export async function runWithBuiltin(
  loaded: LoadedSuite,
  task: Task,
  spec: RunSpec,
  model: string,
  judge: Pick<ScoreContext, "ask"> = {},
): Promise<TaskRun> {
  const strategy = strategyOf(loaded, spec);
  const named = readBuiltinName(model);
  let request = 0;
  const stream = async function* ({ messages, tools = [], asker }: ModelRequest): AsyncIterable<Chunk> {
    const asked: Asked = { role: asker.role, stage: asker.stage, messages, tools, spec };
    const reply = named.kind === "slips" ? faultyReply(loaded, task, asked, named) : perfectReply(loaded, task, asked);
    if (reply.text !== "") yield { type: "text", text: reply.text };
    for (const call of reply.calls ?? []) yield { type: "call", call: { ...call, id: `${call.id}-${request}` } };
  };
  const context: TaskContext = {
    task,
    loaded,
    spec,
    shots: [],
    model: (role) => ({ name: role, readsAnswerKey: true, stream }),
    random: randomFrom(`${spec.seed} ${spec.trial} ${task.id}`),
    signal: new AbortController().signal,
    nextRequest: () => request++,
  };
  const steps: Step[] = [];
  for await (const step of strategy.run(servedContext(strategy, context))) steps.push(step);
  const last = steps.findLast((step) => step.type === "answer");
  const outcome: Outcome = { answer: last?.type === "answer" ? last.answer : undefined, steps, failure: undefined };
  return { task, steps, score: await loaded.score(task, outcome, { spec, signal: context.signal, ...judge }) };
}
