/**
 * Encodes each event as one line of JSON. A prompt that starts like an earlier prompt of its task refers to it (`after`) and
 * contains only the remaining messages, which in turn refer to replies and tool results by request and call. Other long messages
 * that recur (catalogues, few-shot examples) are written once, as a `content` line, and referred to by number. A `content` line
 * without a message retires its number, so that writers and readers can forget the messages of ended tasks.
 */
import type { Event, Message, TaskEvent } from "../../types.ts";
import { fittingLine } from "./event-schema.ts";
import type { LineOwner } from "./log-index.ts";
import { type After, type BriefMessage, PromptHistory } from "../prompt-history.ts";

/** Shorter messages are written in place, because a reference would not save space. */
const shortest = 120;

type PromptEvent = Extract<TaskEvent, { type: "prompt" }>;

/** A log line without its line feed, and its owner. */
export type EncodedLine = { readonly text: string; readonly owner: LineOwner };

type Reference = { readonly ref: string };
type PromptLine = Omit<PromptEvent, "messages"> & {
  readonly after?: After;
  readonly messages: readonly (BriefMessage | Reference)[];
};
type ContentLine = { readonly type: "content"; readonly ref: string; readonly message?: Message };

/** Encodes events as lines. `invocation` must differ between encoders of the same log, because references contain it. */
export class LogEncoder {
  readonly #invocation: string;
  readonly #references = new MessageReferences();
  readonly #history = new PromptHistory();
  #count = 0;

  constructor(invocation: string) {
    this.#invocation = invocation;
  }

  /** Returns the lines for an event in the order of writing. */
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

/**
 * Most long messages are the same string, so text alone is compared directly. Messages with more than text are compared as JSON.
 */
function keyOf(message: Message): MessageKey {
  const isPlain = !("calls" in message) && !("thinking" in message) && message.role !== "tool";
  return isPlain ? { of: message.role, text: message.content } : { of: "JSON", text: JSON.stringify(message) };
}

function lineOf(event: Event | Omit<PromptEvent, "tools">, written: object): EncodedLine {
  return { text: JSON.stringify(written), owner: ownerOf(event as Event) };
}

const ownerOf = (event: Event): LineOwner => ("task" in event ? { task: event.task } : {});

/** The event of a line; undefined if later events only refer to the line. */
type DecodedLine = { readonly event: Event | undefined; readonly owner: LineOwner };

/** Returns the message of a `content` line; undefined for other lines. */
export function contentOf(line: string): Message | undefined {
  try {
    const value = fittingLine(line) as Event | ContentLine;
    return value.type === "content" ? value.message : undefined;
  } catch (error) {
    // Reading the whole log counts and reports such lines.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** Decodes lines to events. */
export class LogDecoder {
  readonly #messages = new Map<string, Message>();
  readonly #history = new PromptHistory();
  readonly #find: (ref: string) => Message | undefined;
  /** Number of messages that were referred to but not found. */
  missing = 0;

  /** `find` looks up messages that no earlier line contained. */
  constructor(find: (ref: string) => Message | undefined = () => undefined) {
    this.#find = find;
  }

  /** Throws SyntaxError if the line is not JSON, TypeError if no version writes such a line. */
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

  /** Forgets the messages of earlier invocations, because a later invocation never refers to them. */
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

/** Characters of cached messages that no running task uses, because the next task may use the same catalogue. */
const mostIdle = 2 * 1024 * 1024;

/** Identity of a message: `of` separates messages with equal text. */
type MessageKey = { readonly of: string; readonly text: string };

type Known = { readonly key: MessageKey; readonly reference: string; readonly tasks: Set<string> };

class MessageReferences {
  /** Nested by `of` and text, because a joined key would copy the long text at every lookup. */
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #byTask = new Map<string, Set<Known>>();
  /** Messages that no running task uses, least recently used first. */
  readonly #idle = new Set<Known>();
  #idleSize = 0;

  /** Returns the reference of a message and marks it as used by this task; undefined if it has no reference. */
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

  /** Returns the references that are now forgotten. */
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
