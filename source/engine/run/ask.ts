/** Asking a model from inside a strategy: every chunk becomes a step, the reply comes back whole. */
import type { TaskContext } from "../strategy.ts";
import { requestSettings, type RequestSettings } from "../run-settings.ts";
import type { Message, Role, RunSpec, Step, ToolCall, ToolSpec } from "../types.ts";

/** Settings given here are the strategy's own. */
export type Question = RequestSettings & {
  readonly role: Role;
  readonly stage: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
};
export type Answered = {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly finish: string;
  readonly tokens: number;
  /** Number of this request within the task. */
  readonly request: number;
};

/**
 * Streams one request. Yields the `prompt` and every chunk as steps; returns the reply, in which text and calls voided
 * by a `retry` are gone. Throws what the model throws (a `ModelProblem`), which the runner records as a failure.
 */
export async function* ask(context: TaskContext, question: Question): AsyncGenerator<Step, Answered> {
  const model = context.model(question.role);
  const request = context.nextRequest();
  const { role, stage } = question;
  const messages = context.rewrite?.(request, question.messages) ?? question.messages;
  const tools = question.tools === undefined ? {} : { tools: question.tools };
  const prompt = { type: "prompt", request, role, model: model.name, stage, messages, ...tools } as const;
  const saved = context.saved?.(prompt);
  yield saved === undefined ? prompt : { ...prompt, saved: saved.took };
  let text = "";
  let calls: ToolCall[] = [];
  let finish = "";
  let tokens = 0;
  const { spec } = context;
  const stream =
    saved === undefined
      ? model.stream({
          messages,
          ...tools,
          ...settingsOf(spec, question),
          signal: context.signal,
          asker: { task: context.task.id, role, stage, spec },
        })
      : saved.chunks;
  for await (const chunk of stream) {
    switch (chunk.type) {
      case "text":
        text += chunk.text;
        break;
      case "call":
        calls.push(chunk.call);
        break;
      case "retry":
        text = "";
        calls = [];
        break;
      case "usage":
        tokens = chunk.input + chunk.output;
        break;
      case "finish":
        finish = chunk.reason;
        break;
      default:
        chunk satisfies never;
    }
    yield { ...chunk, request };
  }
  return { text, calls, finish, tokens, request };
}

/** The run's settings under the strategy's own: texts such as `stop` are sent together, otherwise the strategy's own hold. */
function settingsOf(spec: RunSpec, own: RequestSettings): RequestSettings {
  const settings = requestSettings.flatMap(({ name }) => {
    const [first, second] = [own[name], spec[name]];
    const value =
      Array.isArray(first) && Array.isArray(second) ? [...new Set([...first, ...second])] : (first ?? second);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(settings) as RequestSettings;
}
