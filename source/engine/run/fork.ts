/** Forking a saved trajectory at a request: earlier requests are answered from the log, later ones are sent. */
import { join } from "node:path";
import { readTask } from "../log/log.ts";
import { Problem } from "../problem.ts";
import type { TaskContext } from "../strategy.ts";
import type { Turn } from "../log/trajectory.ts";
import { trajectoryOf } from "../log/trajectory.ts";
import type { Chunk, Fork, Message, Model, ModelRequest, RunSpec, TaskEvent } from "../types.ts";

/** How this run reaches its models: as they are, or, where it forks, after the saved replies. Throws where there are none. */
export function modelsOf(spec: RunSpec, folder: string, model: (name: string) => Model): (name: string) => Model {
  if (spec.fork === undefined) return model;
  const { run, task } = spec.fork;
  return forkedModels(model, savedTurns(readTask(join(folder, "runs", run, "events.jsonl"), task), spec.fork));
}

/** The replies of a saved trajectory that come before the fork, in order. Throws where it has fewer. */
function savedTurns(events: Iterable<TaskEvent>, fork: Fork): readonly Turn[] {
  const { entries } = trajectoryOf(fork.task, events);
  const turns = entries.filter((entry) => entry.kind === "turn");
  if (turns.length > fork.request) return turns.slice(0, fork.request);
  throw new Problem(
    "tool",
    `Expected run \`${fork.run}\` to have a request ${fork.request} for task \`${fork.task}\`, found ${turns.length} requests`,
  );
}

/** Models that first repeat the saved replies, whatever they are asked; `count` is shared by all roles of the task. */
function forkedModels(model: (name: string) => Model, turns: readonly Turn[]): (name: string) => Model {
  let count = 0;
  return (name) => {
    const real = model(name);
    return {
      ...real,
      // The log says which replies were repeated.
      name: count < turns.length ? "saved reply" : name,
      stream(request: ModelRequest): AsyncIterable<Chunk> {
        const turn = turns[count++];
        return turn === undefined ? real.stream(request) : repeated(turn);
      },
    };
  };
}

async function* repeated({ text, calls, finish = "" }: Turn): AsyncGenerator<Chunk> {
  yield { type: "text", text };
  for (const call of calls) yield { type: "call", call };
  yield { type: "finish", reason: finish };
}

/** The last user message of the forked request, replaced by the edited one. */
export function rewriteFor({ request: at, message }: Fork): NonNullable<TaskContext["rewrite"]> {
  return (request, messages) => {
    if (message === undefined || request !== at) return messages;
    const index = messages.findLastIndex(({ role }) => role === "user");
    const edited: Message = { role: "user", content: message };
    return index < 0 ? [...messages, edited] : messages.with(index, edited);
  };
}

/** A run cell that forks: the run's own settings, with what is changed. */
export function forkSource(
  spec: RunSpec,
  fork: Fork,
  change: { readonly model?: string; readonly strategy?: string } = {},
): string {
  const { suite, split, data, shots, options, actor, responder, judge, temperature, topP, maxTokens, seed, trial } =
    spec;
  const roles = { actor, responder, judge, topP, maxTokens };
  const fields: Record<string, unknown> = {
    suite,
    split,
    data,
    strategy: change.strategy ?? spec.strategy,
    model: change.model ?? spec.model,
    ...Object.fromEntries(Object.entries(roles).filter(([, value]) => value !== undefined)),
    ...options,
    ...(shots === 0 ? {} : { shots }),
    ...(temperature === 0 ? {} : { temperature }),
    ...(seed === 0 ? {} : { seed }),
    ...(trial === 1 ? {} : { trial }),
  };
  // JSON is YAML: numbers that are words (a run's id may look like one) stay words.
  const lines = Object.entries(fields).map(
    ([name, value]) =>
      `${name}: ${typeof value === "string" && /^[a-z][\w/.-]*$/i.test(value) && !/^(on|off|yes|no|true|false|null)$/i.test(value) ? value : JSON.stringify(value)}`,
  );
  const { run, task, request, message } = fork;
  const words = message === undefined ? "" : `, message: ${JSON.stringify(message)}`;
  return `${lines.join("\n")}\nfork: {run: ${JSON.stringify(run)}, task: ${JSON.stringify(task)}, request: ${request}${words}}\n`;
}
