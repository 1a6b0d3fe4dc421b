/** Finds the request whose reply a built-in model has spoilt, which the server's fingerprint in the reply shows. */
import { spoiltMark } from "../../protocol.ts";
import type { TaskEvent } from "../../types.ts";

/** Returns the first request of an attempt with a spoilt reply; undefined if there is none. */
export function spoiltRequest(attempt: readonly TaskEvent[]): number | undefined {
  const spoilt = attempt.find((event) => event.type === "finish" && event.fingerprint?.startsWith(spoiltMark));
  return spoilt?.type === "finish" ? spoilt.request : undefined;
}
