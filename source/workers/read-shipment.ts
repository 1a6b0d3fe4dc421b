/** Redis belongs to whoever can reach it: what is read from a stream is looked at before it gets into a log. */
import { z } from "zod";
import { failureSchema, fittingEvent, parsedShallow, textStepSchema } from "../engine/log/file/event-schema.ts";
import { checkedValue, misfitText } from "../engine/text/checked-record.ts";
import { field } from "../engine/text/json-record.ts";
import type { Json, TaskEvent } from "../engine/types.ts";
import type { Shipment } from "./messages.ts";

/** What came instead of a shipment: what was expected, and whom it names, as far as it can be read. */
export type RefusedShipment = {
  readonly refused: string;
  readonly task?: string;
  readonly attempt?: string;
  readonly worker?: string;
};

/** Events of a task, and none of a run: how that ends is its coordinator's to say. */
const eventTypes: Readonly<Record<TaskEvent["type"], true>> = {
  started: true,
  prompt: true,
  text: true,
  thinking: true,
  call: true,
  usage: true,
  retry: true,
  finish: true,
  result: true,
  node: true,
  note: true,
  answer: true,
  scored: true,
  failed: true,
};

const event = z.looseObject({ type: z.enum(Object.keys(eventTypes)) });
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
