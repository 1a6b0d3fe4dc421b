/**
 * One event, one line of JSON. Long messages (catalogues, few-shot examples, the history of a conversation) come again and
 * again in prompts: each is written once, as a `content` line, and referred to by number afterwards. A `content` line without
 * a message says that its number does not come again, so that neither writer nor reader keeps the messages of ended tasks.
 */
import type { Event, Message, TaskEvent } from "../types.ts";
import type { LineOwner } from "./log-index.ts";
import { MessageReferences } from "./message-references.ts";

/** Shorter messages are written in place: a reference would save nothing. */
const shortest = 120;

type PromptEvent = Extract<TaskEvent, { type: "prompt" }>;

/** A line with its line feed, and what it belongs to. */
export type EncodedLine = { readonly text: string; readonly owner: LineOwner };

type Reference = { readonly ref: string };
type ContentLine = { readonly type: "content"; readonly ref: string; readonly message?: Message };

/** Turns events into lines. `invocation` must differ between encoders that write to the same log: references carry it. */
export class LogEncoder {
  readonly #invocation: string;
  readonly #references = new MessageReferences();
  #count = 0;

  constructor(invocation: string) {
    this.#invocation = invocation;
  }

  /** Lines for an event, in the order they are to be written. */
  encode(event: Event): EncodedLine[] {
    if (event.type === "prompt") return this.#encodePrompt(event);
    const line = { text: `${JSON.stringify(event)}\n`, owner: ownerOf(event) };
    return event.type === "scored" || event.type === "failed" ? [line, ...this.#end(event.task)] : [line];
  }

  #encodePrompt(event: PromptEvent): EncodedLine[] {
    const lines: EncodedLine[] = [];
    const messages = event.messages.map((message): Message | Reference => {
      if (message.content.length < shortest) return message;
      // Most long messages are the same string again, whose hash is known: no need to write them out to compare them.
      const plain = !("calls" in message) && !("thinking" in message) && message.role !== "tool";
      const key = `${message.role}:${plain ? message.content : JSON.stringify(message)}`;
      const known = this.#references.use(key, event.task);
      if (known !== undefined) return { ref: known };
      const ref = `${this.#invocation}.${this.#count++}`;
      this.#references.add(key, ref, event.task);
      lines.push({
        text: `{"type":"content","ref":"${ref}","message":${JSON.stringify(message)}}\n`,
        owner: { content: ref },
      });
      return { ref };
    });
    return [...lines, { text: `${JSON.stringify({ ...event, messages })}\n`, owner: ownerOf(event) }];
  }

  #end(task: string): EncodedLine[] {
    const forgotten = this.#references.end(task);
    return forgotten.map((ref) => ({ text: `{"type":"content","ref":"${ref}"}\n`, owner: {} }));
  }
}

function ownerOf(event: Event): LineOwner {
  return "task" in event ? { task: event.task } : {};
}

/** What a line holds: an event, or only what later events refer to. */
export type DecodedLine = { readonly event: Event | undefined; readonly owner: LineOwner };

/** Turns lines back into events. */
export class LogDecoder {
  readonly #messages = new Map<string, Message>();
  readonly #find: (ref: string) => Message | undefined;
  /** Messages that were referred to and not there. */
  missing = 0;

  /** `find` is asked for messages that were in none of the lines before. */
  constructor(find: (ref: string) => Message | undefined = () => undefined) {
    this.#find = find;
  }

  /** Throws SyntaxError for a line that is not JSON, TypeError for one that is no event. */
  decode(line: string): DecodedLine {
    const value = JSON.parse(line) as Event | ContentLine;
    if (value.type === "content") return { event: undefined, owner: this.#keep(value) };
    const event =
      value.type === "prompt" ? { ...value, messages: value.messages.map((each) => this.#message(each)) } : value;
    return { event, owner: ownerOf(event) };
  }

  /** Those of an earlier invocation are not referred to any more once a later one writes. */
  #keep({ ref, message }: ContentLine): LineOwner {
    if (message === undefined) {
      this.#messages.delete(ref);
      return {};
    }
    const [invocation] = ref.split(".");
    if (invocation !== this.#invocation) this.#messages.clear();
    this.#invocation = invocation;
    this.#messages.set(ref, message);
    return { content: ref };
  }
  #invocation: string | undefined;

  #message(message: Message | Reference): Message {
    if (!("ref" in message)) return message;
    const known = this.#messages.get(message.ref) ?? this.#find(message.ref);
    if (known !== undefined) return known;
    this.missing += 1;
    return { role: "user", content: "(this message is missing from the log)" };
  }
}
