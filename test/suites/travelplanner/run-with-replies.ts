/** Executes one task with a model that answers from a function, and scores it. */
import { servedContext, type TaskContext, type Strategy } from "../../../source/engine/strategy.ts";
import type { Asked } from "../../../source/engine/protocol.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Chunk, Json, ModelRequest, Outcome, RunSpec, Score, Step, Task } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

export type TaskRun = { readonly steps: readonly Step[]; readonly answer: Json | undefined; readonly score: Score };

export function specOf(strategy: string, mode = "sole-planning"): RunSpec {
  return bareSpec("travelplanner", { split: "train", strategy, options: { mode }, model: "test/model", trial: 0 });
}

export async function runWithReplies(
  loaded: LoadedSuite,
  task: Task,
  strategy: Strategy,
  mode: string,
  reply: (asked: Asked) => string,
  judge = false,
): Promise<TaskRun> {
  const spec = specOf(strategy.name, mode);
  const asked = (request: Pick<ModelRequest, "messages" | "asker">): Asked => ({
    role: request.asker.role,
    stage: request.asker.stage,
    messages: request.messages,
    tools: [],
    spec,
  });
  const model = {
    name: "test/model",
    readsAnswerKey: true,
    async *stream(request: ModelRequest): AsyncIterable<Chunk> {
      yield { type: "text", text: reply(asked(request)) };
      yield { type: "finish", reason: "stop" };
    },
  };
  const { signal } = new AbortController();
  let requests = 0;
  const context: TaskContext = {
    task,
    loaded,
    spec,
    shots: [],
    model: () => model,
    random: () => 0.5,
    signal,
    nextRequest: () => requests++,
  };
  const steps: Step[] = [];
  for await (const step of strategy.run(servedContext(strategy, context))) steps.push(step);
  const last = steps.findLast((step) => step.type === "answer");
  const answer = last?.type === "answer" ? last.answer : undefined;
  const outcome: Outcome = { answer, steps, failure: undefined };
  const ask = async (stage: string, messages: ModelRequest["messages"]) =>
    reply(asked({ messages, asker: { task: task.id, role: "judge", stage, spec } }));
  const score = await loaded.score(task, outcome, { spec, signal, ...(judge ? { ask } : {}) });
  return { steps, answer, score };
}
