/**
 * Failures of the environment, as opposed to bugs: thrown anywhere below the runner, and recorded as a `failed` event of the same
 * kind.
 */
import type { Failure, FailureKind } from "./types.ts";
import { withOwnPlace } from "./work/own-files.ts";

export class Problem extends Error {
  override readonly name: string = "Problem";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Returns true for an attempt that was interrupted, so its task is executed again. */
export const wasStopped = (failure: Failure | undefined): boolean => failure?.kind === "stopped";

/**
 * Returns the failure of a task for a thrown value. Anything but a `Problem` is a bug of the program or of the user's code, whose
 * location is added.
 */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Problem) return { kind: thrown.kind, message: thrown.message };
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { kind: "bug", message: withOwnPlace(message, thrown) };
}

/** Returns only the first failure's message, because most tasks fail for the same reason. */
export function failureMessage({ kind, message }: Failure, failed: number): string {
  return `${failed === 1 ? "Failure" : "First failure"} (${kind}): ${message}`;
}
