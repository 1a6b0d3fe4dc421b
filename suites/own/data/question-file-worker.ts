/** Worker thread that reads one large file of questions and ends. Posts its packed bytes with their places, or why they cannot be used. */
import { parentPort, workerData } from "node:worker_threads";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { indexedQuestions } from "./question-file.ts";
import type { IndexedQuestions } from "./question-index.ts";
import type { QuestionKind } from "./question.ts";

export type ReadFile = { readonly path: string; readonly kind: QuestionKind };
export type FileReading = IndexedQuestions | { readonly problem: string };

const { path, kind } = workerData as ReadFile;
try {
  const found = indexedQuestions(path, kind);
  parentPort!.postMessage(found, [found.bytes.packed.buffer, found.index.places.buffer]);
} catch (error) {
  if (!(error instanceof DataProblem)) throw error;
  parentPort!.postMessage({ problem: error.message } satisfies FileReading);
}
