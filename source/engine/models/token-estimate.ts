/** Tokens of text whose server does not count them. */
import type { Message } from "../types.ts";

/**
 * About one token per four characters, and one per character of Chinese, Japanese and Korean writing. Off by a quarter
 * either way for prose, more for code: fit for budgets and marked as estimated everywhere.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (isWide(text.charCodeAt(index))) wide += 1;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** Tokens of a whole prompt, with about four per message for its frame. */
export function estimatePrompt(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) {
    tokens += 4 + estimateTokens(message.content);
    if (message.role === "assistant") {
      for (const call of message.calls ?? []) tokens += estimateTokens(call.name) + estimateTokens(call.text);
    }
  }
  return tokens;
}

/** Kana, CJK ideographs, Hangul and full-width forms, by UTF-16 unit. */
function isWide(unit: number): boolean {
  return (
    (unit >= 0x3040 && unit <= 0x30ff) ||
    (unit >= 0x3400 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xffef)
  );
}
