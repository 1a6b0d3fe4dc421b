/** A suite's task executed with a built-in model, without the wire between them. */
import { readBuiltinName } from "../../source/engine/models/builtin/builtin-name.ts";
import { faultyReply } from "../../source/engine/models/builtin/injected-faults.ts";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { servedContext, type TaskContext } from "../../source/engine/strategy.ts";
import type { Asked } from "../../source/engine/protocol.ts";
import { perfectReply, type LoadedSuite, type ScoreContext } from "../../source/engine/loaded-suite.ts";
import type { Chunk, ModelRequest, Outcome, RunSpec, Score, Step, Task } from "../../source/engine/types.ts";

export type Executed = { readonly task: Task; readonly steps: readonly Step[]; readonly score: Score };

/** Executes one task with `oracle` or `slips?...` and scores it, with a judge where one is given. */
export async function executeWith(
  loaded: LoadedSuite,
  task: Task,
  spec: RunSpec,
  model: string,
  judge: Pick<ScoreContext, "ask"> = {},
): Promise<Executed> {
  const strategy = loaded.suite.strategies.find(({ name }) => name === spec.strategy)!;
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
