/** Recognizes texts that repeat one passage many times, and texts that repeat their prompt. */
import type { Message } from "../../types.ts";

/** Maximum length of a repeated passage, minimum number of repetitions, and minimum number of characters that they fill. */
const longestPeriod = 400;
const times = 4;
const fewest = 100;
/** Maximum length of a text that is searched. Searching longer texts would block the screen for seconds. */
const longestText = 1_000_000;

/**
 * Returns where the repetition at the end of a text starts, and its period in characters; undefined if there is no repetition.
 * The period must occur at least four times in a row and fill at least half of the text. Takes time linear in the text for each
 * period.
 */
export function closingRepetition(text: string): { readonly from: number; readonly period: number } | undefined {
  if (text.length > longestText) return undefined;
  const end = text.trimEnd().length;
  for (let period = 1; period <= Math.min(longestPeriod, end); period++) {
    let from = end - period;
    while (text[from - 1] === text[from - 1 + period]) from -= 1;
    const filled = end - from;
    if (filled >= period * times && filled >= fewest && filled * 2 >= end) return { from, period };
  }
  return undefined;
}

/** Minimum number of characters of a passage that counts as copied from the prompt. */
const run = 20;
const half = run / 2;
/**
 * Maximum number of prompt characters that are compared, in total for all positions of a text at which the prompt may be
 * repeated.
 */
const mostCompared = 1_000_000_000;
/**
 * Minimum share at which a reply counts as a repetition of its prompt. The search ends early if a text can no longer reach it.
 */
const decisive = 0.8;

/**
 * Returns the share of a text's characters in passages of at least 20 characters that also occur in its prompt; 0 if the share is
 * small.
 */
export function echoedShare(text: string, messages: readonly Message[]): number {
  const prompt = messages.map(({ content }) => content).join("\n");
  const most = text.length - decisive * text.length;
  let left = mostCompared;
  let missing = 0;
  for (let at = 0, echoed = 0, absent = 0; at < text.length;) {
    const isKnown = at < absent || at + run > text.length;
    const found = isKnown ? -1 : prompt.indexOf(text.slice(at, at + run));
    if (found < 0) {
      // Without the second half of this passage, the prompt has none of the passages that contain it.
      if (!isKnown && !prompt.includes(text.slice(at + half, at + run))) absent = at + half + 1;
      left -= prompt.length;
      if (at >= echoed) missing += 1;
      if (missing > most || left < 0) return 0;
      at += 1;
      continue;
    }
    let length = run;
    while (text[at + length] !== undefined && prompt[found + length] === text[at + length]) length += 1;
    echoed = at + length;
    // The end of this run may be the beginning of another: the prompt has its parts in another order.
    at = echoed - run + 1;
  }
  return text.length === 0 ? 0 : 1 - missing / text.length;
}
