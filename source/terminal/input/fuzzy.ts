/**
 * Returns the cost of matching a text: all typed letters must occur in order; adjacent letters and starts of words are
 * cheaper. Undefined if letters are missing.
 */
export function fuzzy(typed: string, text: string): number | undefined {
  const wanted = typed.toLowerCase().replaceAll(" ", "");
  const given = text.toLowerCase();
  if (wanted === "") return 0;
  const direct = given.indexOf(typed.toLowerCase().trim());
  if (direct >= 0) return direct / 100 + (startsWord(given, direct) ? 0 : 1);
  let cost = 2;
  let at = -1;
  for (const letter of wanted) {
    const next = given.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    cost += next === at + 1 ? 0 : startsWord(given, next) ? 1 : 3;
    at = next;
  }
  return cost + given.length / 1000;
}

/** Returns true if each typed word occurs in the text, alone or within a longer word. */
export function hasWords(typed: string, text: string): boolean {
  const given = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(" ")
    .every((word) => given.includes(word));
}

function startsWord(text: string, index: number): boolean {
  return index === 0 || !/[\p{L}\p{N}]/u.test(text[index - 1]!);
}
