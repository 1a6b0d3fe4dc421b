/** The models that help to group tools, with their vectors and replies cached on disk. */
import { join, resolve } from "node:path";
import { createEmbeddings } from "../../models/embeddings.ts";
import type { Models } from "../../models/models.ts";
import { replyOf } from "../../models/network/outside-run.ts";
import { ModelProblem } from "../../models/problem.ts";
import type { Settings } from "../../settings/settings.ts";
import type { ClusterModels, Embedder } from "../../clusters.ts";
import { endpointEmbedder, textsPerRequest } from "../embedding/endpoint-embedder.ts";
import { cachedEmbedder, vectorCacheFile } from "../embedding/vector-cache.ts";
import { lexicalEmbedder } from "../embedding/lexical-embedder.ts";
import { onnxEmbedder } from "../embedding/onnx-embedder.ts";

/** Maximum tokens of a reply: one or two sentences, or a paragraph. */
export const replyTokens = { explain: 200, describe: 400 } as const;

const files = { explain: "explanations.jsonl", describe: "descriptions.jsonl" } as const;

/**
 * Returns the models of these settings; replies and vectors are stored in `cache`. `placeOf` returns the location of a local
 * model.
 */
export function clusterModels(given: {
  readonly models: Models;
  readonly settings: () => Settings;
  readonly cache: string;
  readonly placeOf: (path: string) => string;
}): ClusterModels {
  const { cache, placeOf, models, settings } = given;
  const cached = (embedder: Embedder) => cachedEmbedder(embedder, vectorCacheFile(cache, embedder));
  return {
    async embedder(name, onRetry) {
      const local = localEmbedder(name, placeOf);
      if (local !== undefined) return local.name === "lexical" ? local : cached(local);
      const embeddings = await createEmbeddings(name, {
        settings: settings(),
        limiter: models.limiter(name),
        onRetry: (error, wait) => onRetry?.(retryMessage(name, error, wait)),
      });
      return cached(endpointEmbedder(embeddings, embeddings.endpoint, embeddings.model));
    },
    asking(stage, name, { onRetry, ...monitor }) {
      if (name.startsWith("builtin/"))
        throw new ModelProblem(`Expected a model served by an endpoint for the stage \`${stage}\`, got \`${name}\``);
      const problem = models.problem(name);
      if (problem !== undefined) throw new ModelProblem(problem);
      const about = { task: "clustering", stage, maxTokens: replyTokens[stage] };
      return {
        ...monitor,
        model: name,
        ask: replyOf(models.model(name), about, (error, wait) => onRetry?.(retryMessage(name, error, wait))),
        cache: join(cache, files[stage]),
        concurrency: models.limiter(name).state.concurrency,
      };
    },
  };
}

/** Returns the models that need no endpoint, such as for scoring: only embeddings computed on this machine. */
export const localModels: ClusterModels = {
  async embedder(name) {
    const local = localEmbedder(name, (path) => resolve(path));
    if (local === undefined)
      throw new ModelProblem(`Expected an embedding computed on this machine (lexical or onnx), got \`${name}\``);
    return local;
  },
  asking(_stage, name) {
    throw new ModelProblem(`Expected no model for explanations of APIs, got \`${name}\``);
  },
};

/** Returns the same models without requests, for showing an analysis; texts that are not cached are rejected. */
export function cachedOnly(models: ClusterModels): ClusterModels {
  const refused = (name: string): never => {
    throw new ModelProblem(`Not all replies of \`${name}\` are cached; re-run one task of the run to request them`);
  };
  return {
    async embedder(name, onRetry) {
      const embedder = await models.embedder(name, onRetry);
      if (!("missing" in embedder)) return embedder;
      const embed: Embedder["embed"] = async (texts, signal) =>
        embedder.missing(texts) > 0 ? refused(name) : embedder.embed(texts, signal);
      return { ...embedder, embed };
    },
    asking: (stage, name, monitor) => ({ ...models.asking(stage, name, monitor), ask: async () => refused(name) }),
  };
}

/** Returns the number of requests needed to embed this many texts. */
export const embeddingRequests = (texts: number): number => Math.ceil(texts / textsPerRequest);

/** Returns true if an endpoint computes the embedding with this name, so that requests are sent. */
export const asksForVectors = (name: string): boolean => name.includes("/") && !name.startsWith("onnx/");

function localEmbedder(name: string, placeOf: (path: string) => string): Embedder | undefined {
  if (name === "lexical") return lexicalEmbedder();
  if (!name.startsWith("onnx/")) return undefined;
  const path = name.slice("onnx/".length);
  return onnxEmbedder(placeOf(path));
}

const retryMessage = (name: string, error: string, wait: number) => `${name}: ${error}; trying again in ${wait} ms`;
