/** A small benchmark of one question per task, and requests about it. */
import { expect } from "vitest";
import type { BuiltinSources } from "../../../source/engine/models/builtin/builtin-reply.ts";
import { createModels } from "../../../source/engine/models/models.ts";
import { ModelProblem } from "../../../source/engine/models/problem.ts";
import type { Models } from "../../../source/engine/models/models.ts";
import type { Endpoint } from "../../../source/engine/settings/settings.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Chunk, Model, ModelRequest, RunSpec, Task } from "../../../source/engine/types.ts";
import { type Clock, machineClock } from "../../../source/engine/work/clock.ts";
import { bareSpec } from "../../bare-spec.ts";

const suite = {
  name: "toy",
  faultKinds: [
    { name: "loud", title: "Shouts" },
    { name: "late", title: "Comes late" },
    { name: "never", title: "Can never be made" },
  ],
} as unknown as Suite;

/** Replies `right:ID`, or `KIND:ID` with an injected fault. */
export const toySuite = {
  suite,
  warnings: [],
  oracle: (task: Task) => ({ text: `right:${task.id}` }),
  fault: (task: Task, _asked: unknown, kind: string) => (kind === "never" ? undefined : { text: `${kind}:${task.id}` }),
} as unknown as LoadedSuite;

export const toySources: BuiltinSources = {
  loadedFor: () => Promise.resolve(toySuite),
  taskFor: (_suite, _data, _split, id) => Promise.resolve({ id, question: "", input: 0, answer: 0, facets: {} }),
};

export const toySpec = bareSpec("toy", { seed: 5, trial: 0 });

export function toyRequest(more: Partial<ModelRequest> = {}, task = "t1", spec: RunSpec = toySpec): ModelRequest {
  return {
    messages: [{ role: "user", content: "Which plan?" }],
    signal: new AbortController().signal,
    asker: { task, role: "model", stage: "plan", spec },
    ...more,
  };
}

/** Models with one endpoint, `lab`, at this address; retries follow after a millisecond. */
export function modelsAt(
  baseUrl: string,
  endpoint: Partial<Endpoint> = {},
  environment: Record<string, string> = {},
  clock: Clock = machineClock,
): Models {
  const lab: Endpoint = { name: "lab", baseUrl, concurrency: 4, idleTimeout: 60, identify: false, ...endpoint };
  const settings = { endpoints: [lab], data: {} };
  return createModels({
    settings: () => settings,
    sources: toySources,
    policy: { firstWait: 1, attempts: 4, busyAttempts: 5 },
    environment,
    clock,
  });
}

export async function chunksOf(model: Model, request: ModelRequest = toyRequest()): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of model.stream(request)) chunks.push(chunk);
  return chunks;
}

/** The text after the last retry. */
export function textOf(chunks: readonly Chunk[]): string {
  let text = "";
  for (const chunk of chunks) {
    if (chunk.type === "text") text += chunk.text;
    else if (chunk.type === "retry") text = "";
  }
  return text;
}

export const retriesOf = (chunks: readonly Chunk[]) => chunks.filter((chunk) => chunk.type === "retry");

/** The `ModelProblem` by which this fails. */
export const failure = async (promise: Promise<unknown>): Promise<ModelProblem> => {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(ModelProblem);
  return thrown as ModelProblem;
};
