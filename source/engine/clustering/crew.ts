/** Who does the work of clustering: worker threads on shared memory, or this thread where there are none. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { tryCandidates } from "./candidates.ts";
import { assignPoints, compareCentres } from "./lloyd.ts";
import { place, type Workspace } from "./workspace.ts";

/** `try`: candidates against seeds and points; `between`: distances of centres; `assign`: points to centres. */
export type Job = "try" | "between" | "assign";

export type Crew = {
  /** Worker threads; 0 when this thread does it all. */
  readonly workers: number;
  /** Does one job wholly. Rejects when the signal is aborted or a worker dies. */
  run(job: Job): Promise<void>;
  close(): Promise<void>;
};

/** One thread's part of a job. */
export function work(workspace: Workspace, job: Job, thread: number): void {
  if (job === "try") tryCandidates(workspace, thread);
  else if (job === "between") compareCentres(workspace, thread);
  else if (job === "assign") assignPoints(workspace, thread);
  else job satisfies never;
}

/** Cores of this machine, at most `most`. */
export function threadsFor(most = 8): number {
  return Math.max(1, Math.min(most, availableParallelism()));
}

/** Starts `workers` threads; with 0, or when they cannot be started, all work is done in this thread, in turns. */
export async function gather(workspace: Workspace, workers: number, signal?: AbortSignal): Promise<Crew> {
  const file = workerFile();
  if (workers < 1 || file === undefined) return alone(workspace, signal);
  const { shape, kernel } = workspace;
  const started: Worker[] = [];
  try {
    for (let thread = 0; thread < workers; thread++) {
      started.push(new Worker(file, { workerData: { shape, memory: kernel.memory, thread }, name: "clustering" }));
    }
    await Promise.all(started.map((worker) => reply(worker, signal)));
  } catch (error) {
    await Promise.all(started.map((worker) => worker.terminate()));
    if (signal?.aborted === true) throw error;
    return alone(workspace, signal);
  }
  return {
    workers,
    async run(job) {
      signal?.throwIfAborted();
      rewind(workspace);
      const replies = started.map((worker) => reply(worker, signal));
      for (const worker of started) worker.postMessage(job);
      await Promise.all(replies);
    },
    async close() {
      await Promise.all(started.map((worker) => worker.terminate()));
    },
  };
}

/** Lets the event loop turn about 30 times a second, so that a screen stays alive. */
function alone(workspace: Workspace, signal?: AbortSignal): Crew {
  let since = performance.now();
  return {
    workers: 0,
    async run(job) {
      signal?.throwIfAborted();
      rewind(workspace);
      work(workspace, job, 0);
      if (performance.now() - since < 30) return;
      await nextTurn();
      since = performance.now();
    },
    async close() {},
  };
}

function rewind({ control }: Workspace): void {
  control[place.nextSeed] = 0;
  control[place.seedsDone] = 0;
  control.fill(0, place.nextBlock);
}

/** The next message of a worker. Rejects when it dies, and when the signal is aborted. */
function reply(worker: Worker, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const failed = (error: unknown) => settle(() => reject(error));
  const ended = () => settle(() => reject(new Error("Expected a clustering worker to reply, it ended")));
  const replied = () => settle(resolve);
  const aborted = () => settle(() => reject(signal?.reason));
  const settle = (act: () => void) => {
    worker.off("message", replied).off("error", failed).off("exit", ended);
    signal?.removeEventListener("abort", aborted);
    act();
  };
  worker.once("message", replied).once("error", failed).once("exit", ended);
  signal?.addEventListener("abort", aborted, { once: true });
  return promise;
}

/** The worker's own file: beside this one, from source as in a bundle; undefined when absent. */
function workerFile(): URL | undefined {
  const source = import.meta.url.endsWith(".ts");
  const file = new URL(source ? "./worker.ts" : "./clustering-worker.js", import.meta.url);
  return existsSync(file) ? file : undefined;
}
