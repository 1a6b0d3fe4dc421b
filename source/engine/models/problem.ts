/** A request to a model that failed for good. */
import { Problem } from "../problem.ts";

/** An error whose message is safe in a log, on a screen and in an export: it names the endpoint and never contains a key. */
export class ModelProblem extends Problem {
  override readonly name: string = "ModelProblem";
  /** HTTP status if the server answered. */
  readonly status: number | undefined;
  /** Number of times the request was sent. */
  readonly attempts: number;
  /** True if no other request to this model can succeed. */
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

/** A prompt longer than the model's context. This is no external failure, so the task is scored in its current state. */
export class ContextProblem extends Problem {
  override readonly name = "ContextProblem";

  constructor(message: string) {
    super("context", message);
  }
}

/** An endpoint was unreachable for too long; the task is not at fault and is executed again later. */
export class OutageProblem extends Problem {
  override readonly name = "OutageProblem";

  constructor(message: string) {
    super("stopped", message);
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

/** Makes a server's message safe to show: removes keys and any text after `Bearer`, and truncates it to 600 characters. */
export function withoutKeys(message: string, keys: readonly string[]): string {
  let safe = keys.reduce((text, key) => (key === "" ? text : text.replaceAll(key, "[key]")), message);
  safe = safe.replace(/\bbearer\s+[^\s"',;]+/giu, "Bearer [key]");
  return safe.length > longest ? `${safe.slice(0, longest)}...` : safe;
}
