/** What to do about a request that failed: wait for the server, try again, or give up. */

/** One attempt that came to nothing. */
export type RequestFailure = {
  readonly status: number | undefined;
  readonly error: string;
  /** `busy`: the server asks for fewer requests; `broken`: trouble that may pass; `refused`: it will not pass. */
  readonly kind: "busy" | "broken" | "refused";
  /** Milliseconds the server asked to wait. */
  readonly retryAfter?: number | undefined;
};

export type RetryPolicy = {
  /** Most attempts while requests break. */
  readonly attempts: number;
  /** Most attempts while the server is busy. */
  readonly busyAttempts: number;
  /** First wait in milliseconds; each later one is twice as long. */
  readonly firstWait: number;
  /** Longest wait of our own choosing. */
  readonly longestWait: number;
  /** Longest wait a server may ask for; beyond it the request fails. */
  readonly patience: number;
};

export const usualPolicy: RetryPolicy = {
  attempts: 6,
  busyAttempts: 20,
  firstWait: 500,
  longestWait: 30_000,
  patience: 15 * 60_000,
};

/**
 * Milliseconds until the next attempt, or why there is none. `attempt` is the number of attempts made, `busy` how many of
 * them met a busy server. Own waits double and are shortened at random to between half and the whole, so that many
 * requests do not come back together.
 */
export function nextWait(
  policy: RetryPolicy,
  failure: RequestFailure,
  { attempt, busy }: { readonly attempt: number; readonly busy: number },
  random: () => number = Math.random,
): { readonly wait: number } | { readonly enough: string } {
  if (failure.kind === "refused") return { enough: "" };
  const tired = failure.kind === "busy" ? busy >= policy.busyAttempts : attempt - busy >= policy.attempts;
  if (tired) return { enough: attempt === 1 ? "" : `after ${attempt} attempts` };
  if (failure.retryAfter !== undefined) {
    if (failure.retryAfter > policy.patience)
      return { enough: `and asks to wait ${Math.round(failure.retryAfter / 1000)} seconds` };
    return { wait: failure.retryAfter };
  }
  const doublings = failure.kind === "busy" ? busy - 1 : attempt - busy - 1;
  const whole = Math.min(policy.longestWait, policy.firstWait * 2 ** Math.max(0, doublings));
  return { wait: Math.round(whole * (0.5 + random() / 2)) };
}

/** Milliseconds from a Retry-After header: seconds, or an HTTP date; undefined when it is neither. */
export function retryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  if (header === null || header === undefined) return undefined;
  const text = header.trim();
  if (text === "") return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : Math.round(seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
