/** Failures of the world, as opposed to bugs: thrown anywhere below the runner, recorded as a `failed` event of that kind. */
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

/** True for an attempt that was cut: it says nothing of the task, which is executed again. */
export const wasStopped = (failure: Failure | undefined): boolean => failure?.kind === "stopped";

/**
 * What a thrown value means for the task it was thrown in. Anything that is not a `Problem` is a bug: of ours, or of code of the user's
 * own, where it is said.
 */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Problem) return { kind: thrown.kind, message: thrown.message };
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { kind: "bug", message: withOwnPlace(message, thrown) };
}

/** Gives the first reason only: where many tasks fail, most fail for the same one. */
export function failureMessage({ kind, message }: Failure, failed: number): string {
  return `${failed === 1 ? "Why it failed" : "Why the first failed"} (${kind}): ${message}`;
}
