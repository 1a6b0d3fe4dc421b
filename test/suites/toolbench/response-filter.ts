/** Classifies good and bad responses by substrings, like StableToolBench's server and ToolBench's request wrapper. */

/** Rejects a response if its lower-cased text contains any of these, even if 500 is a price. */
const rejected: readonly string[] = [
  "rate limit",
  "time out",
  "timed out",
  "does not exist",
  "404",
  "504",
  "500",
  "internal error",
  "authoriz",
  "authenticat",
  "blocked",
  "unsubscribe",
  "401",
  "403",
  "credential",
  "disabled for your subscription",
  "invalid consumer key",
  "parameter",
  "parse",
  "is not defined",
];
const rejectedAsWritten: readonly string[] = [
  "Service Not Found",
  "ACCESS_DENIED",
  "status_code=50",
  "status_code=429",
];
const noSuchApi = "{'message': \"API doesn't exists\"}";

/**
 * Reports whether the virtual server would keep a real server's answer. `response` is Python's `str()` of the response
 * field. A complaint about an unexpected argument counts as good, because the real API answers so.
 */
export function keepsRealResponse(response: string, error: string): boolean {
  if (error !== "") return false;
  const lower = response.toLowerCase();
  if (lower.includes("got an unexpected keyword argument")) return true;
  if (response === "" || response === noSuchApi) return false;
  if (rejectedAsWritten.some((part) => response.includes(part))) return false;
  return !rejected.some((part) => lower.includes(part));
}

export type Labelled = {
  readonly error: string;
  /** True if the wrapper would cache the response. */
  readonly keep: boolean;
  /** True if the wrapper would retry with another key. */
  readonly switchKey: boolean;
};

/** In the wrapper's order; the first match decides. */
const labels: readonly { readonly parts: readonly string[]; readonly labelled: Labelled }[] = [
  {
    parts: ["Your Client (working) ---> Gateway (working) ---> API (not working)"],
    labelled: { error: "API not working error...", keep: false, switchKey: false },
  },
  {
    parts: ["Unauthorized", "unauthorized"],
    labelled: { error: "Unauthorized error...", keep: true, switchKey: false },
  },
  {
    parts: ["You are not subscribed to this API."],
    labelled: { error: "Unsubscribed error...", keep: false, switchKey: true },
  },
  { parts: ["Too many requests"], labelled: { error: "Too many requests error...", keep: false, switchKey: true } },
  {
    parts: [
      "You have exceeded",
      "you are being rate limited",
      "Access restricted. Check credits balance or enter the correct API key.",
    ],
    labelled: { error: "Rate limit error...", keep: false, switchKey: true },
  },
  {
    parts: ["Oops, an error in the gateway has occurred."],
    labelled: { error: "Gateway error...", keep: false, switchKey: true },
  },
  {
    parts: ["Blocked User. Please contact your API provider."],
    labelled: { error: "Blocked error...", keep: false, switchKey: true },
  },
  { parts: ["error"], labelled: { error: "Message error...", keep: false, switchKey: false } },
];

/**
 * Returns the error text that the request wrapper adds to a response. Its label for time-outs is always overwritten, so
 * it is missing here.
 */
export function labelResponse(response: string): Labelled {
  for (const { parts, labelled } of labels) if (parts.some((part) => response.includes(part))) return labelled;
  return { error: "", keep: true, switchKey: false };
}
