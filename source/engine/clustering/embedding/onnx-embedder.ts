/** Embeddings by a local model, in a process of its own, because loading and running a model block their thread. */
import type { Embedder } from "../../clusters.ts";
import { onnxFolder, onnxKey, onnxName, type OnnxFolder, type Pooling } from "./onnx-folder.ts";
import { loadTransformers, openModel, type Transformers } from "./onnx-model.ts";
import { fork } from "node:child_process";
import { DataProblem } from "../../text/json-lines.ts";
import { programFile } from "../../work/program-files.ts";
import type { OnnxAnswer, OnnxAssignment } from "./onnx-program.ts";

/** Texts per batch: each is padded to the longest, and an abort takes effect between batches. */
const batch = 16;
/** Idle milliseconds after which the process ends. */
const idleMilliseconds = 30_000;

export type OnnxOptions = {
  /** If absent, as configured in the folder, otherwise the mean. `cls` is for models trained on the first token. */
  readonly pooling?: Pooling;
  /** Module (a file URL) imported instead of the installed package. */
  readonly module?: string;
  /** Loads the package; the model then runs in this thread, because a function cannot be sent to another process. */
  readonly load?: () => Promise<Transformers>;
};

/**
 * Opens a model in a folder (see `onnxFolder`), run by @huggingface/transformers, which downloads nothing. The model is loaded at
 * the first text and stays loaded until `close`, an error, an abort, or half a minute without a text; then it is loaded again
 * when needed. Calls are executed one after another. Throws `DataProblem` if files are absent. Embedding rejects with
 * `DataProblem` if the package is not installed, or if the model cannot be loaded, fails, or returns anything but finite numbers.
 * An aborted signal ends the process.
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
        const current = last.then(() => embedPart(part, signal));
        last = current.catch(() => undefined);
        const rows = await current;
        dims = rows.length / part.length;
        for (let row = 0; row < part.length; row++) vectors.push(rows.subarray(row * dims, (row + 1) * dims));
        progress?.(vectors.length);
      }
      return vectors;
    },
    close,
  };
}

/** Embeds a batch of texts, in this process or another. */
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

type OnnxProcess = {
  /**
   * Returns vectors, row-major; one call at a time. Rejects with `DataProblem` if the model fails or the process has ended, and
   * at once if the signal is aborted; then call `close`.
   */
  ask(texts: readonly string[], signal: AbortSignal): Promise<Float32Array<ArrayBuffer>>;
  /** Kills the process. */
  close(): void;
};

/**
 * Starts a process with the model; undefined if the file of its program is absent. While idle, the process does not prevent this
 * process from ending.
 */
function openProcess(assignment: OnnxAssignment): OnnxProcess | undefined {
  const program = programOfModels();
  if (program === undefined) return undefined;
  const child = fork(program, [JSON.stringify(assignment)], {
    serialization: "advanced",
    // Output of the runtime would be written over the screen.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [],
  });
  let ended: DataProblem | undefined;
  const end = (why: string) =>
    (ended ??= new DataProblem(`Expected vectors from a local model, but its process ended: ${why}`));
  child.on("error", (error) => end(error.message)).on("exit", (code, sign) => end(sign ?? `status ${code}`));
  idle(true);
  return {
    async ask(texts, signal) {
      signal.throwIfAborted();
      if (ended !== undefined) throw ended;
      const { promise, resolve, reject } = Promise.withResolvers<OnnxAnswer>();
      const failed = () => reject(ended);
      const aborted = () => reject(signal.reason);
      child.once("message", resolve).once("error", failed).once("exit", failed);
      signal.addEventListener("abort", aborted, { once: true });
      idle(false);
      try {
        child.send(texts);
        const answer = await promise;
        if ("problem" in answer) throw new DataProblem(answer.problem);
        return answer.rows;
      } finally {
        idle(true);
        signal.removeEventListener("abort", aborted);
        child.off("message", resolve).off("error", failed).off("exit", failed);
      }
    },
    close: () => void child.kill("SIGKILL"),
  };

  function idle(is: boolean): void {
    const change = is ? "unref" : "ref";
    child[change]();
    child.channel?.[change]();
  }
}

/** The program's file, next to this file both in source and in a bundle; undefined if it is absent. */
const programOfModels = programFile(
  new URL(import.meta.url.endsWith(".ts") ? "./onnx-program.ts" : "./onnx-program.js", import.meta.url),
);
