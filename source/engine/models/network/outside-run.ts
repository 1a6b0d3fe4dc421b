/** Requests to a model outside of any run: connection tests, explanations of APIs. */
import type { Message, Model, RunSpec } from "../../types.ts";

/** A placeholder for the spec of requests outside of a run. */
export const outsideRun: RunSpec = {
  suite: "none",
  split: "none",
  data: "sample",
  filter: {},
  limit: 0,
  strategy: "none",
  shots: 0,
  options: {},
  model: "none",
  temperature: 0,
  seed: 0,
  trial: 0,
  budget: {},
  suiteRevision: 0,
  strategyRevision: 0,
};

/**
 * Returns a function that sends a prompt to the model and resolves to its whole reply. `onRetry` is called after every failed
 * attempt. Throws as the model does.
 */
export function replyOf(
  model: Model,
  about: { readonly task: string; readonly stage: string; readonly maxTokens: number },
  onRetry: (error: string, wait: number) => void,
): (messages: readonly Message[], signal: AbortSignal) => Promise<string> {
  return async (messages, signal) => {
    let text = "";
    const { maxTokens, stage, task } = about;
    const asker = { task, role: "model", stage, spec: outsideRun } as const;
    for await (const chunk of model.stream({ messages, temperature: 0, maxTokens, signal, asker })) {
      if (chunk.type === "text") text += chunk.text;
      else if (chunk.type === "thinking" && chunk.textBefore === true) text = "";
      else if (chunk.type === "retry") {
        text = "";
        onRetry(chunk.error, chunk.wait);
      }
    }
    return text;
  };
}
