/** Forking a saved trajectory at a request: earlier requests are answered from the log, later ones are sent. */
import { join } from "node:path";
import { readTask } from "../log/indexed-log.ts";
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
