/** Why tasks of a run failed, in words for a person. */
import type { Failure } from "../types.ts";

/** One reason stands for all: where many tasks fail, most fail for the same one. */
export function failureWords({ kind, message }: Failure, failed: number): string {
  return `${failed === 1 ? "Why it failed" : "Why the first failed"} (${kind}): ${message}`;
}
