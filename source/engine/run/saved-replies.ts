/** Replies of an attempt that was cut short: the next attempt starts with them, and resumes where it was cut. */
import type { RunStore } from "../log/run-store.ts";
import type { SavedReply, TaskContext } from "../strategy.ts";
import type { Chunk, Step, Task, TaskEvent } from "../types.ts";

type Prompt = Extract<Step, { readonly type: "prompt" }>;

/** A request whose reply is complete, and that reply. */
export type SavedRequest = { readonly prompt: Prompt; readonly reply: SavedReply };

/** What the models of those of these tasks that were stopped had replied. */
export function interruptedTasks(
  store: Pick<RunStore, "table" | "tasks">,
  tasks: readonly Task[],
): ReadonlyMap<string, readonly SavedRequest[]> {
  const cut = tasks.filter(({ id }) => {
    const row = store.table.row(id);
    return row?.state === "running" || (row?.state === "failed" && row.failure?.kind === "stopped");
  });
  if (cut.length === 0) return new Map();
  const events = store.tasks(new Set(cut.map(({ id }) => id)));
  return new Map([...events].map(([task, own]) => [task, interruptedRequests(own)]));
}

/**
 * The requests, from the first on, that were answered before a task was stopped or the program was killed; none where its
 * last attempt came to an end of its own. An attempt that was cut while it repeated an earlier one is passed over for that one.
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

function wasCut(attempt: readonly TaskEvent[]): boolean {
  return attempt.every((event) => event.type !== "scored" && (event.type !== "failed" || isStop(event)));
}

const isStop = ({ failure }: Extract<TaskEvent, { readonly type: "failed" }>) => failure.kind === "stopped";

/** Up to the first request that has no complete reply, or that the judge was asked: scoring begins there. */
function answeredRequests(attempt: readonly TaskEvent[]): SavedRequest[] {
  const prompts = attempt.filter((event) => event.type === "prompt");
  const requests: SavedRequest[] = [];
  for (const prompt of prompts) {
    const reply = replyTo(prompt, attempt);
    if (prompt.request !== requests.length || prompt.role === "judge" || reply === undefined) break;
    requests.push({ prompt, reply });
  }
  return requests;
}

/** What was streamed after the last retry; undefined where it was cut. */
function replyTo(prompt: Prompt & TaskEvent, attempt: readonly TaskEvent[]): SavedReply | undefined {
  let chunks: Chunk[] = [];
  let to: number | undefined;
  for (const event of attempt) {
    if (!("request" in event) || event.request !== prompt.request || event.type === "prompt") continue;
    const { seq: _, at, task: __, request: ___, ...chunk } = event;
    if (chunk.type === "retry") chunks = [];
    else chunks.push(chunk);
    if (chunk.type === "finish") to = at;
  }
  return to === undefined ? undefined : { chunks, took: prompt.saved ?? to - prompt.at };
}

/** Answers as these requests were as long as the same is asked; from the first that differs, everything is sent. */
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
