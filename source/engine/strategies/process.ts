/**
 * The tasks of a user's process: the process receives a task, sends requests to models by their roles through an endpoint of this
 * program, and answers; then it scores the answer itself, or is asked for the score. The lines are described in
 * documentation/processes.md.
 */
import type { Environment } from "../protocol.ts";
import type { Strategy } from "../strategy.ts";
import type { Json, Role, Step, ToolCall } from "../types.ts";
import { called } from "./agent.ts";
import { converse } from "./agent-conversation.ts";

/** Roles that a process may ask. */
const roles: readonly Role[] = ["model", "actor", "responder", "user", "judge"];

/** Kind of the note with the score that the process gave. */
export const scoreNote = "score";

export const askedByProcess: Strategy<"process"> = {
  name: "process",
  title: "As the process asks",
  needs: "process",
  revision: 1,
  roles: roles.filter((role) => role !== "judge"),
  asksJudge: true,
  mayLackModel: true,
  async *run(context) {
    const { loaded, task, spec, signal } = context;
    const episode = await loaded.asks.process.open(task, spec, signal);
    const { program, environment, ownModel } = episode;
    context.opened?.(episode);
    yield* converse(context, program, {
      messages: [{ role: "user", content: task.question }],
      tools: environment.tools,
      asks: "process",
      roles,
      more: {
        trial: spec.trial,
        seed: spec.seed,
        ...(ownModel !== undefined && { model: { name: ownModel } }),
      },
      call: (call) => usedTool(context, environment, call),
      score: noted,
      answer: given,
    });
  },
};

/** Uses a tool. A tool never ends the task of a process, because the process itself answers. */
async function* usedTool(...given: readonly [Parameters<typeof called>[0], Environment, ToolCall]) {
  const { result } = yield* called(...given);
  return { result };
}

// oxlint-disable-next-line require-await -- the protocol's other lines wait
async function* noted(line: Json): AsyncGenerator<Step, void> {
  yield { type: "note", kind: scoreNote, text: "", data: line };
}

// oxlint-disable-next-line require-await -- the protocol's other lines wait
async function* given(answer: Json): AsyncGenerator<Step, void> {
  if (answer !== null) yield { type: "answer", answer };
}
