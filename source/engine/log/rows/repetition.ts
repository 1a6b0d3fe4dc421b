/** Recognizes texts that repeat one passage again and again, and texts that repeat their prompt. */
import type { Message } from "../../types.ts";

/** Maximum length of a repeated passage, minimum number of repetitions, and minimum number of characters that they fill. */
const longestPeriod = 400;
const times = 4;
const fewest = 100;
/** Maximum length of a text that is searched. Searching longer texts would block the screen for seconds. */
const longestText = 1_000_000;

/**
 * Returns where the repetition at the end of a text begins, and its period in characters: the period comes at least four
 * times in a row and fills at least half of the text; undefined if there is none. Takes time linear in the text for each
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

/** Length from which words of a reply count as taken from its prompt. */
const run = 20;
/** Maximum number of prompt characters that are compared, in total for all positions of a text at which it may be repeated. */
const mostCompared = 1_000_000_000;
/** Minimum share that decides. The search ends early if a text can no longer reach it. */
const decisive = 0.8;

/**
 * Returns the share of a text's characters in runs of at least 20 characters that also occur in its prompt; 0 if they are few.
 */
export function echoedShare(text: string, messages: readonly Message[]): number {
  const prompt = messages.map(({ content }) => content).join("\n");
  const most = text.length - decisive * text.length;
  let left = mostCompared;
  let missing = 0;
  for (let at = 0, echoed = 0; at < text.length;) {
    const found = prompt.indexOf(text.slice(at, at + run));
    if (found < 0 || at + run > text.length) {
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
