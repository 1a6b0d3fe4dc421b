/**
 * Joins events of a stream that differ only in their part of the text. Events that arrive together are read as one event with all
 * the text, because parsing each event separately would take most of the time.
 */
import type { ServerSentEvent } from "../network/server-sent-events.ts";

/** Characters that a string in JSON contains unescaped: no quote, backslash or control character. */
const plain = /^[ !#-[\]-\uffff]*$/;
const escapes = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/g;

/** The text of an event before and after its piece of text. */
type Frame = { readonly name: string; readonly before: string; readonly after: string };

export class TextRuns {
  #frame: Frame | undefined;

  /**
   * Joins the event at this index with the events after it, and returns their number. Any event that may differ stays separate.
   */
  at(events: readonly ServerSentEvent[], from: number): { readonly event: ServerSentEvent; readonly count: number } {
    const frame = this.#frame;
    let texts = "";
    let count = 0;
    for (; frame !== undefined && from + count < events.length; count++) {
      const text = textWithin(frame, events[from + count]!);
      if (text === undefined) break;
      texts += text;
    }
    if (frame === undefined || count < 2) return { event: events[from]!, count: 1 };
    return { event: { name: frame.name, data: frame.before + texts + frame.after }, count };
  }

  /** Learns from an event and its value the format of similar events. */
  learn({ name, data }: ServerSentEvent, value: unknown): void {
    const text = textOf(value);
    if (text === undefined || (this.#frame !== undefined && textWithin(this.#frame, { name, data }) !== undefined))
      return;
    this.#frame = frameOf({ name, data }, text);
  }
}

/** Returns the text of an event in this frame. */
function textWithin({ name, before, after }: Frame, event: ServerSentEvent): string | undefined {
  const { data } = event;
  const to = data.length - after.length;
  if (event.name !== name || to < before.length || !data.startsWith(before) || !data.endsWith(after)) return undefined;
  const text = data.slice(before.length, to);
  return plain.test(text) || plain.test(text.replaceAll(escapes, "")) ? text : undefined;
}

/** Returns the text of a chat completion's chunk; undefined for any other chunk. */
function textOf(value: unknown): string | undefined {
  const choices: unknown = (value as { readonly choices?: unknown } | null)?.choices;
  if (!Array.isArray(choices) || choices.length !== 1) return undefined;
  const content: unknown = (choices[0] as { readonly delta?: { readonly content?: unknown } | null } | null)?.delta
    ?.content;
  return typeof content === "string" ? content : undefined;
}

/** Returns the frame of an event with this text; undefined if it is uncertain which part of the event is the text. */
function frameOf({ name, data }: ServerSentEvent, text: string): Frame | undefined {
  const written = JSON.stringify(text);
  const at = ['"content":', '"content": '].flatMap((field) => {
    const found = data.indexOf(field + written);
    return found === -1 ? [] : [found + field.length];
  })[0];
  if (at === undefined) return undefined;
  const [before, after] = [data.slice(0, at + 1), data.slice(at + written.length - 1)];
  // Another field may contain the same text, so changing it here must change the value's text.
  const changed = `${before}${written.slice(1, -1)}x${after}`;
  return textOf(JSON.parse(changed)) === `${text}x` ? { name, before, after } : undefined;
}
