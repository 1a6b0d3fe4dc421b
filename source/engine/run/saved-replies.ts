/** Saved replies and results: an interrupted attempt resumes with them, and a fork starts with those of its original run. */
import type { LoggedResults, SavedReply, SavedResult, TaskContext } from "../strategy.ts";
import type { Chunk, Step, TaskEvent, Fork, ToolCall } from "../types.ts";
import { hash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readTask } from "../log/file/indexed-log.ts";
import { TextCalls } from "../models/replies/text-calls.ts";
import { Problem } from "../problem.ts";
import { counted } from "../text/counted.ts";

type Prompt = Extract<Step, { readonly type: "prompt" }>;

/** A request and the part of its reply that was received. */
export type SavedRequest = {
  readonly prompt: Prompt;
  readonly reply: SavedReply & { readonly whole: boolean };
  /** Results of tools between this request and the next request; the first request also has earlier results. */
  readonly results?: readonly SavedResult[];
};

/** The parts of its original that a fork reuses: the requests before its start, and later tool results. */
export type ForkedStart = {
  readonly requests: readonly SavedRequest[];
  readonly later: readonly SavedResult[];
};

/** Returns the last attempt; a task that was stopped and run again has started twice. */
export const lastAttempt = (events: readonly TaskEvent[]): readonly TaskEvent[] =>
  events.slice(
    Math.max(
      0,
      events.findLastIndex(({ type }) => type === "started"),
    ),
  );

/** Returns the requests of an attempt in order, with their replies. */
export function savedRequests(attempt: readonly TaskEvent[]): readonly SavedRequest[] {
  const parts = Map.groupBy(attempt.filter(isPart), ({ request }) => request);
  const results = Map.groupBy(savedResults(attempt), ({ after }) => Math.max(0, after - 1));
  const resultsAt = (index: number) => results.get(index)?.map(({ result }) => result);
  return attempt
    .filter((event) => event.type === "prompt")
    .map((prompt, index) => {
      const own = resultsAt(index);
      return { prompt, reply: replyTo(prompt, parts.get(prompt.request) ?? []), ...(own && { results: own }) };
    });
}

/** Returns the results of tools in an attempt, each with the number of requests before it. */
function savedResults(
  attempt: readonly TaskEvent[],
): readonly { readonly result: SavedResult; readonly after: number }[] {
  const calls = new Map<string, ToolCall>();
  let after = 0;
  return attempt.flatMap((event, index) => {
    if (event.type === "prompt") after += 1;
    if (event.type === "call") calls.set(event.call.id, event.call);
    if (event.type !== "result") return [];
    const { callId, name, result, at, saved } = event;
    const call = calls.get(callId);
    const text = call?.name === name ? { text: call.text } : {};
    return [{ result: { name, ...text, result, took: saved ?? at - attempt[index - 1]!.at }, after }];
  });
}

/**
 * Returns the first requests, in order, that got replies before a task was stopped or the program was killed; empty if its last
 * attempt was not interrupted. Prefers an earlier attempt to an attempt that was interrupted while repeating it.
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

/** Returns requests up to the first without a complete reply, or the first to the judge, because scoring starts with it. */
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

/**
 * Answers requests with these saved replies as long as the requests are equal. From the first difference on, all requests are
 * sent.
 */
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

/** Returns 16 hexadecimal digits that are equal for attempts that began with these requests and replies. */
export function attemptId(requests: readonly SavedRequest[]): string {
  const said = requests.map(({ prompt, reply }) => [asked(prompt), reply.chunks]);
  return hash("sha256", JSON.stringify(said)).slice(0, 16);
}

/**
 * Returns the part of the original run that a fork repeats. Throws if that run lacks the request or result, or no longer has the
 * attempt that the fork names.
 */
