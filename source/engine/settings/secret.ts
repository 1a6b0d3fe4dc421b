/** Texts that look like keys: a key given in place of a variable's name is not shown again. */

/** Prefixes of keys by several services. */
const begins = /^(sk|pk|rk|hf|gsk|xai|nvapi|pplx|r8|ghp|glpat|eyJ)[-_]?\S{16,}$/;

/**
 * Minimum length of a part that looks like a key: parts of a name are words, but a part of this length that mixes letters with
 * several digits, or mixes upper and lower case, is not a word.
 */
const longWord = 16;

export const looksLikeKey = (text: string): boolean => begins.test(text) || text.split(/[^A-Za-z0-9]+/).some(isRandom);

function isRandom(word: string): boolean {
  if (word.length < longWord || !/[A-Za-z]/.test(word)) return false;
  const count = (pattern: RegExp) => word.match(pattern)?.length ?? 0;
  return count(/[0-9]/g) >= 3 || (count(/[a-z][A-Z]/g) >= 4 && count(/[A-Z]/g) >= word.length / 4);
}

/** Returns the name of an environment variable as a message shows it. */
export const shownName = (variable: string): string => (looksLikeKey(variable) ? "[key]" : variable);
