/** The models `planwright cluster --library` may ask: for explanations, embeddings and descriptions. */
import { dirname, join } from "node:path";
import type { Embedder } from "../engine/clustering/embedder.ts";
import { endpointEmbedder, textsPerRequest } from "../engine/clustering/endpoint-embedder.ts";
import { hashOf, type Asking } from "../engine/clustering/kept-replies.ts";
import { keptEmbedder, type KeptEmbedder } from "../engine/clustering/kept-vectors.ts";
import { lexicalEmbedder } from "../engine/clustering/lexical-embedder.ts";
import { onnxEmbedder } from "../engine/clustering/onnx-embedder.ts";
import { createEmbeddings } from "../engine/models/embeddings.ts";
import { BuiltinProblem } from "../engine/models/builtin-name.ts";
import { createModels, type Models } from "../engine/models/models.ts";
import { replyOf } from "../engine/models/outside-run.ts";
import { printable } from "../engine/printable.ts";
import { openSettings, type SettingsStore } from "../engine/settings.ts";
import { ArgumentProblem, type Arguments } from "./arguments.ts";
import { teller, type ClusterOutput } from "./cluster-progress.ts";

export type ClusterModels = {
  readonly embedder: Embedder;
  /** The embedder, where it is an endpoint's. */
  readonly kept: KeptEmbedder | undefined;
  readonly explain: Asking | undefined;
  readonly describe: Asking | undefined;
  /** Where replies are kept; undefined when no endpoint is asked. */
  readonly cache: string | undefined;
};

/** Room for a sentence or two, and for a paragraph. */
const maxTokens = { explain: 200, describe: 400 } as const;

/** Reads `--embedding`, `--explain`, `--describe` and `--cache`. Throws `ArgumentProblem` and `ModelProblem` before anything is sent. */
export async function modelsFor(given: Arguments, io: ClusterOutput): Promise<ClusterModels> {
  const embedding = given.text("embedding") ?? "lexical";
  const [explain, describe] = [given.text("explain"), given.text("describe")];
  const local = localEmbedder(embedding, given.text("model"));
  if (local !== undefined && explain === undefined && describe === undefined) {
    if (given.text("cache") !== undefined)
      throw new ArgumentProblem("Expected `--cache` only where an endpoint is asked");
    return { embedder: local, kept: undefined, explain: undefined, describe: undefined, cache: undefined };
  }
  const store = await openSettings();
  if (store.problem !== undefined) io.stderr(`${store.problem}\n`);
  const cache = cacheFolder(given, store);
  const none = () => Promise.reject(new BuiltinProblem("Expected no built-in model here"));
  const models = createModels({ settings: store.read, sources: { benchFor: none, taskFor: none } });
  const asking = (stage: "explain" | "describe", name: string | undefined) =>
    name === undefined ? undefined : askingOf(models, name, stage, cache, io);
  const askers = { explain: asking("explain", explain), describe: asking("describe", describe) };
  const kept = local === undefined ? await endpointsEmbedder(embedding, store, models, cache, io) : undefined;
  return { embedder: local ?? kept!, kept, ...askers, cache };
}

function localEmbedder(name: string, model: string | undefined): Embedder | undefined {
  if (name === "onnx") {
    if (model === undefined) throw new ArgumentProblem("Expected `--model FOLDER` beside `--embedding onnx`, got none");
    return onnxEmbedder(model);
  }
  if (model !== undefined) throw new ArgumentProblem("Expected `--model` only together with `--embedding onnx`");
  if (name === "lexical") return lexicalEmbedder();
  if (!name.includes("/"))
    throw new ArgumentProblem(`Expected \`--embedding\` to be lexical, onnx or ENDPOINT/MODEL, got \`${name}\``);
  return undefined;
}

function cacheFolder(given: Arguments, store: SettingsStore): string {
  const folder = given.text("cache") ?? (store.path === "" ? undefined : join(dirname(store.path), "clustering"));
  if (folder === undefined) throw new ArgumentProblem("Expected `--cache FOLDER`, as there is no folder for settings");
  return folder;
}

function askingOf(
  models: Models,
  name: string,
  stage: "explain" | "describe",
  cache: string,
  io: ClusterOutput,
): Asking {
  if (name.startsWith("builtin/"))
    throw new ArgumentProblem(`Expected \`--${stage}\` to be a model of an endpoint, got \`${name}\``);
  const problem = models.problem(name);
  if (problem !== undefined) throw new ArgumentProblem(problem);
  const about = { task: "clustering", stage, maxTokens: maxTokens[stage] };
  return {
    model: name,
    ask: replyOf(models.model(name), about, (error, wait) => tellRetry(io, name, error, wait)),
    cache: join(cache, stage === "explain" ? "explanations.jsonl" : "descriptions.jsonl"),
    signal: io.signal,
    width: models.limiter(name).state.width,
    progress: teller(io, stage === "explain" ? "explained" : "described"),
  };
}

async function endpointsEmbedder(
  name: string,
  store: SettingsStore,
  models: Models,
  cache: string,
  io: ClusterOutput,
): Promise<KeptEmbedder> {
  const embeddings = await createEmbeddings(name, {
    settings: store.read(),
    limiter: models.limiter(name),
    told: (error, wait) => tellRetry(io, name, error, wait),
  });
  const embedder = endpointEmbedder(embeddings, embeddings.endpoint, embeddings.model);
  return keptEmbedder(embedder, join(cache, `vectors-${hashOf(name).slice(0, 12)}.jsonl`));
}

/** Requests that embedding so many texts takes. */
export function embeddingRequests(texts: number): number {
  return Math.ceil(texts / textsPerRequest);
}

function tellRetry(io: ClusterOutput, name: string, error: string, wait: number): void {
  io.stderr(`${name}: ${printable(error)}; trying again in ${wait} ms\n`);
}
