/** The models of `planwright cluster --library`: for explanations, embeddings and descriptions. */
import { dirname, join, resolve } from "node:path";
import { asksForVectors, clusterModels } from "../../engine/clustering/toolkits/cached-models.ts";
import type { ClusterStage, Embedder, Asking, CachedEmbedder } from "../../engine/clusters.ts";
import { BuiltinProblem } from "../../engine/models/builtin/builtin-name.ts";
import { createModels } from "../../engine/models/models.ts";
import { printable } from "../../engine/text/printable.ts";
import { openSettings, type SettingsStore } from "../../engine/settings/settings.ts";
import { ArgumentProblem, type Arguments } from "../shell/arguments.ts";
import { countReporter, type ClusterOutput } from "./progress.ts";

export type ClusterAskers = {
  readonly embedder: Embedder;
  /** The embedder if an endpoint provides it. */
  readonly kept: CachedEmbedder | undefined;
  readonly explain: Asking | undefined;
  readonly describe: Asking | undefined;
  /** Folder of the saved replies; undefined when no endpoint is used. */
  readonly cache: string | undefined;
};

/** Reads `--embedding`, `--explain`, `--describe` and `--cache`. Throws `ArgumentProblem` and `ModelProblem` before anything is sent. */
export async function askersFor(given: Arguments, io: ClusterOutput): Promise<ClusterAskers> {
  const embedding = embeddingName(given.text("embedding") ?? "lexical", given.text("model"));
  const [explain, describe] = [given.text("explain"), given.text("describe")];
  const asks = asksForVectors(embedding) || explain !== undefined || describe !== undefined;
  const keeps = asks || embedding !== "lexical";
  if (!keeps && given.text("cache") !== undefined)
    throw new ArgumentProblem("Expected `--cache` only together with a model");
  const store = await openSettings();
  if (asks && store.problem !== undefined) io.stderr(`${store.problem}\n`);
  const cache = keeps ? cacheFolder(given, store) : undefined;
  const none = () => Promise.reject(new BuiltinProblem("Expected a model served by an endpoint, got a built-in model"));
  const models = clusterModels({
    models: createModels({ settings: store.read, sources: { loadedFor: none, taskFor: none } }),
    settings: store.read,
    cache: cache ?? "",
    placeOf: (path) => resolve(path),
  });
  const onRetry = (failure: string) => io.stderr(`${printable(failure)}\n`);
  const asking = (stage: ClusterStage, name: string | undefined): Asking | undefined => {
    if (name === undefined) return undefined;
    if (name.startsWith("builtin/"))
      throw new ArgumentProblem(`Expected \`--${stage}\` to be a model of an endpoint, got \`${name}\``);
    const progress = countReporter(io, stage === "explain" ? "explained" : "described");
    return models.asking(stage, name, { signal: io.signal, progress, onRetry });
  };
  const askers = { explain: asking("explain", explain), describe: asking("describe", describe) };
  const embedder = await models.embedder(embedding, onRetry);
  const kept = asksForVectors(embedding) && "missing" in embedder ? embedder : undefined;
  return { embedder, kept, ...askers, cache: asks ? cache : undefined };
}

/** Returns the flags as a value of `clusters.embedding` in a run cell. */
function embeddingName(name: string, model: string | undefined): string {
  if (name === "onnx") {
    if (model === undefined)
      throw new ArgumentProblem("Expected `--model FOLDER` together with `--embedding onnx`, got none");
    return `onnx/${model}`;
  }
  if (model !== undefined) throw new ArgumentProblem("Expected `--model` only together with `--embedding onnx`");
  if (name !== "lexical" && !name.includes("/"))
    throw new ArgumentProblem(`Expected \`--embedding\` to be lexical, onnx or ENDPOINT/MODEL, got \`${name}\``);
  return name;
}

function cacheFolder(given: Arguments, store: SettingsStore): string {
  const folder = given.text("cache") ?? (store.path === "" ? undefined : join(dirname(store.path), "clustering"));
  if (folder === undefined) throw new ArgumentProblem("Expected `--cache FOLDER` because there is no settings folder");
  return folder;
}
