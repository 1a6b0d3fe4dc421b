/**
 * The program of the child process started by onnx-embedder.ts: holds one model and answers lists of texts with their
 * vectors. Not a worker thread: terminating one while the runtime works crashes the whole process.
 */
import type { OnnxFolder } from "./onnx-folder.ts";
import { loadTransformers, openModel } from "./onnx-model.ts";

/** The program's argument, as JSON. */
export type OnnxAssignment = {
  readonly model: OnnxFolder;
  /** Module imported instead of the installed package. */
  readonly module?: string;
};

/** The reply of the process: vectors, row-major, or an error message. */
export type OnnxAnswer = { readonly rows: Float32Array<ArrayBuffer> } | { readonly problem: string };

const { model, module } = JSON.parse(process.argv[2]!) as OnnxAssignment;
const opening = openModel(model, () => loadTransformers(module));
// A failure to load the model is reported in answer to the first request.
opening.catch(() => undefined);

// Ctrl+C reaches every process of the terminal; the parent decides its meaning.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", (texts: readonly string[]) => void answer(texts));

async function answer(texts: readonly string[]): Promise<void> {
  try {
    const embed = await opening;
    send({ rows: await embed(texts) });
  } catch (error) {
    send({ problem: (error as Error).message });
  }
}

function send(answer: OnnxAnswer): void {
  if (process.connected) process.send!(answer);
}
