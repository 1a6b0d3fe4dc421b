/**
 * The way in which BFCL plays several turns with function calls: the user says what the task has for this turn, and the model is
 * asked until a reply has no calls; then comes the next turn. After 20 steps with calls one more is made, and the task has failed.
 */
import {
  act,
  ask,
  type Environment,
  type Message,
  type Step,
  type Strategy,
  type TaskContext,
  type ToolSpec,
} from "planwright";
import type { FunctionDescription } from "../checker.ts";
import { pythonCall } from "./calls.ts";
import type { Turns } from "./check.ts";
import { Systems } from "./execute.ts";
import type { TurnsInput, TurnsTask } from "./tasks.ts";

/** Steps with calls in one turn after which the next ends the task. */
export const mostSteps = 20;

export type TurnsAnswer = {
  /** Calls by turn and step; of a task that was cut, up to the turn in which it was. */
  readonly turns: Turns;
  readonly end: "done" | "step limit";
};

/** What the user says when functions are added, in words of this example. */
const addedText = "There are more functions now. Please try again with them.";

const jsonTypes: Readonly<Record<string, string>> = {
  dict: "object",
  float: "number",
  tuple: "array",
  any: "string",
};

type Described = { readonly [field: string]: unknown };

/** Returns a description of an argument as JSON Schema. */
function schemaOf(described: Described): Described {
  return Object.fromEntries(
    Object.entries(described).flatMap(([field, value]): [string, unknown][] => {
      if (field === "type") return [[field, jsonTypes[String(value)] ?? value]];
      if (field === "items") return [[field, schemaOf(value as Described)]];
      if (field !== "properties") return [[field, value]];
      const inner = Object.entries(value as Record<string, Described>);
      return [[field, Object.fromEntries(inner.map(([name, each]) => [name, schemaOf(each)]))]];
    }),
  );
}

export function toolOf({ name, description, parameters }: FunctionDescription): ToolSpec {
  return { name, description, parameters: schemaOf(parameters) as ToolSpec["parameters"] };
}

/** Opens the systems of a task. The log's calls bring them into the same state again. */
export function openSystems({ world, functions }: TurnsInput): Environment {
  const systems = new Systems(world, "planwright");
  return {
    tools: functions.map(toolOf),
    call: (call) => {
      const source = pythonCall(call);
      const observation = source === undefined ? "Expected an object of arguments" : systems.execute(source);
      const isWrong = /^(?:Error during execution: |\{"error": )/.test(observation);
      return Promise.resolve({ ok: !isWrong, observation, status: isWrong ? "error" : "done" });
    },
  };
}

async function* run(context: TaskContext<"environment">): AsyncGenerator<Step> {
  const { loaded, task, spec, signal } = context;
  const { input } = task as TurnsTask;
  const environment = await loaded.asks.environment.open(task, spec, signal);
  context.opened?.(environment);
  // A turn may want no call, so that a reply without one is no sign that a model cannot act.
  const { toolUse: _, ...talking } = context;
  const messages: Message[] = [];
  const turns: string[][][] = [];
  let functions = input.functions;
  for (const [index, { said, added }] of input.turns.entries()) {
    functions = [...functions, ...added];
    messages.push({ role: "user", content: said === "" ? addedText : said });
    yield { type: "note", kind: "turn", text: `Turn ${index + 1} of ${input.turns.length}` };
    const steps: string[][] = [];
    turns.push(steps);
    for (;;) {
      const tools = functions.map(toolOf);
      const reply = yield* ask(talking, { role: "model", stage: "step", messages: [...messages], tools });
      const calls = reply.calls.map((call) => ({ call, source: pythonCall(call) }));
      const sources = calls.flatMap(({ source }) => source ?? []);
      const isOver = calls.length === 0 || sources.length < calls.length;
      const { text: content, thinking } = reply;
      // Calls that cannot be read are not made, and no server wants them back without a result.
      const made = isOver ? {} : { calls: reply.calls };
      messages.push({ role: "assistant", content, ...made, ...(thinking !== undefined && { thinking }) });
      if (isOver) break;
      steps.push(sources);
      for (const { call } of calls) {
        const result = yield* act(talking, environment, call, reply.request);
        messages.push({ role: "tool", callId: call.id, content: result.observation });
      }
      if (steps.length <= mostSteps) continue;
      yield* ending(turns, "step limit");
      return;
    }
  }
  yield* ending(turns, "done");
}

function* ending(turns: Turns, end: TurnsAnswer["end"]): Generator<Step> {
  yield { type: "answer", answer: { turns, end } satisfies TurnsAnswer };
  yield { type: "note", kind: "end", text: end };
}

export const turns: Strategy<"environment"> = {
  name: "turns",
  title: "Turn by turn",
  needs: "environment",
  revision: 1,
  roles: ["model"],
  run,
  // How often a model calls before it is content is up to it.
  estimate: ({ task, loaded, spec }) => {
    const { requests, prompt, reply } = loaded.asks.environment.limits(task, spec);
    return { calls: requests, input: requests * prompt, output: requests * (spec.maxTokens ?? reply), atMost: true };
  },
};
