/** One job over all pairs of points, shared out among worker threads, or done in this thread in turns. */
import { startThreads, threadsFor } from "./threads.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Assignment } from "./worker.ts";

/** Multiplications below which starting threads costs more than it saves. */
const worthThreads = 4e8;
/** How often progress is told, in milliseconds. */
const often = 100;

/** Resolves to the prepared memory when all pieces are done. Rejects with the signal's reason when it is aborted. */
export async function share<Memory>(job: {
  readonly multiplications: number;
  /** Undefined: as many threads as there are cores, none for small jobs. */
  readonly workers: number | undefined;
  /** Lays out the memory for so many threads; 1 for this one alone. */
  prepare(threads: number): Promise<Memory>;
  assignment(memory: Memory, thread: number): Assignment;
  /** Does one piece in this thread, of a few milliseconds; false when none is left. */
  take(memory: Memory): boolean;
  progress(memory: Memory): void;
  readonly signal: AbortSignal | undefined;
}): Promise<Memory> {
  const { signal } = job;
  const workers = job.workers ?? (job.multiplications < worthThreads ? 0 : threadsFor());
  const memory = await job.prepare(Math.max(1, workers));
  const assignments = Array.from({ length: workers }, (_, thread) => job.assignment(memory, thread));
  const threads = workers < 1 ? undefined : await startThreads<"go">(assignments, signal);
  const telling = setInterval(() => job.progress(memory), often);
  try {
    if (threads !== undefined) await threads.run("go");
    else {
      const yieldIfDue = eventLoopYielder(signal);
      while (job.take(memory)) await yieldIfDue();
    }
    job.progress(memory);
    return memory;
  } finally {
    clearInterval(telling);
    await threads?.close();
  }
}
