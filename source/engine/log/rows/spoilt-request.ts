/** Finds the request that a built-in model has spoilt: the server's fingerprint of its reply marks it. */
import { spoiltMark } from "../../protocol.ts";
import type { TaskEvent } from "../../types.ts";

/** Returns the first request of an attempt with such a reply; undefined if there is none. */
export function spoiltRequest(attempt: readonly TaskEvent[]): number | undefined {
  const spoilt = attempt.find((event) => event.type === "finish" && event.fingerprint?.startsWith(spoiltMark));
  return spoilt?.type === "finish" ? spoilt.request : undefined;
}
