/** Saved replies: an interrupted attempt resumes with them, and a fork begins with those of its original run. */
import type { SavedReply, TaskContext } from "../strategy.ts";
import type { Chunk, Step, TaskEvent, Fork, Message } from "../types.ts";
import { join } from "node:path";
import { readTask } from "../log/file/indexed-log.ts";
import { Problem } from "../problem.ts";
import { counted } from "../text/counted.ts";

type Prompt = Extract<Step, { readonly type: "prompt" }>;

/** A request and its reply, as far as it was received. */
export type SavedRequest = { readonly prompt: Prompt; readonly reply: SavedReply & { readonly whole: boolean } };

/** Returns the last attempt; a task that was stopped and run again has started twice. */
export function lastAttempt(events: readonly TaskEvent[]): readonly TaskEvent[] {
  return events.slice(
    Math.max(
      0,
      events.findLastIndex(({ type }) => type === "started"),
    ),
  );
}

/** Returns the requests of an attempt in order, with their replies. */
export function savedRequests(attempt: readonly TaskEvent[]): readonly SavedRequest[] {
  const parts = Map.groupBy(attempt.filter(isPart), ({ request }) => request);
  return attempt.flatMap((event) =>
    event.type === "prompt" ? [{ prompt: event, reply: replyTo(event, parts.get(event.request) ?? []) }] : [],
  );
}

/**
 * Returns the leading requests that were answered before a task was stopped or the program was killed; none if its last attempt
 * ended by itself. Prefers an earlier attempt to one that was interrupted while repeating it.
 */
export function interruptedRequests(events: readonly TaskEvent[]): readonly SavedRequest[] {
  let longest: readonly SavedRequest[] = [];
  let end = events.length;
  for (let from = end - 1; from >= 0; from--) {
    if (events[from]!.type !== "started") continue;
    const attempt = events.slice(from, end);
    if (!wasCut(attempt)) break;
    const requests = answeredRequests(attempt);
    if (requests.length > longest.length) longest = requests;
    end = from;
  }
  return longest;
}

const wasCut = (attempt: readonly TaskEvent[]): boolean =>
  attempt.every((event) => event.type !== "scored" && (event.type !== "failed" || isStop(event)));

const isStop = ({ failure }: Extract<TaskEvent, { readonly type: "failed" }>) => failure.kind === "stopped";

/** Returns requests up to the first without a complete reply or to the judge, with which scoring begins. */
function answeredRequests(attempt: readonly TaskEvent[]): readonly SavedRequest[] {
  const requests = savedRequests(attempt);
  const end = requests.findIndex(
    ({ prompt, reply }, index) => prompt.request !== index || prompt.role === "judge" || !reply.whole,
  );
  return end < 0 ? requests : requests.slice(0, end);
}

/** An event of a reply. */
type Part = TaskEvent & Chunk & { readonly request: number };

const isPart = (event: TaskEvent): event is Part => "request" in event && event.type !== "prompt";

/** Returns the reply streamed after the last retry. */
function replyTo(prompt: Prompt & TaskEvent, parts: readonly Part[]): SavedRequest["reply"] {
  let chunks: Chunk[] = [];
  let to = prompt.at;
  for (const event of parts) {
    const { seq: _, at, task: __, request: ___, ...chunk } = event;
    if (chunk.type === "retry") chunks = [];
    else chunks.push(chunk);
    to = at;
  }
  const whole = chunks.some(({ type }) => type === "finish");
  return { model: prompt.model, chunks, took: prompt.saved ?? to - prompt.at, whole };
}

/** Answers with these requests' replies as long as the requests are equal; from the first difference on, everything is sent. */
export function repeatedReplies(requests: readonly SavedRequest[]): NonNullable<TaskContext["saved"]> {
  let left = requests.length;
  return (prompt) => {
    const saved = prompt.request < left ? requests[prompt.request] : undefined;
    if (saved !== undefined && asked(saved.prompt) === asked(prompt)) return saved.reply;
    left = 0;
    return undefined;
  };
}

const asked = ({ role, stage, model, messages, tools }: Prompt) =>
  JSON.stringify([role, stage, model, messages, tools]);

/** Returns the replies that a fork repeats from its original run, whatever it asks. Throws if that run has no such request. */
export function forkedRequests({ run, task, request }: Fork, folder: string): readonly SavedRequest[] {
  const events = readTask(join(folder, "runs", run, "events.jsonl"), task);
  const requests = savedRequests(lastAttempt(events));
  if (requests.length > request) return requests.slice(0, request);
  throw new Problem(
    "tool",
    `Expected run \`${run}\` to have a request ${request} for task \`${task}\`, found ${counted(requests.length, "request")}`,
  );
}

/** Replaces the last user message of the forked request by the edited one. */
export function rewriteFor({ request: at, message }: Fork): NonNullable<TaskContext["rewrite"]> {
  return (request, messages) => {
    if (message === undefined || request !== at) return messages;
    const index = messages.findLastIndex(({ role }) => role === "user");
    const edited: Message = { role: "user", content: message };
    return index < 0 ? [...messages, edited] : messages.with(index, edited);
  };
}
