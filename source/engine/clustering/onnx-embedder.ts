/** Embeddings by a model on this machine, through the optional package @huggingface/transformers. */
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { DataProblem } from "../json-lines.ts";
import type { Embedder } from "./embedder.ts";

/** The part of @huggingface/transformers used here. */
export type Transformers = {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  pipeline(task: "feature-extraction", model: string, options: { local_files_only: boolean }): Promise<Extractor>;
};
type Extractor = (
  texts: readonly string[],
  options: { pooling: "mean" | "cls"; normalize: boolean },
) => Promise<{ readonly data: ArrayLike<number>; readonly dims: readonly number[] }>;

const batch = 16;
const packageName = "@huggingface/transformers";

export type OnnxOptions = {
  /** How token vectors become one: their mean by default; `cls` for models trained on the first token. */
  readonly pooling?: "mean" | "cls";
  /** How the package is loaded. */
  readonly load?: () => Promise<Transformers>;
};

/**
 * A model in a folder (config.json, tokenizer files, onnx/model.onnx). Nothing is fetched. Throws `DataProblem` when the
 * folder is absent; embedding throws one when the package is not installed.
 */
export function onnxEmbedder(folder: string, { pooling = "mean", load = loadPackage }: OnnxOptions = {}): Embedder {
  const path = resolve(folder);
  if (!existsSync(path)) throw new DataProblem(`Expected a folder with an ONNX model at ${path}, found none`);
  let dims = 0;
  let extractor: Promise<Extractor> | undefined;
  return {
    name: `onnx/${basename(path)}`,
    get dims() {
      return dims;
    },
    async embed(texts, signal) {
      signal.throwIfAborted();
      const extract = await (extractor ??= open(path, load));
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batch) {
        signal.throwIfAborted();
        const part = texts.slice(start, start + batch);
        const { data, dims: shape } = await extract(part, { pooling, normalize: false });
        dims = shape.at(-1)!;
        for (let row = 0; row < part.length; row++) {
          vectors.push(Float32Array.from({ length: dims }, (_, column) => data[row * dims + column]!));
        }
      }
      return vectors;
    },
  };
}

async function open(path: string, load: () => Promise<Transformers>): Promise<Extractor> {
  const { env, pipeline } = await load();
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = dirname(path);
  return pipeline("feature-extraction", basename(path), { local_files_only: true });
}

async function loadPackage(): Promise<Transformers> {
  try {
    // The name in a variable keeps bundlers from looking for a package that may be absent.
    const name: string = packageName;
    return (await import(name)) as Transformers;
  } catch (error) {
    throw new DataProblem(
      `Expected the optional package ${packageName} for local embeddings; install it with \`npm install ${packageName}\` (${(error as Error).message})`,
    );
  }
}
