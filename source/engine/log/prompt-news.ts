/** Finds the new text of a request, because prompts repeat most of a conversation. */
import { counted } from "../text/counted.ts";
import type { Message } from "../types.ts";
import { type Entry, speakerOf } from "./trajectory.ts";

/** A message to the model, without the lines that it shares with the previous message at its position. */
export type PromptNews = {
  readonly role: "system" | "user";
  /** The new lines. */
  readonly text: string;
  /** Number of unchanged lines around the new text; 0 for an entirely new message. */
  readonly repeated: number;
  /** The whole message. */
  readonly whole: string;
};

/**
 * Returns the messages that a request adds to `known`, the messages of the preceding request. Omits replies and tool results,
 * because they were shown on arrival.
 */
export function promptNews(messages: readonly Message[], known: readonly Message[]): readonly PromptNews[] {
  let same = 0;
  while (same < messages.length && same < known.length && isSame(messages[same]!, known[same]!)) same++;
  return messages.slice(same).flatMap((message, index): PromptNews[] => {
    if (message.role !== "system" && message.role !== "user") return [];
    const before = known[same + index];
    const news = before?.role === message.role ? newLines(message.content, before.content) : undefined;
    const { role, content: whole } = message;
    return [{ role, whole, ...(news ?? { text: whole, repeated: 0 }) }];
  });
}

/** Returns `+3 new lines` or a text for no change; undefined for an entirely new message. */
export function newsText({ text, repeated }: PromptNews): string | undefined {
  if (repeated === 0) return undefined;
  return text === "" ? "as before" : `+${counted(text.split("\n").length, "new line")}`;
}

/** Returns the messages of the previous turn of the same agent or role. */
export function messagesBefore(entries: readonly Entry[], index: number): readonly Message[] {
  const entry = entries[index]!;
  for (let at = index - 1; at >= 0 && entry.kind === "turn"; at--) {
    const earlier = entries[at]!;
    if (earlier.kind === "turn" && speakerOf(earlier) === speakerOf(entry)) return earlier.messages;
  }
  return noMessages;
}

/** A shared array, because the cache of drawn prompts identifies the messages known before a prompt by their array. */
export const noMessages: readonly Message[] = [];

const isSame = (one: Message, other: Message): boolean =>
  one === other || (one.role === other.role && one.content === other.content);

/** Returns the lines between the common beginning and end; undefined if the texts share no lines. */
function newLines(text: string, before: string): { readonly text: string; readonly repeated: number } | undefined {
  const [lines, old] = [text.split("\n"), before.split("\n")];
  const least = Math.min(lines.length, old.length);
  let start = 0;
  while (start < least && lines[start] === old[start]) start++;
  let end = 0;
  while (end < least - start && lines.at(-1 - end) === old.at(-1 - end)) end++;
  if (start + end === 0) return undefined;
  return { text: lines.slice(start, lines.length - end).join("\n"), repeated: start + end };
}
