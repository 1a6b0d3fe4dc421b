/**
 * A program of its own that holds one model and answers lists of texts by their vectors, started by onnx-process.ts. Not a
 * thread: one that is ended while the runtime works (by a stop, or by the program ending) takes the whole process with it.
 */
import type { OnnxFolder } from "./onnx-folder.ts";
import { loadTransformers, openModel } from "./onnx-model.ts";

/** What the program is started for, as JSON. */
export type OnnxAssignment = {
  readonly model: OnnxFolder;
  /** What is imported in place of the installed package. */
  readonly module?: string;
};

/** What it answers: vectors, row after row, or what is wrong. */
export type OnnxAnswer = { readonly rows: Float32Array<ArrayBuffer> } | { readonly problem: string };

const { model, module } = JSON.parse(process.argv[2]!) as OnnxAssignment;
const opening = openModel(model, () => loadTransformers(module));
// A model that cannot be loaded is said in answer to the first question.
opening.catch(() => undefined);

// Ctrl+C goes to every program in the terminal; the one that started this decides what it means.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", (texts: readonly string[]) => void answer(texts));

async function answer(texts: readonly string[]): Promise<void> {
  try {
    const embed = await opening;
    say({ rows: await embed(texts) });
  } catch (error) {
    say({ problem: (error as Error).message });
  }
}

function say(answer: OnnxAnswer): void {
  if (process.connected) process.send!(answer);
}
