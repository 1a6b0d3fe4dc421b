/** Models that help to group tools: for vectors, for explanations, for descriptions of toolkits. Their replies are kept on disk. */
import { isAbsolute, join } from "node:path";
import { createEmbeddings } from "../../models/embeddings.ts";
import type { Models } from "../../models/models.ts";
import { replyOf } from "../../models/outside-run.ts";
import { ModelProblem } from "../../models/problem.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Embedder } from "../embedding/embedder.ts";
import { endpointEmbedder, textsPerRequest } from "../embedding/endpoint-embedder.ts";
import type { Asking } from "./kept-replies.ts";
import { keptEmbedder, keptVectorsFile, type KeptEmbedder } from "../embedding/kept-vectors.ts";
import { lexicalEmbedder } from "../embedding/lexical-embedder.ts";
import { onnxEmbedder } from "../embedding/onnx-embedder.ts";

export type ClusterStage = "explain" | "describe";

export type ClusterModels = {
  /**
   * The embedder of a name: `lexical`, `onnx/FOLDER` or `ENDPOINT/MODEL`. `told` hears of requests that are tried again.
   * Throws `ModelProblem` for an endpoint that cannot be asked, `DataProblem` for a folder without a model.
   */
  embedder(name: string, told?: (failure: string) => void): Promise<Embedder | KeptEmbedder>;
  /** How `ENDPOINT/MODEL` is asked for explanations or descriptions. Throws `ModelProblem`. */
  asking(stage: ClusterStage, name: string, monitor: AskWatch): Asking;
};

export type AskWatch = Pick<Asking, "signal" | "progress"> & { readonly told?: (failure: string) => void };

/** Room for a sentence or two, and for a paragraph. */
export const replyTokens = { explain: 200, describe: 400 } as const;

const files = { explain: "explanations.jsonl", describe: "descriptions.jsonl" } as const;

/** The models of these settings; replies and vectors are kept in `cache`, paths of local models are relative to `folder`. */
export function clusterModels(given: {
  readonly models: Models;
  readonly settings: () => Settings;
  readonly cache: string;
  readonly folder: string;
}): ClusterModels {
  const { cache, folder, models, settings } = given;
  const kept = (embedder: Embedder) => keptEmbedder(embedder, keptVectorsFile(cache, embedder));
  return {
    async embedder(name, told) {
      const local = localEmbedder(name, folder);
      if (local !== undefined) return local.name === "lexical" ? local : kept(local);
      const embeddings = await createEmbeddings(name, {
        settings: settings(),
        limiter: models.limiter(name),
        told: (error, wait) => told?.(again(name, error, wait)),
      });
      return kept(endpointEmbedder(embeddings, embeddings.endpoint, embeddings.model));
    },
    asking(stage, name, { told, ...monitor }) {
      if (name.startsWith("builtin/"))
        throw new ModelProblem(`Expected a model of an endpoint to ${stage} with, got \`${name}\``);
      const problem = models.problem(name);
      if (problem !== undefined) throw new ModelProblem(problem);
      const about = { task: "clustering", stage, maxTokens: replyTokens[stage] };
      return {
        ...monitor,
        model: name,
        ask: replyOf(models.model(name), about, (error, wait) => told?.(again(name, error, wait))),
        cache: join(cache, files[stage]),
        width: models.limiter(name).state.concurrency,
      };
    },
  };
}

/** Where no endpoints are at hand, as where answers are scored: vectors are made on this machine or not at all. */
export const localModels: ClusterModels = {
  async embedder(name) {
    const local = localEmbedder(name, ".");
    if (local === undefined)
      throw new ModelProblem(`Expected an embedding that needs no endpoint here, got \`${name}\``);
    return local;
  },
  asking(_stage, name) {
    throw new ModelProblem(`Expected toolkits that need no model here, got \`${name}\``);
  },
};

/** The same models where nothing may be sent, as where a pane is only looked at: what is not kept on disk is refused. */
export function keptOnly(models: ClusterModels): ClusterModels {
  const refused = (name: string): never => {
    throw new ModelProblem(`Not all that \`${name}\` has to be asked for is kept; play one of its tasks again`);
  };
  return {
    async embedder(name, told) {
      const embedder = await models.embedder(name, told);
      if (!("missing" in embedder)) return embedder;
      const embed: Embedder["embed"] = async (texts, signal) =>
        embedder.missing(texts) > 0 ? refused(name) : embedder.embed(texts, signal);
      return { ...embedder, embed };
    },
    asking: (stage, name, monitor) => ({ ...models.asking(stage, name, monitor), ask: async () => refused(name) }),
  };
}

/** Requests that embedding so many texts takes. */
export function embeddingRequests(texts: number): number {
  return Math.ceil(texts / textsPerRequest);
}

/** Whether vectors of this name are made by an endpoint, for which requests are sent. */
export function asksForVectors(name: string): boolean {
  return name.includes("/") && !name.startsWith("onnx/");
}

function localEmbedder(name: string, folder: string): Embedder | undefined {
  if (name === "lexical") return lexicalEmbedder();
  if (!name.startsWith("onnx/")) return undefined;
  const path = name.slice("onnx/".length);
  return onnxEmbedder(isAbsolute(path) ? path : join(folder, path));
}

function again(name: string, error: string, wait: number): string {
  return `${name}: ${error}; trying again in ${wait} ms`;
}
