/**
 * What a coordinator and its workers tell each other by way of Redis. No key of an endpoint is in any of it. Redis belongs to whoever
 * can reach it: a message is looked at before it gets into a log.
 */
import { z } from "zod";
import {
  failureSchema,
  fittingEvent,
  parsedShallow,
  taskEventTypes,
  textStepSchema,
} from "../engine/log/file/event-schema.ts";
import type { NewEvent } from "../engine/log/file/log.ts";
import { checkedValue, misfitText } from "../engine/text/checked-record.ts";
import { field } from "../engine/text/json-record.ts";
import type { Json } from "../engine/types.ts";
import type { TaskEnd } from "../engine/run/task-end.ts";
import type { SavedForTask } from "../engine/run/execute-task.ts";
import type { StreamEntry } from "../engine/log/live-stream.ts";

/** A job of the queue: one task of the round, by whose id the job is called. */
export type TaskJob = {
  readonly task: string;
  /** What was answered before, and is not asked again. */
  readonly saved: SavedForTask;
};

/** What happened in an attempt at a task since the last shipment. */
export type Shipment = {
  readonly task: string;
  /** Differs between all attempts of all rounds. */
  readonly attempt: string;
  /** Name of the worker, for people. */
  readonly worker: string;
  /** Number of its first event within the attempt, from 0. */
  readonly from: number;
  readonly entries: readonly StreamEntry<NewEvent>[];
  /** With the last shipment: how the attempt ended. Absent where it goes on, or another worker is to try. */
  readonly end?: TaskEnd;
};

/** What came instead of a shipment: what was expected, and whom it names, as far as it can be read. */
export type RefusedShipment = {
  readonly refused: string;
  readonly task?: string;
  readonly attempt?: string;
  readonly worker?: string;
};

/** Events of a task, and none of a run: how that ends is its coordinator's to say. */
const event = z.looseObject({ type: z.enum(taskEventTypes) });
const shipment = z.object({
  task: z.string(),
  attempt: z.string(),
  worker: z.string(),
  from: z.int().min(0),
  entries: z.array(z.union([z.object({ event }), z.object({ piece: textStepSchema })])),
  end: z
    .object({
      scored: z.boolean(),
      failure: failureSchema.optional(),
      hopeless: z.union([z.boolean(), z.literal("always")]),
      outage: z.string().optional(),
      limit: z.string().optional(),
    })
    .optional(),
});

/** What a worker has written, each of its events such as can be written into a log; or why it is none of that. Never throws. */
export function readShipment(text: string): Shipment | RefusedShipment {
  let value: unknown;
  try {
    value = parsedShallow(text);
    const read = checkedValue(shipment, value, (misfit) => {
      throw new TypeError(misfitText(misfit));
    }) as Shipment;
    for (const [index, entry] of read.entries.entries()) if ("event" in entry) mustFit(entry.event, index, read.task);
    return read;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return { refused: error instanceof TypeError ? error.message : `Expected JSON: ${error.message}`, ...named(value) };
  }
}

function mustFit(sent: object, index: number, task: string): void {
  try {
    if ("seq" in sent) throw new TypeError("Expected an event that the log has yet to number, got one with `seq`");
    fittingEvent({ ...sent, task, seq: 0 });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`Entry ${index}: ${error.message}`);
  }
}

function named(value: unknown): Pick<RefusedShipment, "task" | "attempt" | "worker"> {
  const names = ["task", "attempt", "worker"].flatMap((name) => {
    const text = field(value as Json | undefined, name);
    return typeof text === "string" ? [[name, text]] : [];
  });
  return Object.fromEntries(names) as Pick<RefusedShipment, "task" | "attempt" | "worker">;
}
