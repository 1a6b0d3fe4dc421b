/**
 * The prompts of running tasks, as both writers and readers of a log remember them, so that a prompt's line contains only new
 * messages. Prompts of ended tasks are forgotten.
 */
import type { Event, Message, Role, TaskEvent, Thinking, ToolCall, ToolSpec } from "../types.ts";

/** A message in a log line: in full, or as a reference. */
export type BriefMessage =
  | Message
  /** Repeats the reply to this request, with its `calls` and `thinking` if it has any. */
  | { readonly role: "assistant"; readonly reply: number; readonly thinking?: true }
  | { readonly role: "user" | "system"; readonly reply: number }
  /** Repeats the result of this call. */
  | { readonly role: "tool"; readonly result: string }
  /** Continues the message at the same position of the earlier prompt. */
  | { readonly role: "user" | "system"; readonly more: string };

/** The prompt starts with this many messages, and optionally the tools, of an earlier prompt of its task. */
export type After = { readonly request: number; readonly messages: number; readonly tools?: true };

type Asked = {
  readonly request: number;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[] | undefined;
};
type Reply = { readonly text: string; readonly calls: readonly ToolCall[]; readonly thinking: Thinking | undefined };

/** Number of recent replies in which a message is searched for, because it usually repeats one of them. */
const recent = 4;
/** Shorter messages are written in full. */
const shortest = 20;

export class PromptHistory {
  readonly #tasks = new Map<string, TaskHistory>();

  /** Returns the history of a running task. */
  of(task: string): TaskHistory {
    const known = this.#tasks.get(task) ?? new TaskHistory();
    this.#tasks.set(task, known);
    return known;
  }

  take(event: Event): void {
    if (event.type === "run-started") this.#tasks.clear();
    else if (event.type === "started" || event.type === "scored" || event.type === "failed")
      this.#tasks.delete(event.task);
    else if ("task" in event) this.of(event.task).take(event);
  }
}

class TaskHistory {
  /** The last prompt of each role. */
  readonly #asked = new Map<Role, Asked>();
  readonly #replies = new Map<number, Reply>();
  readonly #results = new Map<string, string>();

  take(event: TaskEvent): void {
    if (event.type === "prompt") {
      const { request, messages, tools } = event;
      this.#asked.set(event.role, { request, messages, tools });
    } else if (event.type === "result") this.#results.set(event.callId, event.result.observation);
    else if (event.type === "text" || event.type === "thinking" || event.type === "call" || event.type === "retry")
      this.#replies.set(event.request, extended(this.#replies.get(event.request) ?? empty, event));
  }

  /** Returns the common beginning with the last prompt of the same role; undefined if there is no common beginning. */
  common({ role, messages, tools }: Extract<TaskEvent, { type: "prompt" }>): After | undefined {
    const last = this.#asked.get(role);
    if (last === undefined) return undefined;
    let same = 0;
    while (same < messages.length && same < last.messages.length && isSame(messages[same]!, last.messages[same]!))
      same++;
    const sameTools = tools !== undefined && areSame(tools, last.tools);
    if (same === 0 && !sameTools && continued(messages[0], last.messages[0]).length === 0) return undefined;
    return { request: last.request, messages: same, ...(sameTools ? { tools: true } : {}) };
  }

  /** Returns the beginning of a prompt; undefined if the earlier prompt is unknown. */
  begun(role: Role, { request, messages, tools }: After): Omit<Asked, "request"> | undefined {
    const last = this.#asked.get(role);
    if (last?.request !== request) return undefined;
    return { messages: last.messages.slice(0, messages), tools: tools === true ? last.tools : undefined };
  }

  /** Returns the shortest form of a message; `at` is its position if the prompt starts like an earlier prompt. */
  brief(message: Message, role: Role, at: number | undefined): BriefMessage {
    if (message.content.length < shortest && !("calls" in message)) return message;
    const before = at === undefined ? undefined : this.#asked.get(role)?.messages[at];
    const candidates = [...this.#replied(message), ...continued(message, before)];
    if (message.role === "tool") candidates.push({ role: "tool", result: message.callId });
    if (candidates.length === 0) return message;
    const whole = JSON.stringify(message);
    return candidates.find((each) => JSON.stringify(this.whole(each, role, at)) === whole) ?? message;
  }

  #lastReplies(): (readonly [number, Reply])[] {
    const all = this.#replies.entries().drop(Math.max(0, this.#replies.size - recent));
    return [...all];
  }

  /** Returns references to recent replies with the same content. */
  #replied({ role, content, ...more }: Message): BriefMessage[] {
    if (role === "tool") return [];
    const replies = this.#lastReplies().filter(([, { text }]) => text === content);
    if (role !== "assistant") return replies.map(([reply]) => ({ role, reply }));
    return replies.map(([reply]) => ({ role, reply, ...("thinking" in more ? { thinking: true } : {}) }));
  }

  /** Restores a message; undefined if its reference is unknown. */
  whole(brief: BriefMessage, role: Role, at: number | undefined): Message | undefined {
    if ("result" in brief) {
      const content = this.#results.get(brief.result);
      return content === undefined ? undefined : { role: "tool", callId: brief.result, content };
    }
    if ("more" in brief) {
      const before = at === undefined ? undefined : this.#asked.get(role)?.messages[at];
      return before === undefined ? undefined : { role: brief.role, content: before.content + brief.more };
    }
    if (!("reply" in brief)) return brief;
    const reply = this.#replies.get(brief.reply);
    if (reply === undefined) return undefined;
    if (brief.role !== "assistant") return { role: brief.role, content: reply.text };
    return {
      role: "assistant",
      content: reply.text,
      ...(reply.calls.length === 0 ? {} : { calls: reply.calls }),
      ...(brief.thinking === undefined || reply.thinking === undefined ? {} : { thinking: reply.thinking }),
    };
  }
}

/** Returns how a text continues an earlier text, because an agent that extends a text sends the whole text with every prompt. */
function continued(message: Message | undefined, before: Message | undefined): BriefMessage[] {
  if (message?.role !== "user" && message?.role !== "system") return [];
  if (before?.role !== message.role || before.content === "" || !message.content.startsWith(before.content)) return [];
  return [{ role: message.role, more: message.content.slice(before.content.length) }];
}

function areSame(one: readonly ToolSpec[], other: readonly ToolSpec[] | undefined): boolean {
  if (one.length !== other?.length) return false;
  return one.every((tool, at) => tool === other[at]) || JSON.stringify(one) === JSON.stringify(other);
}

function isSame(one: Message, other: Message): boolean {
  if (one === other) return true;
  if (one.role !== other.role || one.content !== other.content) return false;
  return one.role === "user" || one.role === "system" || JSON.stringify(one) === JSON.stringify(other);
}

const empty: Reply = { text: "", calls: [], thinking: undefined };

type Part = Extract<TaskEvent, { type: "text" | "thinking" | "call" | "retry" }>;

/** Returns the reply extended by a part. */
function extended({ text, calls, thinking }: Reply, part: Part): Reply {
  switch (part.type) {
    case "text":
      return { text: text + part.text, calls, thinking };
    case "call":
      return { text, calls: [...calls, part.call], thinking };
    case "retry":
      return empty;
    case "thinking": {
      const { field = thinking?.field } = part;
      const own = `${thinking?.text ?? ""}${part.textBefore === true ? text : ""}${part.text}`;
      const all = { text: own, ...(field === undefined ? {} : { field }) };
      return { text: part.textBefore === true ? "" : text, calls, thinking: all };
    }
  }
}
