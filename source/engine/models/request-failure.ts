/** Classifies errors of the client and the network. */
import { APIConnectionError, APIError, OpenAIError } from "openai";
import { BuiltinFailure } from "./problem.ts";
import type { RequestFailure } from "./retry-policy.ts";
import { retryAfter } from "./retry-policy.ts";
import { MalformedChunk } from "./streamed-reply.ts";

/** Undefined for an error that is a bug, to be rethrown. Throws what a built-in model threw. */
export function requestFailureOf(error: unknown): RequestFailure | undefined {
  if (error instanceof APIConnectionError && error.cause instanceof BuiltinFailure) throw error.cause.cause;
  if (error instanceof APIConnectionError)
    return { kind: "broken", status: undefined, error: `no connection: ${deepestReason(error)}`, away: true };
  if (error instanceof APIError) return answered(error);
  if (error instanceof MalformedChunk) return broken(`malformed stream: ${error.message}`);
  if (error instanceof SyntaxError) return broken("malformed stream: a chunk that is not JSON");
  // Fetch reports a truncated body as `TypeError: terminated`; on choices of the wrong shape the client throws a TypeError
  // of its own.
  if (error instanceof TypeError && (error.message === "terminated" || error.cause !== undefined))
    return broken(`the stream broke off: ${deepestReason(error)}`);
  if (error instanceof TypeError) return broken(`malformed stream: ${error.message}`);
  if (error instanceof OpenAIError || (error instanceof Error && "code" in error)) return broken(error.message);
  return undefined;
}

function broken(error: string): RequestFailure {
  return { kind: "broken", status: undefined, error };
}

/** An error of the server, as a status or in the middle of a stream (then its `code` may be a status). */
function answered(error: APIError): RequestFailure {
  const code = Number(error.code);
  const status = error.status ?? (Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined);
  const message = error.message;
  // A proxy in front of a server that is starting anew answers with one of these.
  const away = status === 502 || status === 503 || status === 504;
  if (status === 429 || status === 503)
    return { kind: "busy", status, error: message, retryAfter: retryAfter(error.headers?.get("retry-after")), away };
  // A redirect that is not followed leads elsewhere every time.
  if (status !== undefined && status >= 300 && status < 500)
    return {
      kind: "refused",
      status,
      error: message,
      field: error.param ?? undefined,
      ...(typeof error.code === "string" && { code: error.code }),
    };
  return { kind: "broken", status, error: message, away };
}

/** The innermost cause with a message: `fetch failed` alone says nothing. */
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