export function forkedStart(fork: Fork, attemptsAt: SavedAttempts): ForkedStart {
  const { run, task, request, attempt, message, reply } = fork;
  const attempts = attemptsAt(run, task, attempt !== undefined);
  // A fork may also leave a task behind its last request: one that is held, or with another result.
  const least = message === undefined && reply === undefined ? request : request + 1;
  const begins = (each: readonly SavedRequest[]) =>
    each.length >= least && (attempt === undefined || attemptId(each.slice(0, request)) === attempt);
  const requests = attempts.find(begins);
  if (requests !== undefined) return startOf(fork, requests);
  const most = Math.max(0, ...attempts.map(({ length }) => length));
  const which = attempt === undefined ? "" : ` after the requests of attempt \`${attempt}\``;
  throw new Problem(
    "tool",
    `Expected run \`${run}\` to have a request ${request}${which} for task \`${task}\`, found ${counted(most, "request")}`,
  );
}

/**
 * Returns the attempts at a task of a saved run, the last attempt first: all attempts, or the last attempt under each scoring.
 */
export type SavedAttempts = (run: string, task: string, all: boolean) => readonly (readonly SavedRequest[])[];

/** Maximum number of tasks whose attempts are kept in memory. Few suffice, because forks of the same task follow one another. */
const mostKept = 16;

/** Returns a reader of the attempts in the `runs` of this session folder. */
export function savedAttempts(folder: string): SavedAttempts {
  const runs = join(folder, "runs");
  const kept = new Map<string, ReturnType<SavedAttempts>>();
  return (run, task, all) => {
    const key = `${run} ${all} ${task}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    // The answer may have been given under any scoring.
    const folders = existsSync(runs)
      ? readdirSync(runs).filter((name) => name === run || name.startsWith(`${run}.`))
      : [];
    const attempts = folders.toSorted().flatMap((name) => {
      const events = readTask(join(runs, name, "events.jsonl"), task);
      return (all ? attemptsIn(events) : [lastAttempt(events)]).map(savedRequests);
    });
    kept.set(key, attempts);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    return attempts;
  };
}

function startOf(fork: Fork, all: readonly SavedRequest[]): ForkedStart {
  const { request, reply } = fork;
  const later = all.slice(request).flatMap(({ results = [] }) => results);
  const before = withResult(fork, all.slice(0, request));
  return { requests: reply === undefined ? before : [...before, written(all[request]!, reply)], later };
}

/** Replaces the result that the fork names by the fork's result. */
function withResult({ task, request, result, index }: Fork, requests: readonly SavedRequest[]) {
  if (result === undefined) return requests;
  const last = requests.at(-1);
  const results = last?.results ?? [];
  const at = index ?? results.length - 1;
  const replaced = results[at];
  if (last === undefined || replaced === undefined)
    throw new Problem(
      "tool",
      `Expected a tool to have returned result ${Math.max(0, at)} before request ${request} of task \`${task}\`, found ${counted(results.length, "result")}`,
    );
  // Other fields of the tool's result would contradict the new text.
  const { value: _, ...kept } = replaced.result;
  const own = { ...replaced, result: { ...kept, observation: result }, replaced: true } as const;
  return requests.with(-1, { ...last, results: results.with(at, own) });
}

/** Returns a reply as a person has written it; its calls are read from the text, as for a model without function calls. */
function written({ prompt, reply }: SavedRequest, text: string): SavedRequest {
  const tools = prompt.tools ?? [];
  const acts = tools.length > 0 || reply.chunks.some(({ type }) => type === "call");
  const reader = new TextCalls(tools.map(({ name }) => name));
  const certain = acts ? reader.take(text) : text;
  const { text: rest, calls } = acts ? reader.end(true) : { text: "", calls: [] };
  const said = `${certain}${rest}`;
  const chunks: Chunk[] = [
    ...(said === "" ? [] : [{ type: "text", text: said } as const]),
    ...calls.map((call) => ({ type: "call", call }) as const),
    { type: "usage", input: 0, output: 0, estimated: false },
    { type: "finish", reason: calls.length > 0 ? "tool_calls" : "stop" },
  ];
  return { prompt, reply: { model: reply.model, chunks, took: 0, whole: true, replaced: true } };
}

