/** Replies of the model that simulates the API server. */
import { field, objectIn } from "../../../source/engine/text/json-record.ts";
import type { ToolResult } from "../../../source/engine/types.ts";
import type { Response } from "../data/sample-apis/call.ts";

/** The stage of requests to the simulating model. */
export const simulateStage = "simulate";

/** The official server's error for a reply that it cannot read. */
const unreadError = "Failed to generate fake response";

/** Returns whether a reply is a response of a server. */
export const isReadable = (reply: string): boolean => field(objectIn(reply), "response") !== undefined;

/** Reads a reply; returns the official server's error if it is unreadable. */
export function readSimulated(reply: string): Response {
  const value = objectIn(reply);
  if (value === undefined || !isReadable(reply)) return { error: unreadError, response: "" };
  return { error: String(field(value, "error") ?? ""), response: field(value, "response") ?? "" };
}

/** Returns whether a model that acts was shown the error of an unreadable reply, as in runs of earlier versions. */
export const wasUnread = ({ value, observation }: ToolResult): boolean =>
  field(value, "from") === "simulated" && observation.startsWith(`{"error": "${unreadError}"`);
