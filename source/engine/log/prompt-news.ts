/** What a request says that the one before it did not: prompts repeat most of a conversation. */
import { counted } from "../text/counted.ts";
import type { Message } from "../types.ts";
import type { Entry } from "./trajectory.ts";

/** A message to the model, without the lines it shares with the one in the same place before. */
export type PromptNews = {
  readonly role: "system" | "user";
  /** The lines that are new. */
  readonly text: string;
  /** How many lines stand as before around them; 0 for a message that is wholly new. */
  readonly repeated: number;
  /** All of the message. */
  readonly whole: string;
};

/**
 * The messages a request adds to `known`, those of the request before it. Replies and tool results are left out: they are shown
 * where they arrived.
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

/** How much of a message is new: `+3 new lines`, or that it is as before; undefined for one that is wholly new. */
export function newsText({ text, repeated }: PromptNews): string | undefined {
  if (repeated === 0) return undefined;
  return text === "" ? "as before" : `+${counted(text.split("\n").length, "new line")}`;
}

/** What the role of a turn was asked the time before. */
export function messagesBefore(entries: readonly Entry[], index: number): readonly Message[] {
  const entry = entries[index]!;
  for (let at = index - 1; at >= 0 && entry.kind === "turn"; at--) {
    const earlier = entries[at]!;
    if (earlier.kind === "turn" && earlier.role === entry.role) return earlier.messages;
  }
  return noMessages;
}

/** The same each time: what is drawn of a prompt is kept by what was known before it. */
export const noMessages: readonly Message[] = [];

function isSame(one: Message, other: Message): boolean {
  return one === other || (one.role === other.role && one.content === other.content);
}

/** Lines between those that both begin and end with; undefined where they share none. */
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
