/** Returns a number with its noun: `16,531 APIs`, `1 request`. */
export const counted = (count: number, noun: string) => `${inThousands(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Replaces `toLocaleString("en")`, whose first call takes some 8 ms to load the rules of the language. */
const inThousands = (count: number): string =>
  Number.isSafeInteger(count) ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ",") : count.toLocaleString("en");
