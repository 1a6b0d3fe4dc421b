/** Decides how to continue after a request failure: wait and retry, or give up. */
import { counted } from "../../text/counted.ts";

/** A failed attempt. */
export type RequestFailure = {
  readonly status: number | undefined;
  readonly error: string;
  /** `busy`: the server is overloaded; `broken`: possibly transient; `refused`: permanent. */
  readonly kind: "busy" | "broken" | "refused";
  /** True if no server answered, or only a proxy; the server may be restarting. */
  readonly away?: boolean;
  /** The server's own name for the error, if it sent one. */
  readonly code?: string;
  /** The request's field that the server names separately from its message. */
  readonly field?: string | undefined;
  /** Change for the next attempt, if the failure itself indicates it. */
  readonly without?: "stop-here";
  /** True if no other request to this model can succeed, so that the run ends at once. */
  readonly hopeless?: true;
  /** Milliseconds from the server's Retry-After. */
  readonly retryAfter?: number | undefined;
};

export type RetryPolicy = {
  /** Limit of attempts that fail as `broken`. */
  readonly attempts: number;
  /** Limit of attempts that fail as `busy`. */
  readonly busyAttempts: number;
  /** First wait in milliseconds; it doubles after each failure. */
  readonly firstWait: number;
  /** Longest wait without a Retry-After. */
  readonly longestWait: number;
  /** Longest wait for an endpoint that answered before. */
  readonly longestOutageWait: number;
  /** Maximum `Retry-After` that is waited for. If the server sends a longer time, the request fails. */
  readonly longestRetryAfter: number;
};

export const defaultPolicy: RetryPolicy = {
  attempts: 6,
  busyAttempts: 20,
  firstWait: 500,
  longestWait: 30_000,
  longestOutageWait: 10_000,
  longestRetryAfter: 15 * 60_000,
};

/**
 * Returns the milliseconds until the next attempt, or the reason for giving up. `attempt` is the number of attempts made, `busy`
 * the number of attempts that failed as `busy`. Exponential backoff with jitter: each wait is drawn between half of it and all of
 * it, so that many requests are not retried at the same moment.
 */
export function nextWait(
  policy: RetryPolicy,
  failure: RequestFailure,
  { attempt, busy }: { readonly attempt: number; readonly busy: number },
  random: () => number = Math.random,
): { readonly wait: number } | { readonly giveUp: string } {
  if (failure.kind === "refused") return { giveUp: "" };
  const exhausted = failure.kind === "busy" ? busy >= policy.busyAttempts : attempt - busy >= policy.attempts;
  if (exhausted) return { giveUp: attempt === 1 ? "" : `after ${attempt} attempts` };
  if (failure.retryAfter !== undefined) {
    if (failure.retryAfter > policy.longestRetryAfter)
      return { giveUp: `and asks to wait ${counted(Math.round(failure.retryAfter / 1000), "second")}` };
    return { wait: failure.retryAfter };
  }
  const doublings = failure.kind === "busy" ? busy - 1 : attempt - busy - 1;
  const whole = Math.min(policy.longestWait, policy.firstWait * 2 ** Math.max(0, doublings));
  return { wait: Math.round(whole * (0.5 + random() / 2)) };
}

/**
 * Returns milliseconds until the next request to an unreachable endpoint, after `asked` requests, if `left` milliseconds remain
 * for waiting.
 */
export function outageWait(
  policy: RetryPolicy,
  { retryAfter: after }: RequestFailure,
  { asked, left }: { readonly asked: number; readonly left: number },
): number {
  const whole = Math.min(policy.longestOutageWait, policy.firstWait * 2 ** Math.max(0, asked - 1));
  return Math.min(left, after ?? Math.round(whole * (0.5 + Math.random() / 2)));
}

/** Returns milliseconds from a Retry-After header with seconds or an HTTP date; undefined if it contains neither. */
export function retryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  if (header === null || header === undefined) return undefined;
  const text = header.trim();
  if (text === "") return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : Math.round(seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Matches context-length errors of OpenAI, vLLM, SGLang, llama.cpp, TGI, Anthropic, Gemini, Mistral, Bedrock and Groq. */
const wordings: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size_error|contextwindowexceeded/,
  /(maximum|max) context length/,
  /(exceeds?|longer than|larger than|beyond|outside) (of )?(the |its )?(available |maximum |model's |models )*(context|(input|model|sequence) length)/,
  /(context|model) (length|window|size)( limit)? (is |was )?(exceeded|too small)/,
  /prompt (is )?too long|input is too long|input length .{0,60} exceeds/,
  /input token count .{0,60} exceeds/,
  /`inputs` (tokens \+|must have less than)/,
  /reduce the length of the (messages|prompt|input)/,
];

/**
 * Returns whether the prompt was too long. A limit of tokens per minute also mentions tokens, but has another status or an
 * explicit message.
 */
export function isTooLong({ kind, status, error, code = "" }: RequestFailure): boolean {
  if (kind !== "refused" || status === undefined || ![400, 413, 422].includes(status)) return false;
  const words = `${code} ${error.slice(0, 2000)}`.toLowerCase();
  return !/per (minute|day|hour)/.test(words) && wordings.some((wording) => wording.test(words));
}
