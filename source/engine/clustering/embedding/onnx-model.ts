/**
 * A model on this machine, run by the optional package @huggingface/transformers. Tried with its versions 4.3, and 3.8, which
 * cannot read a model whose data lie in a file beside it.
 */
import { basename } from "node:path";
import { DataProblem } from "../../text/json-lines.ts";
import type { OnnxFolder, Pooling } from "./onnx-folder.ts";

/** The part of the package used here. */
export type Transformers = {
  readonly env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    /** Files the package fetched at other times, which it would take before those of the folder. */
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

/** Texts to vectors, row after row. Throws `DataProblem`. */
export type EmbedPart = (texts: readonly string[]) => Promise<Float32Array<ArrayBuffer>>;

const packageName = "@huggingface/transformers";
/** Without `-D` npm does nothing in this project's own folder, whose package.json names the package as an optional peer. */
const install = `npm install --no-save -D ${packageName}`;
/** The package's number for saying nothing: its words would be written over the screen. Errors are thrown all the same. */
const silent = 50;
const outputs = ["last_hidden_state", "token_embeddings"];

/**
 * Loads the model; nothing is fetched. Both loading and running hold up the thread they happen in. `load` is by default the
 * installed package. Throws `DataProblem` with the words of the package when it is not installed or cannot load the model.
 */
export async function openModel(model: OnnxFolder, load: () => Promise<Transformers>): Promise<EmbedPart> {
  const { folder, file, subfolder, pooling } = model;
  const { env, pipeline } = await load();
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, useFSCache: false, logLevel: silent });
  const options = {
    local_files_only: true,
    device: "cpu",
    // No suffix is added for full precision, so that the name of a quantized model can be given as it is.
    dtype: "fp32",
    subfolder,
    model_file_name: basename(file, ".onnx"),
  } as const;
  const extract = await pipeline("feature-extraction", folder, options).catch((error: unknown) => {
    throw new DataProblem(`Expected a model that can be loaded at ${file}: ${wordsOf(error)}`);
  });
  checkOutputs(extract, file);
  boundLength(extract);
  return async (texts) => {
    const result = await extract(texts, { pooling, normalize: false }).catch((error: unknown) => {
      throw new DataProblem(`Expected vectors from the model ${file}, it failed: ${wordsOf(error)}`);
    });
    return rowsOf(result, texts, file);
  };
}

/** The package installed beside this one, or the one at the address given. Throws `DataProblem` when there is none. */
export async function loadTransformers(address: string = packageName): Promise<Transformers> {
  try {
    // The name in a variable keeps bundlers from looking for a package that may be absent.
    return (await import(address)) as Transformers;
  } catch (error) {
    throw new DataProblem(
      `Expected the optional package ${packageName} for local embeddings; install it with \`${install}\` (${wordsOf(error)})`,
    );
  }
}

/** Classifiers and models that answer with one vector for a text have other outputs, of which the package makes no vectors. */
function checkOutputs({ model }: Extractor, file: string): void {
  const names = Object.values(model?.sessions ?? {})[0]?.outputNames;
  if (names !== undefined && !outputs.some((name) => names.includes(name)))
    throw new DataProblem(`Expected an output ${outputs.join(" or ")} of the model ${file}, got ${names.join(", ")}`);
}

/** Tokenizers saved without a length, or with an endless one, would give long texts more tokens than the model has places for. */
function boundLength({ tokenizer, model }: Extractor): void {
  const { max_position_embeddings: places, model_type: type, pad_token_id: pad } = model?.config ?? {};
  if (typeof places !== "number" || tokenizer?.config === undefined) return;
  // RoBERTa and its kin count places from behind the padding token.
  const skipped = /roberta|camembert|mpnet/.test(String(type)) && typeof pad === "number" ? pad + 1 : 0;
  const { model_max_length: length = Infinity } = tokenizer.config;
  if (length <= places - skipped) return;
  tokenizer.config.model_max_length = places - skipped;
  // Version 3 keeps a copy; in version 4 this is read only, and refused without a word.
  Reflect.set(tokenizer, "model_max_length", places - skipped);
}

function rowsOf(result: unknown, texts: readonly string[], file: string): Float32Array<ArrayBuffer> {
  const { data, dims } = (result ?? {}) as { readonly data?: unknown; readonly dims?: readonly number[] };
  const width = dims?.[1] ?? 0;
  const isMatrix = dims?.length === 2 && dims[0] === texts.length && width > 0;
  if (!isMatrix || !isNumbers(data) || data.length !== texts.length * width)
    throw new DataProblem(
      `Expected ${texts.length} vectors of 32 or 16 bit numbers from the model ${file}, got ${kindOf(data)} [${dims?.join(" x ") ?? ""}]`,
    );
  const rows = Float32Array.from(data);
  const wrong = rows.findIndex((value) => !Number.isFinite(value));
  if (wrong !== -1) {
    const text = JSON.stringify(texts[Math.floor(wrong / width)]!.slice(0, 60));
    throw new DataProblem(`Expected finite numbers from the model ${file}, got ${rows[wrong]} for ${text}`);
  }
  return rows;
}

/** Where Node has no 16 bit numbers the package gives their bits as whole numbers, which are no vectors. */
function isNumbers(data: unknown): data is ArrayLike<number> {
  return ["Float32Array", "Float64Array", "Float16Array"].includes(kindOf(data));
}

function kindOf(data: unknown): string {
  return data === null || data === undefined ? "nothing" : ((data as object).constructor?.name ?? typeof data);
}

/** The first line of an error, cut: those of the runtime go on with the places in its source. */
function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.split("\n", 1)[0]!.trim();
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}
