/** What a coordinator and its workers tell each other by way of Redis. No key of an endpoint is in any of it. */
import type { NewEvent } from "../engine/log/file/log.ts";
import type { TaskEnd } from "../engine/run/task-end.ts";
import type { SavedForTask } from "../engine/run/execute-task.ts";
import type { Step } from "../engine/types.ts";

/** A job of the queue: one task of the round, by whose id the job is called. */
export type TaskJob = {
  readonly task: string;
  /** What was answered before, and is not asked again. */
  readonly saved: SavedForTask;
};

export type TextStep = Extract<Step, { readonly type: "text" | "thinking" }>;

/** One thing a worker tells of an attempt: an event for the log, or a piece of text that will be in a later one. */
export type ShippedEntry = { readonly event: NewEvent } | { readonly piece: TextStep };

/** What happened in an attempt at a task since the last shipment. */
export type Shipment = {
  readonly task: string;
  /** Differs between all attempts of all rounds. */
  readonly attempt: string;
  /** Name of the worker, for people. */
  readonly worker: string;
  /** Number of its first event within the attempt, from 0. */
  readonly from: number;
  readonly entries: readonly ShippedEntry[];
  /** With the last shipment: how the attempt ended. Absent where it goes on, or another worker is to try. */
  readonly end?: TaskEnd;
};
