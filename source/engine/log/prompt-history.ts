/**
 * What the prompts of the tasks being executed are made of, so that the line of a prompt says only what is new in it: writer
 * and reader of a log keep the same. What an ended task was asked is forgotten.
 */
import type { Event, Message, Role, TaskEvent, Thinking, ToolCall, ToolSpec } from "../types.ts";

/** A message as its line says it: as it is, or by where it stands already. */
export type BriefMessage =
  | Message
  /** It is what was replied to this request; `calls` and `thinking` are those of the reply where it has them. */
  | { readonly role: "assistant"; readonly reply: number; readonly thinking?: true }
  | { readonly role: "user" | "system"; readonly reply: number }
  /** It is the result of this call. */
  | { readonly role: "tool"; readonly result: string }
  /** It goes on from the message that stood here in the earlier prompt. */
  | { readonly role: "user" | "system"; readonly more: string };

/** A prompt begins as an earlier one of its task, with so many of its messages, and its tools. */
export type After = { readonly request: number; readonly messages: number; readonly tools?: true };

type Asked = {
  readonly request: number;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[] | undefined;
};
type Reply = { readonly text: string; readonly calls: readonly ToolCall[]; readonly thinking: Thinking | undefined };

/** Replies that are looked through for a message: it is one of the last. */
const recent = 4;
/** Shorter messages are written as they are. */
const shortest = 20;

export class PromptHistory {
  readonly #tasks = new Map<string, TaskHistory>();

  /** Of a task that is being executed. */
  of(task: string): TaskHistory {
    const known = this.#tasks.get(task) ?? new TaskHistory();
    this.#tasks.set(task, known);
    return known;
  }

  take(event: Event): void {
    if (event.type === "run-started") this.#tasks.clear();
    else if (event.type === "run-ended" || event.type === "shipment-refused") return;
    else if (event.type === "started" || event.type === "scored" || event.type === "failed")
      this.#tasks.delete(event.task);
    else this.of(event.task).take(event);
  }
}

class TaskHistory {
  /** The last of each role. */
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

  /** What a prompt has in common with the last one of its role; undefined where that is nothing. */
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

  /** What a prompt begins with; undefined where the earlier one is not known. */
  begun(role: Role, { request, messages, tools }: After): Omit<Asked, "request"> | undefined {
    const last = this.#asked.get(role);
    if (last?.request !== request) return undefined;
    return { messages: last.messages.slice(0, messages), tools: tools === true ? last.tools : undefined };
  }

  /** The same message, said as briefly as may be; `at` is its place, where the prompt begins as an earlier one. */
  brief(message: Message, role: Role, at: number | undefined): BriefMessage {
    if (message.content.length < shortest && !("calls" in message)) return message;
    const before = at === undefined ? undefined : this.#asked.get(role)?.messages[at];
    const candidates = [...this.#replied(message), ...continued(message, before)];
    if (message.role === "tool" && this.#results.has(message.callId))
      candidates.push({ role: "tool", result: message.callId });
    if (candidates.length === 0) return message;
    const whole = JSON.stringify(message);
    return candidates.find((each) => JSON.stringify(this.whole(each, role, at)) === whole) ?? message;
  }

  #lastReplies(): (readonly [number, Reply])[] {
    const all = this.#replies.entries().drop(Math.max(0, this.#replies.size - recent));
    return [...all];
  }

  /** The last replies that say the same. */
  #replied({ role, content, ...more }: Message): BriefMessage[] {
    if (role === "tool") return [];
    const replies = this.#lastReplies().filter(([, { text }]) => text === content);
    if (role !== "assistant") return replies.map(([reply]) => ({ role, reply }));
    return replies.map(([reply]) => ({ role, reply, ...("thinking" in more ? { thinking: true } : {}) }));
  }

  /** The message that was said so; undefined where what it refers to is not known. */
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

/** A text that an agent writes on and on is sent whole every time. */
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

/** A reply after one more of its parts. */
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
    default:
      return part satisfies never;
  }
}
