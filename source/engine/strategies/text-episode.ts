/** Episodes in text: Thought, Action and Observation alternate, two model requests a step. */
import { act } from "../run/act.ts";
import { ask } from "../run/ask.ts";
import type { Environment, TextDialect } from "../protocol.ts";
import type { TaskContext } from "../strategy.ts";
import type { Step } from "../types.ts";
import type { Ending } from "./episode.ts";
import { tokensIn } from "./episode.ts";

/**
 * One episode in the environment's text dialect (ReAct as in Yao et al. 2023 and in TravelPlanner's agents). `lessons` are
 * passed to every prompt; with `reflects` a new one is requested after each step that leaves the environment stuck.
 */
export async function* textEpisode(
  context: TaskContext,
  environment: Environment,
  dialect: TextDialect,
  lessons: readonly string[],
  reflects: boolean,
): AsyncGenerator<Step, Ending> {
  const learnt = [...lessons];
  const stop = dialect.stop ?? ["\n"];
  let scratchpad = "";
  const asked = { stop, maxTokens: dialect.maxTokens, role: "model" } as const;
  for (let step = 1; step <= dialect.maxSteps; step++) {
    if (tokensIn(dialect.messages("thought", step, scratchpad, learnt)) > dialect.maxPromptTokens) {
      return { reason: "prompt too long", answer: undefined, transcript: scratchpad };
    }
    scratchpad += `\nThought ${step}:`;
    const thought = yield* ask(context, {
      ...asked,
      stage: "thought",
      messages: dialect.messages("thought", step, scratchpad, learnt),
    });
    scratchpad += ` ${oneLine(thought.text, `Thought ${step}:`, stop)}\nAction ${step}:`;
    const acted = yield* ask(context, {
      ...asked,
      stage: "action",
      messages: dialect.messages("action", step, scratchpad, learnt),
    });
    const action = oneLine(acted.text, `Action ${step}:`, stop);
    const call = { ...dialect.parse(action), id: `step-${step}` };
    yield { type: "call", request: acted.request, call };
    const result = yield* act(context, environment, call);
    scratchpad += ` ${action}`;
    scratchpad = dialect.revise?.(scratchpad, call, result) ?? scratchpad;
    scratchpad += `\nObservation ${step}: ${result.observation}`;
    if (result.end !== undefined) return { ...result.end, transcript: scratchpad };
    if (!reflects || dialect.reflect === undefined || environment.stuck?.() !== true) continue;
    const messages = dialect.reflect(scratchpad, learnt);
    const lesson = (yield* ask(context, { role: "model", stage: "reflect", messages })).text.trim();
    learnt.push(lesson);
    yield { type: "note", kind: "reflection", text: lesson };
  }
  return { reason: "step limit", answer: undefined, transcript: scratchpad };
}

/**
 * A reply cut at the stop strings (not all servers support `stop`), on one line as in the published agents. Chat models often
 * repeat the label they were asked to complete; it is removed.
 */
function oneLine(reply: string, label: string, stop: readonly string[]): string {
  let text = reply.trim();
  if (text.startsWith(label)) text = text.slice(label.length).trim();
  for (const end of stop) {
    const at = text.indexOf(end);
    if (at !== -1) text = text.slice(0, at);
  }
  return text.replaceAll("\r", "").replaceAll("\n", "").trim();
}
