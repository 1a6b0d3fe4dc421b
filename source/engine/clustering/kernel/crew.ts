/** Who does the work of k-means: worker threads on shared memory, or this thread where there are none. */
import { tryCandidates } from "./candidates.ts";
import { assignPoints, compareCentres } from "../methods/lloyd.ts";
import { startThreads } from "./threads.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { place, type Workspace } from "./workspace.ts";

/** `try`: candidates against seeds and points; `between`: distances of centres; `assign`: points to centres. */
export type Job = "try" | "between" | "assign";

export type Crew = {
  /** Worker threads; 0 when this thread does it all. */
  readonly workers: number;
  /** Does one job wholly. Rejects when the signal is aborted or a worker dies. */
  run(job: Job): Promise<void>;
  /** To be awaited between pieces of long work in this thread. */
  yieldIfDue(): Promise<void> | undefined;
  close(): Promise<void>;
};

/** One thread's part of a job. */
export function work(workspace: Workspace, job: Job, thread: number): void {
  if (job === "try") tryCandidates(workspace, thread);
  else if (job === "between") compareCentres(workspace, thread);
  else if (job === "assign") assignPoints(workspace, thread);
  else job satisfies never;
}

/** Starts `workers` threads; with 0, or when they cannot be started, all work is done in this thread, in turns. */
export async function gather(workspace: Workspace, workers: number, signal?: AbortSignal): Promise<Crew> {
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
      rewind(workspace);
      if (threads !== undefined) return threads.run(job);
      work(workspace, job, 0);
      await yieldIfDue();
    },
    yieldIfDue,
    close: async () => threads?.close(),
  };
}

function rewind({ control }: Workspace): void {
  control[place.nextSeed] = 0;
  control[place.seedsDone] = 0;
  control.fill(0, place.nextBlock);
}
