/** Executes a task with a built-in model in this process, without a server. */
import { type LoadedSuite, perfectReply, type ScoreContext } from "../engine/loaded-suite.ts";
import { readBuiltinName } from "../engine/models/builtin/builtin-name.ts";
import { faultyReply } from "../engine/models/builtin/builtin-reply.ts";
import type { Asked } from "../engine/protocol.ts";
import { randomFrom } from "../engine/statistics/random.ts";
import { servedContext, type Strategy, type TaskContext } from "../engine/strategy.ts";
import type { Chunk, ModelRequest, Outcome, RunSpec, Score, Step, Task } from "../engine/types.ts";

export type TaskRun = { readonly task: Task; readonly steps: readonly Step[]; readonly score: Score };

/** The run to which a task belongs: with `oracle` or `slips?...`, and scored by a judge if one is given. */
export type BuiltinRun = {
  readonly loaded: LoadedSuite;
  readonly strategy: Strategy;
  readonly spec: RunSpec;
  readonly model: string;
} & Pick<ScoreContext, "ask">;

/** Rejects with errors of the strategy or the scorer. */
export async function runBuiltin({ loaded, strategy, spec, model, ask }: BuiltinRun, task: Task): Promise<TaskRun> {
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
  return {
    task,
    steps,
    score: await loaded.score(task, outcome, { spec, signal: context.signal, ...(ask && { ask }) }),
  };
}
