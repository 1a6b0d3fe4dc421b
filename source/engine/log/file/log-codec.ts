/**
 * One event, one line of JSON. A prompt that begins as an earlier one of its task says so (`after`) and holds what is new; of
 * that, replies and results of tools are referred to by request and call. Other long messages (catalogues, few-shot examples)
 * come again and again: each is written once, as a `content` line, and referred to by number afterwards. A `content` line
 * without a message says that its number does not come again, so that neither writer nor reader keeps the messages of ended
 * tasks.
 */
import type { Event, Message, TaskEvent } from "../../types.ts";
import { fittingLine } from "./event-schema.ts";
import type { LineOwner } from "./log-index.ts";
import { type After, type BriefMessage, PromptHistory } from "../prompt-history.ts";

/** Shorter messages are written in place: a reference would save nothing. */
const shortest = 120;

type PromptEvent = Extract<TaskEvent, { type: "prompt" }>;

/** A line without its line feed, and what it belongs to. */
export type EncodedLine = { readonly text: string; readonly owner: LineOwner };

type Reference = { readonly ref: string };
type PromptLine = Omit<PromptEvent, "messages"> & {
  readonly after?: After;
  readonly messages: readonly (BriefMessage | Reference)[];
};
type ContentLine = { readonly type: "content"; readonly ref: string; readonly message?: Message };

/** Turns events into lines. `invocation` must differ between encoders that write to the same log: references carry it. */
export class LogEncoder {
  readonly #invocation: string;
  readonly #references = new MessageReferences();
  readonly #history = new PromptHistory();
  #count = 0;

  constructor(invocation: string) {
    this.#invocation = invocation;
  }

  /** Lines for an event, in the order they are to be written. */
  encode(event: Event): EncodedLine[] {
    const line = event.type === "prompt" ? this.#encodePrompt(event) : [lineOf(event, event)];
    this.#history.take(event);
    return event.type === "scored" || event.type === "failed" ? [...line, ...this.#end(event.task)] : line;
  }

  #encodePrompt({ tools, ...event }: PromptEvent): EncodedLine[] {
    const lines: EncodedLine[] = [];
    const history = this.#history.of(event.task);
    const after = history.common({ ...event, ...(tools === undefined ? {} : { tools }) });
    const messages = event.messages.slice(after?.messages).map((whole, index): BriefMessage | Reference => {
      const message = history.brief(whole, event.role, after && after.messages + index);
      if (!("content" in message) || message.content.length < shortest) return message;
      const key = keyOf(message);
      const known = this.#references.use(key, event.task);
      if (known !== undefined) return { ref: known };
      const ref = `${this.#invocation}.${this.#count++}`;
      this.#references.add(key, ref, event.task);
      lines.push({
        text: `{"type":"content","ref":"${ref}","message":${JSON.stringify(message)}}`,
        owner: { content: ref },
      });
      return { ref };
    });
    const ownTools = tools === undefined || after?.tools === true ? {} : { tools };
    return [...lines, lineOf(event, { ...event, ...(after && { after }), messages, ...ownTools })];
  }

  #end(task: string): EncodedLine[] {
    const forgotten = this.#references.end(task);
    return forgotten.map((ref) => ({ text: `{"type":"content","ref":"${ref}"}`, owner: {} }));
  }
}

/** Most long messages are the same string again: no need to write them out to compare them. What is more than its text is compared as JSON. */
function keyOf(message: Message): MessageKey {
  const isPlain = !("calls" in message) && !("thinking" in message) && message.role !== "tool";
  return isPlain ? { of: message.role, text: message.content } : { of: "JSON", text: JSON.stringify(message) };
}

function lineOf(event: Event | Omit<PromptEvent, "tools">, written: object): EncodedLine {
  return { text: JSON.stringify(written), owner: ownerOf(event as Event) };
}

function ownerOf(event: Event): LineOwner {
  return "task" in event ? { task: event.task } : {};
}

/** What a line holds: an event, or only what later events refer to. */
type DecodedLine = { readonly event: Event | undefined; readonly owner: LineOwner };

