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
/** Maximum number of characters of the prompt that are compared, in total for all positions of a text. */
const mostCompared = 1_000_000_000;
/**
 * Minimum share at which a reply counts as a repetition of its prompt. The search ends early if a text can no longer reach it.
 */
const decisive = 0.8;

/**
 * Returns the share of a text's characters in passages of at least 20 characters that also occur in its prompt; 0 if the share is
 * small. A prompt may contain the dialogue so far: passages of the model's own earlier replies (`own`) do not count, unless the
 * first prompt (`opening`) has them, too.
 */
export function echoedShare(
  text: string,
  messages: readonly Message[],
  own: readonly string[] = [],
  opening: readonly Message[] = [],
): number {
  const most = text.length - decisive * text.length;
  const inPrompt = passages(text, contents(messages), most);
  if (inPrompt === undefined || text === "") return 0;
  const said = passages(text, own);
  const asked = passages(text, contents(opening));
  const missing = inPrompt.filter((is, at) => is === 0 || (said?.[at] === 1 && asked?.[at] !== 1)).length;
  return missing > most ? 0 : 1 - missing / text.length;
}

const contents = (messages: readonly Message[]) => messages.map(({ content }) => content);

/**
 * Marks the characters in passages that one of these sources contains; undefined if more than `most` characters are in none, or
 * the search takes too long.
 */
function passages(text: string, sources: readonly string[], most = Infinity): Uint8Array | undefined {
  const source = sources.join("\n");
  const found = new Uint8Array(text.length);
  let left = mostCompared;
  let missing = 0;
  for (let at = 0, end = 0; at < text.length;) {
    const from = source.indexOf(text.slice(at, at + run));
    if (from < 0 || at + run > text.length) {
      left -= source.length;
      if (at >= end) missing += 1;
      if (missing > most || left < 0) return undefined;
      at += 1;
      continue;
    }
    let length = run;
    while (text[at + length] !== undefined && source[from + length] === text[at + length]) length += 1;
    end = at + length;
    found.fill(1, at, end);
    // The end of this passage may be the beginning of another: the source has its parts in another order.
    at = end - run + 1;
  }
  return found;
}
