/** Causes in words. */
import { printable } from "../../text/printable.ts";
import { endText } from "../run-words.ts";
import { readAnyway } from "./cause-beside.ts";
import type { Cause, CauseName, Row } from "../../types.ts";

/** Titles of causes in figures. */
export const causeTitles: Readonly<Record<CauseName, string>> = {
  read: "Read",
  cut: "Cut",
  wrapped: "Wrapped",
  "other-form": "Other form",
  "no-call": "No call",
  "unknown-tool": "Unknown tool",
  empty: "Empty",
  refused: "Refused",
  repeats: "Repeats itself",
  echo: "Echoes its prompt",
  context: "Out of context",
  limit: "Ended by a limit",
  environment: "Environment failed",
};

/** The meaning of each cause, in a sentence. */
export const causeNotes: Readonly<Record<CauseName, string>> = {
  read: "The answer could be read, so its mistakes are the model's",
  cut: "The reply reached the limit of tokens before its answer was complete",
  wrapped: "The answer is in the reply, but the official parser rejects or misreads the text around it",
  "other-form": "The official parser finds no answer in the reply",
  "no-call": "Functions were offered, but none was called",
  "unknown-tool": "A function was called that was not offered",
  empty: "The reply has neither text nor a call",
  refused: "The model or a content filter refused",
  repeats: "The reply repeats the same text many times",
  echo: "The reply repeats its prompt",
  context: "The next request did not fit the model's context",
  limit: "A limit on steps, requests, budget or time ended the task",
  environment: "Something other than the evaluated model failed",
};

/** Causes of unread answers. */
const unread: ReadonlySet<CauseName> = new Set([
  "cut",
  "wrapped",
  "other-form",
  "no-call",
  "unknown-tool",
  "empty",
  "refused",
  "repeats",
  "echo",
]);

export const isUnread = ({ cause }: Pick<Row, "cause">): boolean => cause !== undefined && unread.has(cause.cause);

/** Returns whether a task was scored although no reply came before it failed; such a task has no cause. */
const hadNoReply = ({ cause, failure, score }: Ended): boolean =>
  cause === undefined && failure !== undefined && score !== undefined;

type Ended = Pick<Row, "cause" | "failure" | "score">;

/** Returns whether the mistakes of a row count: mistakes of an unread answer do not. */
export const hasOwnMistakes = (row: Ended): boolean =>
  row.cause === undefined ? !hadNoReply(row) : row.cause.cause === "read";

/** Returns the reason why the mistakes of a task are meaningless; undefined if they are meaningful. */
export function endingText(row: Ended): string | undefined {
  if (hadNoReply(row)) return printable(`no reply (${endText(row.failure!.message)})`);
  return row.cause === undefined || row.cause.cause === "read" ? undefined : causeText(row.cause);
}

const [silent, limited] = ["without a reply", "by a limit"];

/**
 * Returns how a scored task ended before its answer was complete, with the limit; undefined if it ended normally or exceeded the
 * context.
 */
export function earlyEnding(row: Ended): string | undefined {
  if (row.failure?.kind === "context") return undefined;
  const which = (text = "") => (text === "" ? "" : printable(` (${endText(text)})`));
  if (hadNoReply(row)) return `${silent}${which(row.failure!.message)}`;
  return row.cause?.cause === "limit" && row.score !== undefined ? `${limited}${which(row.cause.detail)}` : undefined;
}

/** Describes a cause with its detail: `cut at 200 tokens`, `wrapped (fence)`. */
export function causeText({ cause, detail }: Pick<Cause, "cause" | "detail">): string {
  const brief = briefCause({ cause, ...(detail !== undefined && { detail }) });
  if (detail === undefined || cause === "cut") return brief;
  const limit = /^cut, too \((.+)\)$/.exec(detail)?.[1];
  const more = limit === undefined ? (cause === "limit" ? endText(detail) : detail) : `also ${cutText(limit)}`;
  return printable(`${brief} (${more})`);
}

/**
 * Returns why an answer was not read, with further facts: `Not read: other form; prose instead of a list in JSON`. The official
 * program may have read something from an answer that is none.
 */
export function unreadCause(cause: Cause, beside: readonly string[]): string {
  const head = beside.includes(readAnyway) ? "Not an answer" : "Not read";
  return `${head}: ${[causeText(cause), ...beside].join("; ")}`;
}

/** A cause as text without its detail: `cut at 200 tokens`, `wrapped`. */
export function briefCause({ cause, detail }: Pick<Cause, "cause" | "detail">): string {
  const title = causeTitles[cause].toLowerCase();
  return cause !== "cut" || detail === undefined ? title : cutText(detail);
}

function cutText(limit: string): string {
  const tokens = /^maxTokens (\d+)$/.exec(limit)?.[1];
  return tokens === undefined ? `cut at ${limit}` : `cut at ${tokens} tokens`;
}

/** Returns how many answers ended for a cause: `1 repeats itself`, `2 repeat themselves`, `3 cut at 100 tokens`. */
export const countedCause = (count: number, why: string): string =>
  `${count} ${count === 1 ? why : why.replace("repeats itself", "repeat themselves").replace("echoes its prompt", "echo their prompts")}`;

/**
 * Describes how many answers were not read, and how many tasks ended early, with the reasons: `12 of 50 not read: 9 cut at 200
 * tokens, 3 wrapped`; undefined if there are no such tasks.
 */
export function unreadText(causes: Readonly<Record<string, number>>, ended: number): string | undefined {
  const counts = Object.entries(causes).toSorted(([, one], [, other]) => other - one);
  const { early = [], unread = [] } = Object.groupBy(counts, ([why]) =>
    why.startsWith(silent) || why.startsWith(limited) ? "early" : "unread",
  );
  const sentence = (parts: typeof counts, what: string) => {
    const count = parts.reduce((sum, [, own]) => sum + own, 0);
    return count === 0
      ? []
      : [`${count} of ${ended} ${what}: ${parts.map(([why, own]) => countedCause(own, why)).join(", ")}`];
  };
  const sentences = [...sentence(unread, "not read"), ...sentence(early, "ended early")];
  return sentences.length === 0 ? undefined : sentences.join("; ");
}
