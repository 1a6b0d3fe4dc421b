/** A file of questions, which is read again only if it changed; a large one in a thread if someone can wait for it. */
import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { TaskFile } from "../../../source/engine/simple-suite/simple-task.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { stampOf } from "../../../source/engine/work/file-stamp.ts";
import { programFile } from "../../../source/engine/work/program-files.ts";
import type { Question, QuestionFile, QuestionKind } from "./question.ts";
import { largeFile, listedInTurns, readQuestions } from "./question-file.ts";
import type { FileReading, ReadFile } from "./question-file-worker.ts";

const isSource = import.meta.url.endsWith(".ts");
const workerFile = programFile(
  new URL(isSource ? "./question-file-worker.ts" : "./question-file-worker.js", import.meta.url),
);

type Known = { readonly stamp: string | undefined; read(): QuestionFile };

export class RememberedFile implements TaskFile<Question> {
  readonly #path: string;
  readonly #kind: QuestionKind;
  #known: Known | undefined;
  #coming: { readonly stamp: string | undefined; readonly read: Promise<void> } | undefined;

  constructor(path: string, kind: QuestionKind) {
    this.#path = path;
    this.#kind = kind;
  }

  read(): QuestionFile {
    const stamp = stampOf(this.#path);
    if (this.#known !== undefined && this.#known.stamp === stamp) return this.#known.read();
    const file = readQuestions(this.#path, this.#kind);
    this.#known = { stamp, read: () => file };
    return file;
  }

  reading(): Promise<void> | undefined {
    const stamp = stampOf(this.#path);
    if (this.#known?.stamp === stamp) return undefined;
    if (this.#coming !== undefined && this.#coming.stamp === stamp) return this.#coming.read;
    const { size = 0 } = statSync(this.#path, { throwIfNoEntry: false }) ?? {};
    const worker = size < largeFile ? undefined : workerFile();
    if (worker === undefined) return undefined;
    const read: Promise<void> = this.#readBy(worker).then((known) => {
      // If the file has changed since, it is being read again.
      if (this.#coming?.read !== read) return;
      this.#known = { stamp, read: known };
      this.#coming = undefined;
    });
    this.#coming = { stamp, read };
    return read;
  }

  /** Resolves to a function that returns the file or throws its problem. If the thread fails, the file is read when it is needed. */
  #readBy(file: URL): Promise<() => QuestionFile> {
    const { promise, resolve } = Promise.withResolvers<() => QuestionFile>();
    const workerData: ReadFile = { path: this.#path, kind: this.#kind };
    const worker = new Worker(file, {
      workerData,
      name: "question-file",
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    worker.unref();
    let own: QuestionFile | undefined;
    const here = () => (own ??= readQuestions(this.#path, this.#kind));
    let hasRead = false;
    worker.once("message", (reading: FileReading) => {
      hasRead = true;
      if ("problem" in reading)
        return resolve(() => {
          throw new DataProblem(reading.problem);
        });
      void listedInTurns(reading).then((questions) => resolve(() => questions));
    });
    worker.once("error", () => resolve(here));
    worker.once("exit", () => hasRead || resolve(here));
    return promise;
  }
}
