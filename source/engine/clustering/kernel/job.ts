/** Messages to the worker threads of clustering: the purpose of a thread, and its jobs. */
import type { GroupingSettings } from "../methods/settings.ts";
import type { Vectors } from "../methods/vectors.ts";
import type { DispersionShape } from "./dispersion.ts";
import type { SharedMemory } from "./kernel.ts";
import type { TilesShape } from "./neighbour-tiles.ts";
import type { Shape } from "./workspace.ts";

/** The purpose of a thread. */
export type Assignment =
  | { readonly task: "k-means"; readonly shape: Shape; readonly memory: SharedMemory; readonly thread: number }
  | {
      readonly task: "neighbour-tiles";
      readonly shape: TilesShape;
      readonly memory: SharedMemory;
      readonly thread: number;
    }
  | {
      readonly task: "dispersion";
      readonly shape: DispersionShape;
      readonly memory: SharedMemory;
      readonly thread: number;
    }
  | {
      readonly task: "group";
      readonly vectors: Vectors;
      readonly settings: GroupingSettings;
      readonly comparisons: number | undefined;
    };

/** A job of k-means, named after the function that does one thread's part of the job. */
export type Job = "seedTogether" | "compareCentres" | "assignPoints";

/** The threads of one k-means computation. */
export type WorkerPool = {
  /** Worker threads; 0 when all work is done in this thread. */
  readonly workers: number;
  /** Runs one job to completion. Rejects if the signal is aborted or a worker ends. */
  run(job: Job, progress?: (done: number) => void): Promise<void>;
  /** Awaited between pieces of long work in this thread. */
  yieldIfDue(): Promise<void> | undefined;
  close(): Promise<void>;
};
