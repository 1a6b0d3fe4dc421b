/** Carrying out one call in an environment, with the model request it may need on the way. */
import { ask } from "./ask.ts";
import { checkedResult, type Environment } from "../protocol.ts";
import type { TaskContext } from "../strategy.ts";
import type { Step, ToolCall, ToolResult } from "../types.ts";

/** How often an environment's question is put to a model until it can read the reply (StableToolBench's simulator). */
export const mostTries = 3;

/**
 * Carries out one call: puts the environment's own question to a model first where it has one (`Environment.consult`),
 * yields that conversation and the `result` step, returns the result. `asked` is the request the call came with, where others
 * were sent since.
 */
export async function* act(
  context: TaskContext,
  environment: Environment,
  call: ToolCall,
  asked?: number,
): AsyncGenerator<Step, ToolResult> {
  const consultation = environment.consult?.(call);
  let reply: string | undefined;
  for (let tries = 0; consultation !== undefined && tries < mostTries; tries++) {
    reply = (yield* ask(context, consultation)).text;
    if (consultation.readable?.(reply) ?? true) break;
  }
  const result = checkedResult(await environment.call(call, context.signal, reply), call);
  yield { type: "result", callId: call.id, name: call.name, result, ...(asked === undefined ? {} : { asked }) };
  return result;
}
