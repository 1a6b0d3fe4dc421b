/** Redis belongs to whoever can reach it: what is read from a stream is looked at before it gets into a log. */
import { z } from "zod";
import { checkedValue } from "../engine/text/checked-record.ts";
import type { TaskEvent } from "../engine/types.ts";
import type { Shipment } from "./messages.ts";

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

const failure = z.object({ kind: z.string(), message: z.string() });
const shipment = z.object({
  task: z.string(),
  attempt: z.string(),
  worker: z.string(),
  from: z.int().min(0),
  entries: z.array(
    z.union([
      z.object({ event: z.looseObject({ type: z.enum(Object.keys(eventTypes)), at: z.number() }) }),
      z.object({
        piece: z.looseObject({ type: z.enum(["text", "thinking"]), request: z.int().min(0), text: z.string() }),
      }),
    ]),
  ),
  end: z
    .object({
      scored: z.boolean(),
      failure: failure.optional(),
      hopeless: z.union([z.boolean(), z.literal("always")]),
      outage: z.string().optional(),
      limit: z.string().optional(),
    })
    .optional(),
});

/** undefined for what no worker has written. */
export function readShipment(text: string): Shipment | undefined {
  try {
    const value: unknown = JSON.parse(text);
    checkedValue(shipment, value, ({ path }) => {
      throw new SyntaxError(path.join("."));
    });
    return value as Shipment;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
