/** Runs the jobs of k-means: in worker threads on shared memory, or in this thread where none can be started. */
import { eventLoopYielder } from "../../work/event-loop.ts";
import { assignPoints, compareCentres } from "../methods/lloyd.ts";
import { tryCandidates } from "./candidates.ts";
import type { Job, WorkerPool } from "./job.ts";
import { startThreads } from "./threads.ts";
import { slot, type Workspace } from "./workspace.ts";

const jobs: Readonly<Record<Job, (workspace: Workspace, thread: number) => void>> = {
  tryCandidates,
  compareCentres,
  assignPoints,
};

/** Does one thread's part of a job. */
export function runPart(workspace: Workspace, job: Job, thread: number): void {
  jobs[job](workspace, thread);
}

/**
 * Starts `workers` threads. With 0, or when they cannot be started, all work is done in this thread, which yields to the
 * event loop between jobs.
 */
export async function startPool(workspace: Workspace, workers: number, signal?: AbortSignal): Promise<WorkerPool> {
  const { shape, kernel } = workspace;
  const yieldIfDue = eventLoopYielder(signal);
  const assignments = Array.from({ length: workers }, (_, thread) => {
    return { task: "k-means", shape, memory: kernel.memory, thread } as const;
  });
  const threads = workers < 1 ? undefined : await startThreads<Job>(assignments, signal);
  return {
    workers: threads === undefined ? 0 : workers,
    async run(job) {
      signal?.throwIfAborted();
      resetCounters(workspace);
      if (threads !== undefined) return threads.run(job);
      runPart(workspace, job, 0);
      await yieldIfDue();
    },
    yieldIfDue,
    close: async () => threads?.close(),
  };
}

function resetCounters({ control }: Workspace): void {
  control[slot.nextSeed] = 0;
  control[slot.seedsDone] = 0;
  control.fill(0, slot.nextBlock);
}
