/** The reason why tasks of a run failed, as a message for the user. */
import type { Failure } from "../types.ts";

/** Gives the first reason only: where many tasks fail, most fail for the same one. */
export function failureMessage({ kind, message }: Failure, failed: number): string {
  return `${failed === 1 ? "Why it failed" : "Why the first failed"} (${kind}): ${message}`;
}
