/** Classifies errors of the client and the network. */
import { APIConnectionError, APIError, OpenAIError } from "openai";
import { BuiltinFailure } from "../problem.ts";
import { NoReply, StreamedError } from "./reply-body.ts";
import type { RequestFailure } from "../limits/retry-policy.ts";
import { retryAfter } from "../limits/retry-policy.ts";
import { MalformedChunk } from "../replies/streamed-reply.ts";

/** Returns undefined for a bug, which the caller rethrows. Throws errors of a built-in model. */
export function requestFailureOf(error: unknown): RequestFailure | undefined {
  if (error instanceof APIConnectionError && error.cause instanceof BuiltinFailure) throw error.cause.cause;
  if (error instanceof APIConnectionError)
    return { kind: "broken", status: undefined, error: `no connection: ${deepestReason(error)}`, away: true };
  if (error instanceof APIError) return answered(error);
  if (error instanceof StreamedError)
    return answered(new APIError(undefined, error.error as object, undefined, undefined));
  if (error instanceof NoReply) return insteadOfReply(error);
  if (error instanceof MalformedChunk) return broken(`malformed stream: ${error.message}`);
  if (error instanceof SyntaxError) return broken("malformed stream: a chunk is not JSON");
  // Fetch reports a truncated body as `TypeError: terminated`; on choices of the wrong shape the client throws a TypeError
  // of its own.
  if (error instanceof TypeError && (error.message === "terminated" || error.cause !== undefined))
    return broken(`the stream broke off: ${deepestReason(error)}`);
  if (error instanceof TypeError) return broken(`malformed stream: ${error.message}`);
  if (error instanceof OpenAIError || (error instanceof Error && "code" in error)) return broken(error.message);
  return undefined;
}

const broken = (error: string, status?: number): RequestFailure => ({ kind: "broken", status, error });

/** Describes an error of the server, as a status or in the middle of a stream; its code or type may contain a status. */
function answered(error: APIError): RequestFailure {
  const status = error.status ?? statusNamed(error.code, error.type);
  return { ...ofStatus(status, error, error.message, error.headers), ...namesOf(error) };
}

/** Describes an error, or a page, in place of a reply. Without a status, the next request would fail in the same way. */
function insteadOfReply({ error, message }: NoReply): RequestFailure {
  const fields = (typeof error === "object" && error !== null ? error : {}) as { code?: unknown; type?: unknown };
  const status = statusNamed(fields.code, fields.type);
  if (status === undefined) return { kind: "refused", status, error: message, hopeless: true };
  // The address exists and the model may follow: it is being loaded, or another copy has it.
  if (status === 404) return broken(`${status} ${message}`, status);
  return ofStatus(status, fields, `${status} ${message}`, undefined);
}

/** Statuses of client errors for which another attempt may succeed. */
const passing = new Set([408, 409]);
/** Status codes of failures that repeat for every request: no credit, or no server that could answer. */
const final = new Set([402, 501]);

/** Values that the server sends separately from its message. */
function namesOf({ param, code }: APIError): Pick<RequestFailure, "field" | "code"> {
  return { ...(param == null ? {} : { field: param }), ...(typeof code === "string" && { code }) };
}

/**
 * Matches errors about features that the model or server lacks for all requests of a run, but not errors about a value or message
 * of one request.
 */
const unableTo =
  /does(?: not|n't) support (?:the )?[`'"]?(?:(?:openai |llm )?(?:chat|completions?|generat(?:e|ion)|streaming|responses|embeddings?)|tools?|tool (?:use|calls?|calling)|functions?|function calling)\b(?!_)/i;

/** Statuses with which a proxy in front of a restarting server answers. */
const starting = new Set([502, 503, 504]);

function ofStatus(
  status: number | undefined,
  { code, type }: { readonly code?: unknown; readonly type?: unknown },
  error: string,
  headers: Headers | undefined,
): RequestFailure {
  const unpaid =
    code === "insufficient_quota" || type === "insufficient_quota" || /credit balance is too low/.test(error);
  const unable = status !== undefined && status >= 400 && unableTo.test(error);
  if (unpaid || unable || (status !== undefined && final.has(status)))
    return { kind: "refused", status, error, hopeless: true };
  const away = status !== undefined && starting.has(status) ? ({ away: true } as const) : {};
  if (status === 429 || status === 503 || status === 529)
    return { kind: "busy", status, error, retryAfter: retryAfterOf(headers), ...away };
  // A redirect that is not followed leads elsewhere every time.
  if (status !== undefined && status >= 300 && status < 500 && !passing.has(status))
    return { kind: "refused", status, error };
  return { kind: "broken", status, error, ...away };
}

function retryAfterOf(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get("retry-after-ms")?.trim() ?? "";
  const number = Number(milliseconds);
  if (milliseconds !== "" && Number.isFinite(number) && number >= 0) return Math.round(number);
  return retryAfter(headers?.get("retry-after"));
}

/** Words in `code` and `type` that mean a status. */
const statusWords: readonly (readonly [RegExp, number])[] = [
  [/^insufficient_quota$|^billing_error$/, 402],
  [/overloaded|unavailable/i, 529],
  [/rate_?limit|too_?many/i, 429],
  [/server_?error|^api_?error$|bad_?gateway/i, 500],
  [/timeout/i, 408],
  [/authentication|unauthorized|invalid_api_key/i, 401],
  [/permission|forbidden/i, 403],
  [/not_?found/i, 404],
  [/invalid_?request|bad_?request|invalid_?argument/i, 400],
];

function statusNamed(...names: readonly unknown[]): number | undefined {
  for (const name of names) {
    const number = typeof name === "number" || typeof name === "string" ? Number(name) : Number.NaN;
    if (Number.isInteger(number) && number >= 400 && number < 600) return number;
    const word = typeof name === "string" ? statusWords.find(([pattern]) => pattern.test(name)) : undefined;
    if (word !== undefined) return word[1];
  }
  return undefined;
}

/** Returns the innermost cause with a message, because `fetch failed` alone is not informative. */
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