/** The message of a `content` line; undefined where the line is none. */
export function contentOf(line: string): Message | undefined {
  try {
    const value = fittingLine(line) as Event | ContentLine;
    return value.type === "content" ? value.message : undefined;
  } catch (error) {
    // Counted and reported when the whole log is read.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** Turns lines back into events. */
export class LogDecoder {
  readonly #messages = new Map<string, Message>();
  readonly #history = new PromptHistory();
  readonly #find: (ref: string) => Message | undefined;
  /** Messages that were referred to and not there. */
  missing = 0;

  /** `find` is asked for messages that were in none of the lines before. */
  constructor(find: (ref: string) => Message | undefined = () => undefined) {
    this.#find = find;
  }

  /** Throws SyntaxError for a line that is not JSON, TypeError for one that no version has written. */
  decode(line: string): DecodedLine {
    const value = fittingLine(line) as Exclude<Event, PromptEvent> | PromptLine | ContentLine;
    if (value.type === "content") return { event: undefined, owner: this.#keep(value) };
    const event = value.type === "prompt" ? this.#prompt(value) : value;
    this.#history.take(event);
    return { event, owner: ownerOf(event) };
  }

  #prompt({ after, ...line }: PromptLine): PromptEvent {
    const history = this.#history.of(line.task);
    const begun = after && history.begun(line.role, after);
    const rest = line.messages.map((each, index) => {
      if ("ref" in each) return this.#message(each);
      return history.whole(each, line.role, after && after.messages + index) ?? this.#missing();
    });
    const first = after === undefined ? [] : (begun?.messages ?? [this.#missing()]);
    return { ...line, messages: [...first, ...rest], ...(begun?.tools && { tools: begun.tools }) };
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

  #message({ ref }: Reference): Message {
    return this.#messages.get(ref) ?? this.#find(ref) ?? this.#missing();
  }

  #missing(): Message {
    this.missing += 1;
    return { role: "user", content: "(this message is missing from the log)" };
  }
}

/** Characters kept of messages no running task uses: a catalogue comes again with the next task. */
const mostIdle = 2 * 1024 * 1024;

/** What a message is known by: `of` keeps apart what may be the same text and yet another message. */
type MessageKey = { readonly of: string; readonly text: string };

type Known = { readonly key: MessageKey; readonly reference: string; readonly tasks: Set<string> };

class MessageReferences {
  /** By `of` and text: one key of both would be a new string, as long as the message, for every look. */
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #byTask = new Map<string, Set<Known>>();
  /** Used by no running task; the longest unused first. */
  readonly #idle = new Set<Known>();
  #idleSize = 0;

  /** The reference of a message, which this task uses from now on; undefined where it has none. */
  use({ of, text }: MessageKey, task: string): string | undefined {
    const known = this.#known.get(of)?.get(text);
    if (known === undefined) return undefined;
    if (this.#idle.delete(known)) this.#idleSize -= text.length;
    this.#hold(known, task);
    return known.reference;
  }

  add(key: MessageKey, reference: string, task: string): void {
    const known = { key, reference, tasks: new Set<string>() };
    const alike = this.#known.get(key.of) ?? new Map<string, Known>();
    this.#known.set(key.of, alike.set(key.text, known));
    this.#hold(known, task);
  }

  /** Gives the references that are forgotten now. */
  end(task: string): readonly string[] {
    for (const known of this.#byTask.get(task) ?? []) {
      known.tasks.delete(task);
      if (known.tasks.size > 0) continue;
      this.#idle.add(known);
      this.#idleSize += known.key.text.length;
    }
    this.#byTask.delete(task);
    const forgotten: string[] = [];
    for (const known of this.#idle) {
      if (this.#idleSize <= mostIdle) break;
      this.#idle.delete(known);
      this.#known.get(known.key.of)?.delete(known.key.text);
      this.#idleSize -= known.key.text.length;
      forgotten.push(known.reference);
    }
    return forgotten;
  }

  #hold(known: Known, task: string): void {
    known.tasks.add(task);
    const own = this.#byTask.get(task) ?? new Set<Known>();
    this.#byTask.set(task, own.add(known));
  }
}
