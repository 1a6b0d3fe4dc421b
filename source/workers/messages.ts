/**
 * Messages between a coordinator and its workers, sent through Redis. No message contains an endpoint's key. Anyone with access
 * to Redis may write messages, so each message is validated before it enters a log.
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

/** A queued job: one task of the round. The job's id is the task's id. */
export type TaskJob = {
  readonly task: string;
  /** Replies that were saved earlier and are not requested again. */
  readonly saved: SavedForTask;
};

/** Events of an attempt at a task since the previous shipment. */
export type Shipment = {
  readonly task: string;
  /** Unique across all attempts of all rounds. */
  readonly attempt: string;
  /** The worker's display name. */
  readonly worker: string;
  /** Index of the first event within the attempt, from 0. */
  readonly from: number;
  readonly entries: readonly StreamEntry<NewEvent>[];
  /** Present in the last shipment: how the attempt ended. Absent if the attempt continues or another worker is to try. */
  readonly end?: TaskEnd;
};

/** A message that is not a valid shipment: the error, and the names in it that can be read. */
export type RefusedShipment = {
  readonly refused: string;
  readonly task?: string;
  readonly attempt?: string;
  readonly worker?: string;
};

/** Only events of a task are allowed; the coordinator decides how the run ends. */
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

/**
 * Returns a worker's message if each event in it may be written to a log, otherwise the reason for its rejection. Never throws.
 */
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
    if ("seq" in sent)
      throw new TypeError("Expected an event without `seq`, which the log assigns, got one with `seq`");
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
