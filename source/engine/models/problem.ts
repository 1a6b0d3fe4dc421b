/** A request to a model that failed for good. */
import { Problem } from "../problem.ts";

/** Its message is fit for a log, a screen and an export: it names the endpoint and never holds a key. */
export class ModelProblem extends Problem {
  override readonly name: string = "ModelProblem";
  /** HTTP status, where the server answered. */
  readonly status: number | undefined;
  /** Number of times the request was sent. */
  readonly attempts: number;
  /** No other request to this model can succeed. */
  readonly hopeless: boolean;

  constructor(
    message: string,
    {
      status,
      attempts = 0,
      hopeless = false,
    }: { status?: number | undefined; attempts?: number; hopeless?: boolean } = {},
  ) {
    super("model", message);
    this.hopeless = hopeless;
    this.status = status;
    this.attempts = attempts;
  }
}

/** Wraps an error thrown by a built-in model, so that the client does not report it as a broken connection. */
export class BuiltinFailure extends Error {
  override readonly name = "BuiltinFailure";

  constructor(cause: unknown) {
    super("A built-in model failed", { cause: cause });
  }
}

const longest = 600;

/** A server's message made safe to show: the key, and whatever follows `Bearer`, removed; truncated to 600 characters. */
export function withoutKey(message: string, key: string | undefined): string {
  let safe = key === undefined || key === "" ? message : message.replaceAll(key, "[key]");
  safe = safe.replace(/\bbearer\s+[^\s"',;]+/giu, "Bearer [key]");
  return safe.length > longest ? `${safe.slice(0, longest)}...` : safe;
}