/** Returns all attempts, the last one first. */
function attemptsIn(events: readonly TaskEvent[]): readonly (readonly TaskEvent[])[] {
  const starts = events.flatMap(({ type }, at) => (type === "started" ? [at] : []));
  return starts.map((from, at) => events.slice(from, starts[at + 1])).toReversed();
}

/** Replaces the message of the forked request that the fork names, or the user's last message. */
export const rewriteFor =
  ({ request: at, message, index }: Fork): NonNullable<TaskContext["rewrite"]> =>
  (request, messages) => {
    if (message === undefined || request !== at) return messages;
    const place = index ?? messages.findLastIndex(({ role }) => role === "user");
    const named = messages[place];
    if (named !== undefined) return messages.with(place, { ...named, content: message });
    if (index === undefined) return [...messages, { role: "user", content: message }];
    throw new Problem(
      "tool",
      `Expected request ${at} to have a message ${index}, found ${counted(messages.length, "message")}`,
    );
  };

type Repeated = {
  readonly forked: ForkedStart | undefined;
  /** The requests of an interrupted attempt, or undefined. */
  readonly cut: readonly SavedRequest[] | undefined;
};

/** Repeats saved parts of a task: first those that a fork reuses, then the replies of an interrupted attempt. */
export class RepeatedTask {
  readonly #forked: ForkedStart | undefined;
  readonly #cut: readonly SavedRequest[];
  readonly #resumed: TaskContext["saved"];
  /** Results of the repeated replies that no call has asked for yet. */
  readonly #due: { readonly result: SavedResult; readonly isRepeated: boolean }[] = [];
  /** The original's next results, which are dropped at the first call that differs from the original's call. */
  #later: SavedResult[];
  #unmade = 0;

  constructor({ forked, cut }: Repeated) {
    this.#forked = forked;
    this.#cut = cut ?? [];
    this.#resumed = cut === undefined ? undefined : repeatedReplies(cut);
    this.#later = [...(forked?.later ?? [])];
  }

  /** Absent if there are no saved replies. */
  get saved(): TaskContext["saved"] {
    return this.#forked === undefined ? this.#resumed : (prompt) => this.#reply(prompt);
  }

  #reply(prompt: Prompt): SavedReply | undefined {
    const forked = this.#forked?.requests[prompt.request];
    const reply = forked?.reply ?? this.#resumed?.(prompt);
    const { results = [] } = (reply && (forked ?? this.#cut[prompt.request])) ?? {};
    for (const result of results) this.#due.push({ result, isRepeated: forked !== undefined });
    return reply;
  }

  /**
   * The saved results for a fork. An interrupted task has none, because it makes its calls again to restore the state of its
   * tools.
   */
  get logged(): LoggedResults | undefined {
    if (this.#forked === undefined) return undefined;
    return { of: (call, isOutside) => this.#result(call, isOutside), unmade: () => this.#takeUnmade() };
  }

  #result(call: ToolCall, isOutside: boolean): SavedResult | undefined {
    const at = this.#due.findIndex(
      ({ result: { name, text } }) => name === call.name && (text ?? call.text) === call.text,
    );
    const due = at < 0 ? undefined : this.#due.splice(at, 1)[0];
    // Also the calls of an interrupted fork are followed in the log of the original.
    const next = due?.isRepeated === true ? undefined : this.#next(call, isOutside);
    const found = due?.result ?? next;
    if (found !== undefined && isOutside) this.#unmade += 1;
    return found;
  }

  /** Returns the original's next result if the call is its next call, too. */
  #next(call: ToolCall, isOutside: boolean): SavedResult | undefined {
    const next = this.#later.shift();
    if (next?.name === call.name && next.text === call.text) return isOutside ? next : undefined;
    this.#later = [];
    return undefined;
  }

  #takeUnmade(): number {
    const unmade = this.#unmade;
    this.#unmade = 0;
    return unmade;
  }
}
