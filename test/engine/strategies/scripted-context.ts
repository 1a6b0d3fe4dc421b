/** A task context with scripted model replies, for tests of strategies. */
import type { Environment } from "../../../source/engine/protocol.ts";
import type { TaskContext } from "../../../source/engine/strategy.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Reply } from "../../../source/engine/protocol.ts";
import type { Chunk, ModelRequest, RunSpec, Step, Task, ToolCall } from "../../../source/engine/types.ts";

export const task: Task = { id: "t1", question: "Where is the cup?", input: {}, answer: {}, facets: {} };

/** A context with a new environment from `enter` each time and one reply per request; a request beyond the script fails. */
export function scriptedPlay(
  replies: readonly (string | Reply)[],
  enter: () => Environment | undefined,
): { context: TaskContext<"environment">; requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const waiting = [...replies];
  const model = {
    name: "test/scripted",
    readsAnswerKey: false,
    async *stream(request: ModelRequest): AsyncIterable<Chunk> {
      requests.push(request);
      const reply = waiting.shift();
      if (reply === undefined) throw new Error(`Expected no more requests, got one for ${request.asker.stage}`);
      const { text, calls = [] } = typeof reply === "string" ? { text: reply } : reply;
      if (text !== "") yield { type: "text", text };
      for (const call of calls) yield { type: "call", call };
      yield { type: "usage", input: 10, output: 2, estimated: false };
      yield { type: "finish", reason: "stop" };
    },
  };
  let request = 0;
  const loaded = { asks: { environment: { open: async () => enter() } } } as unknown as LoadedSuite<
    Task,
    "environment"
  >;
  const spec = { suite: "toy", strategy: "react", temperature: 0, seed: 0, options: {} } as unknown as RunSpec;
  const context: TaskContext<"environment"> = {
    task,
    loaded,
    spec,
    shots: [],
    model: () => model,
    random: () => 0.5,
    signal: new AbortController().signal,
    nextRequest: () => request++,
  };
  return { context, requests };
}

export async function collect(steps: AsyncIterable<Step>): Promise<Step[]> {
  const collected: Step[] = [];
  for await (const step of steps) collected.push(step);
  return collected;
}

export function callTo(name: string, value: unknown, id = name): ToolCall {
  return { id, name, text: JSON.stringify(value), arguments: value as ToolCall["arguments"] };
}

/** The texts of the notes of one kind, in order. */
export function notes(steps: readonly Step[], kind: string): string[] {
  return steps.flatMap((step) => (step.type === "note" && step.kind === kind ? [step.text] : []));
}

export function answers(steps: readonly Step[]): unknown[] {
  return steps.flatMap((step) => (step.type === "answer" ? [step.answer] : []));
}
