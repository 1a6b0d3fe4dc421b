/** Embeddings by a model on this machine, in a process of its own: loading and running one hold up the thread they are in. */
import type { Embedder } from "./embedder.ts";
import { onnxFolder, onnxKey, onnxName, type OnnxFolder, type Pooling } from "./onnx-folder.ts";
import { loadTransformers, openModel, type Transformers } from "./onnx-model.ts";
import { openProcess, type OnnxProcess } from "./onnx-process.ts";

/** Texts at a time: each is padded to the longest of them, and a stop is heard between them. */
const batch = 16;
/** The process and its memory are given back when nothing was asked for so long. */
const idleMilliseconds = 30_000;

export type OnnxOptions = {
  /** By default what the folder says, else the mean. `cls` is for models trained on the first token. */
  readonly pooling?: Pooling;
  /** Address (a file URL) of what is imported in place of the installed package. */
  readonly module?: string;
  /** Gives the package; everything then happens in this thread, as a function cannot be sent to another process. */
  readonly load?: () => Promise<Transformers>;
};

/**
 * A model in a folder (see `onnxFolder`), run by @huggingface/transformers. Nothing is fetched. The model is loaded at the
 * first text and kept until `close`, an error, a stop, or half a minute without a text; it then is loaded again when
 * needed. Calls take turns. Throws `DataProblem` when files are absent; embedding rejects with one when the package is not
 * installed, or the model cannot be loaded, fails, or gives no vectors of finite numbers. An aborted signal ends the process.
 */
export function onnxEmbedder(path: string, options: OnnxOptions = {}): Embedder {
  const model = onnxFolder(path, options.pooling);
  let dims = 0;
  let opened: Opened | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const close = () => {
    clearTimeout(idle);
    opened?.close();
    opened = undefined;
  };
  const embedPart = async (texts: readonly string[], signal: AbortSignal) => {
    signal.throwIfAborted();
    clearTimeout(idle);
    opened ??= open(model, options);
    try {
      return await opened.ask(texts, signal);
    } catch (error) {
      close();
      throw error;
    } finally {
      idle = setTimeout(close, idleMilliseconds).unref();
    }
  };
  return {
    name: onnxName(model),
    key: onnxKey(model),
    get dims() {
      return dims;
    },
    async embed(texts, signal, progress) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batch) {
        const part = texts.slice(start, start + batch);
        const turn = last.then(() => embedPart(part, signal));
        last = turn.catch(() => undefined);
        const rows = await turn;
        dims = rows.length / part.length;
        for (let row = 0; row < part.length; row++) vectors.push(rows.subarray(row * dims, (row + 1) * dims));
        progress?.(vectors.length);
      }
      return vectors;
    },
    close,
  };
}

/** What embeds a few texts, in this process or another. */
type Opened = Pick<OnnxProcess, "ask" | "close">;

function open(model: OnnxFolder, { load, module }: OnnxOptions): Opened {
  const process = load === undefined ? openProcess({ model, ...(module === undefined ? {} : { module }) }) : undefined;
  return process ?? openHere(model, load ?? (() => loadTransformers(module)));
}

function openHere(model: OnnxFolder, load: () => Promise<Transformers>): Opened {
  const opening = openModel(model, load);
  return {
    async ask(texts, signal) {
      const embed = await opening;
      signal.throwIfAborted();
      return embed(texts);
    },
    close: () => undefined,
  };
}
