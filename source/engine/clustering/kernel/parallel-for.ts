/** A parallel for-loop over the pieces of one task, in worker threads or in this thread. */
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Assignment } from "./job.ts";
import { startThreads, workersFor } from "./threads.ts";

/** Multiplications below which starting threads costs more than it saves. */
const worthThreads = 4e8;
/** Milliseconds between progress reports. */
const progressInterval = 100;

/** Resolves to the prepared memory when all pieces are done. Rejects with the signal's reason when it is aborted. */
export async function parallelFor<Memory>(loop: {
  readonly multiplications: number;
  /** Undefined: one thread for each core, none for small tasks. */
  readonly workers: number | undefined;
  /** Lays out the memory for so many threads; 1 when this thread does all the work. */
  prepare(threads: number): Promise<Memory>;
  assignment(memory: Memory, thread: number): Assignment;
  /** Does the next piece in this thread, of a few milliseconds; false when none is left. */
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
