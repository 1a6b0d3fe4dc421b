/** `planwright endpoint test`: sends one small request and reports the result. */
import { connectionTest } from "../engine/models/builtin/identity.ts";
import { createModels } from "../engine/models/models.ts";
import { outsideRun } from "../engine/models/outside-run.ts";
import { BuiltinProblem } from "../engine/models/builtin/builtin-name.ts";
import { printable } from "../engine/text/printable.ts";
import type { SettingsStore } from "../engine/settings/settings.ts";
import type { Chunk } from "../engine/types.ts";
import { ArgumentProblem } from "./arguments.ts";
import type { EndpointContext } from "./command.ts";

/** Resolves to the exit status: 0 where the model replied, 1 where it did not. Throws `ArgumentProblem` without endpoint or model. */
export async function tryEndpoint(
  store: SettingsStore,
  name: string,
  model: string | undefined,
  { stdout, stderr, signal }: EndpointContext,
): Promise<number> {
  const endpoint = store.read().endpoints.find((each) => each.name === name);
  if (endpoint === undefined) throw new ArgumentProblem(`Expected an endpoint that is set up, got \`${name}\``);
  const id = model ?? endpoint.models?.[0];
  if (id === undefined) throw new ArgumentProblem("Expected `--model M`, as this endpoint lists no models");
  const none = () => Promise.reject(new BuiltinProblem("Expected no built-in model here"));
  const models = createModels({
    settings: store.read,
    sources: { loadedFor: none, taskFor: none },
    policy: { attempts: 2, busyAttempts: 2 },
  });
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(2)} s`;
  let first: string | undefined;
  let text = "";
  const take = (chunk: Chunk) => {
    if (chunk.type === "text") {
      first ??= seconds();
      text += chunk.text;
    } else if (chunk.type === "thinking") {
      first ??= seconds();
      if (chunk.textBefore === true) text = "";
    } else if (chunk.type === "retry") {
      text = "";
      stderr(`${printable(chunk.error)}; retrying in ${chunk.wait} ms\n`);
    } else if (chunk.type === "usage")
      stdout(`${chunk.input} tokens in, ${chunk.output} tokens out${chunk.estimated ? " (estimated)" : ""}\n`);
  };
  try {
    const stream = models.model(`${name}/${id}`).stream({
      messages: [{ role: "user", content: "Answer with the one word: ready" }],
      maxTokens: 64,
      signal,
      asker: { task: connectionTest, role: "model", stage: "test", spec: outsideRun },
    });
    for await (const chunk of stream) take(chunk);
  } catch (error) {
    stderr(`${printable((error as Error).message)}\n`);
    return 1;
  }
  stdout(`${name}/${id} replied: ${printable(text.slice(0, 200))}\n`);
  stdout(`First token after ${first ?? seconds()}, complete reply after ${seconds()}\n`);
  return 0;
}
