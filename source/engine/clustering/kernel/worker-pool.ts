/** Runs the jobs of k-means: in worker threads on shared memory, or in this thread if none can be started. */
import { eventLoopYielder } from "../../work/event-loop.ts";
import { assignPoints, compareCentres } from "../methods/lloyd.ts";
import { seedTogether } from "../methods/seeding.ts";
import type { Job, WorkerPool } from "./job.ts";
import { startThreads } from "./threads.ts";
import { resetCounters, type Workspace } from "./workspace.ts";

type Part = (workspace: Workspace, thread: number, progress: (done: number) => void) => Iterable<void>;
const jobs: Readonly<Record<Job, Part>> = { seedTogether, compareCentres, assignPoints };

/** Does one thread's part of a job. */
export function runPart(workspace: Workspace, job: Job, thread: number, progress: (done: number) => void): void {
  for (const _ of jobs[job](workspace, thread, progress));
}

/**
 * Starts `workers` threads. With 0, or if they cannot be started, does all work in this thread, which yields to the event loop
 * between jobs.
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
    async run(job, progress = () => {}) {
      signal?.throwIfAborted();
      resetCounters(workspace);
      if (threads !== undefined) return threads.run(job, progress);
      for (const _ of jobs[job](workspace, 0, progress)) await yieldIfDue();
    },
    yieldIfDue,
    close: async () => threads?.close(),
  };
}
