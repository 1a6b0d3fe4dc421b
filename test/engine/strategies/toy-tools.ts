/** A small world of tools for trying strategies, and a model that answers from a function. */
import type { Environment, Toolkit } from "../../../source/engine/protocol.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { servedContext, type TaskContext, type Strategy } from "../../../source/engine/strategy.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type {
  Chunk,
  Message,
  ModelRequest,
  RunSpec,
  Step,
  Task,
  ToolCall,
  ToolSpec,
} from "../../../source/engine/types.ts";

export type Reply = {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly text: string }[];
};
export type Brain = (request: {
  readonly stage: string;
  readonly role: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}) => Reply;

const tool = (name: string): ToolSpec => ({
  name,
  description: `Does ${name}`,
  parameters: { type: "object", properties: {} },
});

export const finishTool = tool("Finish");
export const call = (name: string, text = "{}"): { readonly name: string; readonly text: string } => ({ name, text });

/** A world with toolkits of the given functions; a function returns its value, or fails if that is undefined. */
export function toyWorld(kits: readonly (readonly string[])[], values: Readonly<Record<string, string | undefined>>) {
  const toolkits: Toolkit[] = kits.map((names, id) => ({ id, description: `Kit ${id}`, tools: names.map(tool) }));
  const called: string[] = [];
  const finishing = (text: string): ToolCall => ({ id: "end", name: "Finish", text, arguments: undefined });
  const environment: Environment = {
    tools: [...toolkits.flatMap((kit) => kit.tools), finishTool],
    toolkits,
    finish: { tool: finishTool, answer: (text) => finishing(text), giveUp: () => finishing("") },
    maxDepth: 12,
    async call({ name, text }) {
      if (name === "Finish") {
        const answer = text === "" ? undefined : text;
        const end = { reason: answer === undefined ? "gave up" : "answered", answer };
        return { ok: true, observation: "ended", status: answer === undefined ? 4 : 3, end };
      }
      called.push(name);
      const value = values[name];
      if (value === undefined) return { ok: false, observation: `${name} does not work`, status: 6 };
      return { ok: true, observation: value, status: 0 };
    },
  };
  return { environment, called };
}

/** Runs a strategy in the world to its end and returns all steps. `demonstrated` contains the plans of demonstrations. */
export async function playThrough(
  strategy: Strategy,
  environment: Environment,
  brain: Brain,
  spec: Partial<RunSpec> = {},
  demonstrated: readonly (readonly string[])[] = [],
): Promise<Step[]> {
  const task = { id: "t1", question: "What is asked?", input: {}, answer: {}, facets: {} } as Task;
  const full = {
    suite: "toy",
    strategy: strategy.name,
    options: {},
    budget: {},
    temperature: 0,
    seed: 1,
    trial: 1,
    model: "toy/brain",
    ...spec,
  } as RunSpec;
  let number = 0;
  const model = (role: string) => ({
    name: `toy/${role}`,
    readsAnswerKey: false,
    async *stream({ messages, tools = [], asker }: ModelRequest): AsyncIterable<Chunk> {
      const { text = "", calls = [] } = brain({ stage: asker.stage, role, messages, tools });
      if (text !== "") yield { type: "text", text };
      for (const [index, one] of calls.entries())
        yield { type: "call", call: { id: `c${number}-${index}`, arguments: undefined, ...one } };
    },
  });
  const loaded = {
    suite: { name: "toy" },
    asks: { environment: { open: async () => environment, plan: ({ answer }: Task) => answer as readonly string[] } },
  } as unknown as LoadedSuite;
  const random = randomFrom(1);
  const signal = new AbortController().signal;
  const context: TaskContext = {
    task,
    loaded,
    spec: full,
    shots: demonstrated.map((answer) => ({ ...task, answer })),
    model,
    random,
    signal,
    nextRequest: () => number++,
  };
  const steps: Step[] = [];
  for await (const step of strategy.run(servedContext(strategy, context))) steps.push(step);
  return steps;
}

export const requests = (steps: readonly Step[]): string[] =>
  steps.flatMap((step) => (step.type === "prompt" ? [step.stage] : []));
export const notes = (steps: readonly Step[], kind: string): string[] =>
  steps.flatMap((step) => (step.type === "note" && step.kind === kind ? [step.text] : []));
export const answer = (steps: readonly Step[]): unknown => {
  const last = steps.findLast((step) => step.type === "answer");
  return last?.type === "answer" ? last.answer : undefined;
};
