/** The last request of a planning strategy: the final answer from its results. */
import { promptMessages, promptPair } from "../../settings/prompt-template.ts";
import { ask, act } from "../../run/ask.ts";
import type { Environment } from "../../protocol.ts";
import type { TaskContext } from "../../strategy.ts";
import type { Step } from "../../types.ts";

export const finalPrompts = promptPair("final", {
  role: "actor",
  system:
    "You have what is needed. Call `{{function}}` with the final answer now. The user sees nothing but the final answer, so it must hold enough information to serve the request.",
  user: "Request: {{request}}\n\nWhat was found:\n{{results}}",
});

/**
 * Requests the final answer from the acting model and ends the episode with it. Uses a reply without a call as the answer. Gives
 * the episode up without a request if there are no results, and after an empty reply. Yields the `answer` and `end` steps.
 */
export async function* finalAnswer(
  context: TaskContext,
  environment: Environment,
  results: readonly string[],
): AsyncGenerator<Step> {
  const { finish } = environment;
  if (finish === undefined)
    throw new TypeError(`Expected \`${context.spec.suite}\` to say how an episode is ended; it does not`);
  if (results.length === 0) {
    yield* end(yield* act(context, environment, finish.giveUp()));
    return;
  }
  const messages = promptMessages(context.spec, finalPrompts, {
    function: finish.tool.name,
    request: context.task.question,
    results: results.map((result, index) => `${index + 1}. ${result}`).join("\n"),
  });
  const { text, calls } = yield* ask(context, { role: "actor", stage: "final", messages, tools: [finish.tool] });
  const call = calls.find(({ name }) => name === finish.tool.name);
  const ending = call ?? (text.trim() === "" ? finish.giveUp() : finish.answer(text));
  const result = yield* act(context, environment, ending);
  if (result.end !== undefined) yield* end(result);
  // The arguments could not be parsed; text next to the call is still an answer.
  else yield* end(yield* act(context, environment, text.trim() === "" ? finish.giveUp() : finish.answer(text)));
}

function* end(result: { readonly end?: { readonly reason: string; readonly answer: unknown } }): Generator<Step> {
  yield { type: "note", kind: "end", text: result.end?.reason ?? "no answer" };
  if (result.end?.answer !== undefined) yield { type: "answer", answer: result.end.answer as never };
}
