/**
 * One event, one line of JSON. Long messages (catalogues, few-shot examples, the history of a conversation) come again and
 * again in prompts: each is written once, as a `content` line, and referred to by number afterwards. A `content` line without
 * a message says that its number does not come again, so that neither writer nor reader keeps the messages of ended tasks.
 */
import type { Event, Message } from "../types.ts";
import { MessageReferences } from "./message-references.ts";

/** Shorter messages are written in place: a reference would save nothing. */
const shortest = 120;

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

  /** Lines end in a line feed; there may be several for one event. */
  encode(event: Event): string {
    if (event.type === "scored" || event.type === "failed") return `${JSON.stringify(event)}\n${this.#end(event.task)}`;
    if (event.type !== "prompt") return `${JSON.stringify(event)}\n`;
    let lines = "";
    const messages = event.messages.map((message): Message | Reference => {
      if (message.content.length < shortest) return message;
      // Most long messages are the same string again, whose hash is known: no need to write them out to compare them.
      const plain = !("calls" in message) && !("thinking" in message) && message.role !== "tool";
      const key = `${message.role}:${plain ? message.content : JSON.stringify(message)}`;
      const known = this.#references.use(key, event.task);
      if (known !== undefined) return { ref: known };
      const ref = `${this.#invocation}.${this.#count++}`;
      this.#references.add(key, ref, event.task);
      lines += `{"type":"content","ref":"${ref}","message":${JSON.stringify(message)}}\n`;
      return { ref };
    });
    return `${lines}${JSON.stringify({ ...event, messages })}\n`;
  }

  #end(task: string): string {
    const forgotten = this.#references.end(task);
    return forgotten.map((ref) => `{"type":"content","ref":"${ref}"}\n`).join("");
  }
}

/** Turns lines back into events. */
export class LogDecoder {
  readonly #messages = new Map<string, Message>();

  /** The event of a line; undefined for a line that only carries content. Throws SyntaxError for a line that is not JSON. */
  decode(line: string): Event | undefined {
    const value = JSON.parse(line) as Event | ContentLine;
    if (value.type === "content") {
      if (value.message === undefined) this.#messages.delete(value.ref);
      else this.#messages.set(value.ref, value.message);
      return undefined;
    }
    if (value.type !== "prompt") return value;
    const messages = value.messages.map((message) => ("ref" in message ? this.#message(message) : message));
    return { ...value, messages };
  }

  #message(reference: Message): Message {
    const { ref } = reference as unknown as Reference;
    return this.#messages.get(ref) ?? { role: "user", content: "(this message is missing from the log)" };
  }
}
