/** Toolkits, which are clusters of tools, as analyses show them, and the models that help to make them. */
import type { Message } from "./types.ts";

/** The toolkits that a run used. */
export type Clusters = {
  readonly toolkits: readonly { readonly id: number; readonly description: string }[];
  readonly apis: readonly ClusteredApi[];
};

export type ClusteredApi = {
  readonly name: string;
  /** Category, package or the like, against which purity is measured. */
  readonly group: string;
  readonly toolkit: number;
  /** Position on the two-dimensional map. */
  readonly x: number;
  readonly y: number;
  /** Indexes of the nearest other APIs, the nearest first. */
  readonly neighbours: readonly number[];
};

/** Models for vectors, explanations, and descriptions of toolkits. */
export type ClusterModels = {
  /**
   * Returns the embedder of a name: `lexical`, `onnx/FOLDER` or `ENDPOINT/MODEL`. Calls `onRetry` with the message of each
   * failed request that is sent again. Throws `ModelProblem` for an unusable endpoint, `DataProblem` for a folder without a
   * model.
   */
  embedder(name: string, onRetry?: (message: string) => void): Promise<Embedder | CachedEmbedder>;
  /** Returns how to ask `ENDPOINT/MODEL` for explanations or descriptions. Throws `ModelProblem`. */
  asking(stage: ClusterStage, name: string, monitor: AskingMonitor): Asking;
};

export type ClusterStage = "explain" | "describe";

/** Turns texts into vectors: one interface for lexical embedding, an endpoint's model, and a local model. */
export type Embedder = {
  /** The name in results: `lexical`, `endpoint/model`, `onnx/folder`. */
  readonly name: string;
  /** Identifies the vectors in the cache if one name can refer to different models over time. If absent, the name does. */
  readonly key?: string;
  /** Numbers per vector; 0 while unknown. */
  readonly dims: number;
  /**
   * Resolves to one vector for each text, in order. Rejects with the signal's reason when aborted. Embedders that work in batches
   * call `progress` with the number of texts done.
   */
  embed(texts: readonly string[], signal: AbortSignal, progress?: (done: number) => void): Promise<Float32Array[]>;
  /** Releases resources held between calls (a process with its model). The embedder stays usable. */
  close?(): void;
};

export type CachedEmbedder = Embedder & {
  /** Returns the number of texts without a cached vector. */
  missing(texts: readonly string[]): number;
};

/** Sends messages to a model; resolves to its whole reply. */
export type AskModel = (messages: readonly Message[], signal: AbortSignal) => Promise<string>;

/** A model whose replies are cached on disk. */
export type Asking = {
  /** The model's name: replies of different models are cached separately. */
  readonly model: string;
  readonly ask: AskModel;
  /** JSON Lines file of replies by content hash; created if absent, append-only. */
  readonly cache: string;
  readonly signal: AbortSignal;
  /** Concurrent requests, 4 by default. */
  readonly concurrency?: number;
  /** Counts only requests that have to be sent. */
  readonly progress?: (done: number, total: number) => void;
};

export type AskingMonitor = Pick<Asking, "signal" | "progress"> & { readonly onRetry?: (message: string) => void };
