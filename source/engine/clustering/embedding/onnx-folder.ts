/** A folder with an ONNX model: its files, and an identifier of the model. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { DataProblem } from "../../text/json-lines.ts";

/** How the vectors of a text's tokens are pooled: their mean, or that of the first token. */
export type Pooling = "mean" | "cls";

export type OnnxFolder = {
  /** Absolute; contains the files of `companions`. */
  readonly folder: string;
  /** The model file, absolute. */
  readonly file: string;
  /** The subfolder with the model, usually `onnx`; empty if the model is next to the other files. */
  readonly subfolder: string;
  readonly pooling: Pooling;
};

/** The files the package reads besides the model. */
const companions = ["config.json", "tokenizer.json", "tokenizer_config.json"];
/**
 * Names of model files, tried in this order: full precision first. If both are missing, a single model with another name is used.
 */
const preferred = ["model.onnx", "model_quantized.onnx"];
/** A model of some hundred megabytes is identified by its size and these pieces, evenly spaced from first to last byte. */
const pieces = { count: 64, bytes: 1 << 14 };

/**
 * Finds the model in a folder (`onnx/model.onnx` or `model.onnx`, otherwise a quantized model), or uses the given `.onnx` file if
 * its folder has several. By default, pooling is read from `1_Pooling/config.json`; without that file it is the mean. Throws
 * `DataProblem` with the name of the absent file.
 */
export function onnxFolder(path: string, pooling?: Pooling): OnnxFolder {
  const given = resolve(path);
  if (!existsSync(given)) throw new DataProblem(`Expected a folder with an ONNX model at ${given}, found none`);
  const file = statSync(given).isDirectory() ? modelIn(given) : given;
  if (!file.endsWith(".onnx")) throw new DataProblem(`Expected a folder or an .onnx file, got ${file}`);
  const around = dirname(file);
  const folder = [around, dirname(around)].find((one) => existsSync(join(one, companions[0]!))) ?? around;
  for (const name of companions) {
    if (!existsSync(join(folder, name))) throw new DataProblem(`Expected ${name} in ${folder}, found none`);
  }
  const subfolder = relative(folder, around).split(sep).join("/");
  return { folder, file, subfolder, pooling: pooling ?? poolingOf(folder) };
}

function modelIn(folder: string): string {
  const found = [join(folder, "onnx"), folder].flatMap((one) =>
    existsSync(one) && statSync(one).isDirectory() ? onnxFiles(one).map((name) => join(one, name)) : [],
  );
  for (const name of preferred) {
    const file = found.find((one) => basename(one) === name);
    if (file !== undefined) return file;
  }
  if (found.length === 1) return found[0]!;
  const names = found.map((file) => relative(folder, file)).join(", ");
  throw new DataProblem(
    found.length === 0
      ? `Expected onnx/model.onnx in ${folder}, found none`
      : `Expected onnx/model.onnx in ${folder}, or the path of one of the files ${names}`,
  );
}

function onnxFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".onnx"))
    .toSorted();
}

/** The format of sentence-transformers. */
function poolingOf(folder: string): Pooling {
  const path = join(folder, "1_Pooling", "config.json");
  if (!existsSync(path)) return "mean";
  const text = readFileSync(path, "utf8");
  try {
    const written = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (written["pooling_mode_mean_tokens"] === true) return "mean";
    if (written["pooling_mode_cls_token"] === true) return "cls";
  } catch (error) {
    throw new DataProblem(`Expected ${path} to be JSON: ${(error as Error).message}`);
  }
  throw new DataProblem(`Expected mean or cls pooling in ${path}, got neither`);
}

/** Returns the name shown with results: `onnx/FOLDER`, with the file if it is not `model.onnx`. */
export function onnxName({ folder, file }: OnnxFolder): string {
  const name = basename(file, ".onnx");
  return `onnx/${basename(folder)}${name === "model" ? "" : `/${name}`}`;
}

/**
 * Returns a key that changes when the model (with external data, `model.onnx_data`), its tokenizer or the pooling changes, but
 * not when the folder is moved. Only pieces of large files are read, about a megabyte of each.
 */
export function onnxKey({ folder, file, pooling }: OnnxFolder): string {
  const hash = createHash("sha256").update(pooling);
  const data = readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${basename(file)}_data`) || name === `${basename(file)}.data`)
    .toSorted();
  for (const path of [
    file,
    ...data.map((name) => join(dirname(file), name)),
    ...companions.map((name) => join(folder, name)),
  ])
    hash.update(partsOf(path));
  return `onnx/${hash.digest("hex")}`;
}

/** Returns the size of a file, and its contents, or only parts of a large file. */
function partsOf(path: string): Buffer {
  const opened = openSync(path, "r");
  try {
    const { size } = fstatSync(opened);
    const { count, bytes } = pieces;
    const parts = Buffer.alloc(8 + Math.min(size, count * bytes));
    parts.writeDoubleLE(size);
    if (size <= count * bytes) readSync(opened, parts, 8, size, 0);
    else {
      for (let piece = 0; piece < count; piece++)
        readSync(opened, parts, 8 + piece * bytes, bytes, Math.floor((piece * (size - bytes)) / (count - 1)));
    }
    return parts;
  } finally {
    closeSync(opened);
  }
}
