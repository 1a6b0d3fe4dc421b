/** Worker threads of clustering: starting them, their jobs, ending them. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { programFile } from "../../work/program-files.ts";
import type { Assignment } from "./job.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";

type Threads<Job> = {
  /** Sends the job to every thread; resolves when all are done. Rejects when the signal is aborted or a thread dies. */
  run(job: Job, progress?: (done: number) => void): Promise<void>;
  close(): Promise<void>;
};

/** Returns the number of cores of this machine, at most `most`. */
export const threadsFor = (most = 8): number => Math.max(1, Math.min(most, availableParallelism()));

/**
 * Returns the number of threads for this many multiplications; 0 if threads would cost more than they save, which a single thread
 * always does.
 */
export function workersFor(multiplications: number, worthThreads: number): number {
  const threads = threadsFor();
  return multiplications < worthThreads || threads === 1 ? 0 : threads;
}

/** Returns whether worker threads can be started here. */
export const hasThreads = (): boolean => workerFile() !== undefined;

/** Starts one thread for each assignment; undefined when that is not possible. Rejects when the signal is aborted. */
export async function startThreads<Job>(
  assignments: readonly Assignment[],
  signal?: AbortSignal,
): Promise<Threads<Job> | undefined> {
  const file = workerFile();
  if (file === undefined) return undefined;
  const started: Worker[] = [];
  const close = async () => void (await Promise.all(started.map((worker) => worker.terminate())));
  try {
    for (const workerData of assignments) started.push(new Worker(file, { workerData, name: "clustering" }));
    await Promise.all(started.map((worker) => reply(worker, signal)));
  } catch (error) {
    await close();
    if (signal?.aborted === true) throw error;
    return undefined;
  }
  return {
    async run(job, progress) {
      signal?.throwIfAborted();
      const replies = started.map((worker) => reply(worker, signal, progress));
      for (const worker of started) worker.postMessage(job);
      await Promise.all(replies);
    },
    close,
  };
}

/**
 * Starts a thread for one assignment and passes its messages to `receive` until `receive` returns a result or throws; then ends
 * the thread.
 */
export async function runInThread<Result>(
  assignment: Assignment,
  receive: (message: unknown) => Result | undefined,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const worker = new Worker(workerFile()!, { workerData: assignment, name: "clustering" });
  const aborted = () => reject(signal?.reason);
  signal?.addEventListener("abort", aborted, { once: true });
  worker.on("error", reject).on("exit", () => reject(new Error("Clustering worker exited unexpectedly")));
  worker.on("message", (message: unknown) => {
    try {
      const result = receive(message);
      if (result !== undefined) resolve(result);
    } catch (error) {
      reject(error);
    }
  });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", aborted);
    await worker.terminate();
  }
}

/**
 * Resolves to the next message of a worker; numbers before it are progress reports. Rejects if the worker ends, and if the signal
 * is aborted.
 */
function reply(
  worker: Worker,
  signal: AbortSignal | undefined,
  progress: (done: number) => void = () => {},
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const failed = (error: unknown) => settle(() => reject(error));
  const ended = () => settle(() => reject(new Error("Clustering worker exited unexpectedly")));
  const replied = (message: unknown) => (typeof message === "number" ? progress(message) : settle(resolve));
  const aborted = () => settle(() => reject(signal?.reason));
  const settle = (finish: () => void) => {
    worker.off("message", replied).off("error", failed).off("exit", ended);
    signal?.removeEventListener("abort", aborted);
    finish();
  };
  worker.on("message", replied).once("error", failed).once("exit", ended);
  signal?.addEventListener("abort", aborted, { once: true });
  if (signal?.aborted === true) aborted();
  return promise;
}

/** The worker's own file, next to this file both in source and in a bundle; undefined if it is absent. */
const workerFile = programFile(
  new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./clustering-worker.js", import.meta.url),
);

/** Number of multiplications below which starting threads costs more time than it saves. */
const worthThreads = 4e8;
/** Milliseconds between progress reports. */
const progressInterval = 100;

/** Resolves to the prepared memory when all pieces are done. Rejects with the signal's reason when it is aborted. */
export async function parallelFor<Memory>(loop: {
  readonly multiplications: number;
  /** Undefined: one thread for each core, none for small tasks. */
  readonly workers: number | undefined;
  /** Lays out the memory for this many threads; 1 when this thread does all the work. */
  prepare(threads: number): Promise<Memory>;
  assignment(memory: Memory, thread: number): Assignment;
  /** Does the next part of the work in this thread, a few milliseconds long; returns false if no part is left. */
  runNext(memory: Memory): boolean;
  progress(memory: Memory): void;
  readonly signal: AbortSignal | undefined;
}): Promise<Memory> {
  const { signal } = loop;
  const workers = loop.workers ?? workersFor(loop.multiplications, worthThreads);
  const memory = await loop.prepare(Math.max(1, workers));
  const assignments = Array.from({ length: workers }, (_, thread) => loop.assignment(memory, thread));
  const threads = workers < 1 ? undefined : await startThreads<"start">(assignments, signal);
  const timer = setInterval(() => loop.progress(memory), progressInterval);
  try {
    if (threads !== undefined) await threads.run("start");
    else {
      const yieldIfDue = eventLoopYielder(signal);
      while (loop.runNext(memory)) await yieldIfDue();
    }
    loop.progress(memory);
    return memory;
  } finally {
    clearInterval(timer);
    await threads?.close();
  }
}
