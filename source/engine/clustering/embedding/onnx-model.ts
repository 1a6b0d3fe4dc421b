/**
 * A local model, run by the optional package @huggingface/transformers. Tested with its versions 4.3, and 3.8, which cannot
 * read a model with external data.
 */
import { signs } from "../../../look/signs.ts";
import { basename } from "node:path";
import { DataProblem } from "../../text/json-lines.ts";
import type { OnnxFolder, Pooling } from "./onnx-folder.ts";

/** The part of the package used here. */
export type Transformers = {
  readonly env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    /** The package's own download cache, which it would prefer to the files of the folder. */
    useFSCache: boolean;
    logLevel: number;
  };
  pipeline(
    task: "feature-extraction",
    folder: string,
    options: {
      readonly local_files_only: true;
      readonly device: "cpu";
      readonly dtype: "fp32";
      readonly subfolder: string;
      readonly model_file_name: string;
    },
  ): Promise<Extractor>;
};

type Extractor = {
  (texts: readonly string[], options: { readonly pooling: Pooling; readonly normalize: false }): Promise<unknown>;
  readonly tokenizer?: { readonly config?: { model_max_length?: number } };
  readonly model?: {
    readonly config?: { readonly [key: string]: unknown };
    readonly sessions?: { readonly [key: string]: { readonly outputNames?: readonly string[] } };
  };
};

/** Turns texts into vectors, row-major. Throws `DataProblem`. */
export type EmbedPart = (texts: readonly string[]) => Promise<Float32Array<ArrayBuffer>>;

const packageName = "@huggingface/transformers";
/**
 * The command that installs the package. Without `-D` npm does nothing in this project's own folder, whose package.json lists the
 * package as an optional peer.
 */
const install = `npm install --no-save -D ${packageName}`;
/** The package's log level without output, because output would be written over the screen. Errors are still thrown. */
const logLevelOff = 50;
const outputs = ["last_hidden_state", "token_embeddings"];

/**
 * Loads the model; nothing is downloaded. Both loading and running block their thread. Throws `DataProblem` with the
 * package's message when it is not installed or cannot load the model.
 */
export async function openModel(model: OnnxFolder, load: () => Promise<Transformers>): Promise<EmbedPart> {
  const { folder, file, subfolder, pooling } = model;
  const { env, pipeline } = await load();
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, useFSCache: false, logLevel: logLevelOff });
  const options = {
    local_files_only: true,
    device: "cpu",
    // For full precision no suffix is added, so that the name of a quantised model can be given unchanged.
    dtype: "fp32",
    subfolder,
    model_file_name: basename(file, ".onnx"),
  } as const;
  const extract = await pipeline("feature-extraction", folder, options).catch((error: unknown) => {
    throw new DataProblem(`Expected a loadable model at ${file}: ${messageOf(error)}`);
  });
  checkOutputs(extract, file);
  boundLength(extract);
  return async (texts) => {
    const result = await extract(texts, { pooling, normalize: false }).catch((error: unknown) => {
      throw new DataProblem(`Expected vectors from the model ${file}, but it failed: ${messageOf(error)}`);
    });
    return rowsOf(result, texts, file);
  };
}

/** Imports the installed package, or the given module. Throws `DataProblem` when there is none. */
export async function loadTransformers(address: string = packageName): Promise<Transformers> {
  try {
    // The name in a variable keeps bundlers from resolving a package that may be absent.
    return (await import(address)) as Transformers;
  } catch (error) {
    throw new DataProblem(
      `Expected the optional package ${packageName} for local embeddings; install it with \`${install}\` (${messageOf(error)})`,
    );
  }
}

/** Rejects classifiers and models with one output vector per text, because the package does not pool their outputs. */
function checkOutputs({ model }: Extractor, file: string): void {
  const names = Object.values(model?.sessions ?? {})[0]?.outputNames;
  if (names !== undefined && !outputs.some((name) => names.includes(name)))
    throw new DataProblem(`Expected an output ${outputs.join(" or ")} of the model ${file}, got ${names.join(", ")}`);
}

/** Sets a maximum length for tokenizers that were saved without one, because long texts would exceed the model's positions. */
function boundLength({ tokenizer, model }: Extractor): void {
  const { max_position_embeddings: positions, model_type: type, pad_token_id: pad } = model?.config ?? {};
  if (typeof positions !== "number" || tokenizer?.config === undefined) return;
  // RoBERTa and related models count positions from after the padding token.
  const skipped = /roberta|camembert|mpnet/.test(String(type)) && typeof pad === "number" ? pad + 1 : 0;
  const { model_max_length: length = Infinity } = tokenizer.config;
  if (length <= positions - skipped) return;
  tokenizer.config.model_max_length = positions - skipped;
  // Version 3 keeps a copy; in version 4 this is read-only, and ignored.
  Reflect.set(tokenizer, "model_max_length", positions - skipped);
}

function rowsOf(result: unknown, texts: readonly string[], file: string): Float32Array<ArrayBuffer> {
  const { data, dims } = (result ?? {}) as { readonly data?: unknown; readonly dims?: readonly number[] };
  const width = dims?.[1] ?? 0;
  const isMatrix = dims?.length === 2 && dims[0] === texts.length && width > 0;
  if (!isMatrix || !isNumbers(data) || data.length !== texts.length * width)
    throw new DataProblem(
      `Expected ${texts.length} vectors of 32-bit or 16-bit numbers from the model ${file}, got ${kindOf(data)} [${dims?.join(" x ") ?? ""}]`,
    );
  const rows = Float32Array.from(data);
  const wrong = rows.findIndex((value) => !Number.isFinite(value));
  if (wrong !== -1) {
    const text = JSON.stringify(texts[Math.floor(wrong / width)]!.slice(0, 60));
    throw new DataProblem(`Expected finite numbers from the model ${file}, got ${rows[wrong]} for ${text}`);
  }
  return rows;
}

/** Returns false if the package returned bits as integers, which happens if Node has no Float16Array. */
const isNumbers = (data: unknown): data is ArrayLike<number> =>
  ["Float32Array", "Float64Array", "Float16Array"].includes(kindOf(data));

const kindOf = (data: unknown): string =>
  data === null || data === undefined ? "nothing" : ((data as object).constructor?.name ?? typeof data);

/** Returns the first line of an error, truncated, because the runtime appends locations in its source. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.split("\n", 1)[0]!.trim();
  return line.length > 400 ? `${line.slice(0, 400)}${signs.more}` : line;
}
