/** What an error of the client or the network means for the request. */
import { APIConnectionError, APIError, OpenAIError } from "openai";
import { BuiltinFailure } from "./problem.ts";
import type { RequestFailure } from "./retry-policy.ts";
import { retryAfter } from "./retry-policy.ts";
import { MalformedChunk } from "./streamed-reply.ts";

/** Undefined for an error that is none of the world's doing: a bug, to be thrown on. Throws what a built-in model threw. */
export function requestFailureOf(error: unknown): RequestFailure | undefined {
  if (error instanceof APIConnectionError && error.cause instanceof BuiltinFailure) throw error.cause.cause;
  if (error instanceof APIConnectionError)
    return { kind: "broken", status: undefined, error: `no connection: ${deepestReason(error)}` };
  if (error instanceof APIError) return answered(error);
  if (error instanceof MalformedChunk) return broken(`malformed stream: ${error.message}`);
  if (error instanceof SyntaxError) return broken("malformed stream: a chunk that is not JSON");
  // Fetch reports a body that was cut off as `TypeError: terminated`; the client trips over choices of the wrong shape
  // with a TypeError of its own.
  if (error instanceof TypeError && (error.message === "terminated" || error.cause !== undefined))
    return broken(`the stream broke off: ${deepestReason(error)}`);
  if (error instanceof TypeError) return broken(`malformed stream: ${error.message}`);
  if (error instanceof OpenAIError || (error instanceof Error && "code" in error)) return broken(error.message);
  return undefined;
}

function broken(error: string): RequestFailure {
  return { kind: "broken", status: undefined, error };
}

/** The server answered with an error, by its status or in the middle of a stream (then its `code` may be a status). */
function answered(error: APIError): RequestFailure {
  const code = Number(error.code);
  const status = error.status ?? (Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined);
  const words = error.message;
  if (status === 429 || status === 503)
    return { kind: "busy", status, error: words, retryAfter: retryAfter(error.headers?.get("retry-after")) };
  if (status !== undefined && status >= 400 && status < 500) return { kind: "refused", status, error: words };
  return { kind: "broken", status, error: words };
}

/** The innermost cause that says something: `fetch failed` alone tells nobody anything. */
function deepestReason(error: Error): string {
  let reason = error.message;
  let here: unknown = error;
  for (let depth = 0; depth < 8 && here instanceof Error; depth++) {
    const inner: unknown = here instanceof AggregateError ? here.errors[0] : here.cause;
    reason = here.message || (here as NodeJS.ErrnoException).code || reason;
    here = inner;
  }
  return reason;
}
