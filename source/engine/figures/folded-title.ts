import { width, wrap } from "../text/printable.ts";

/** Shorter titles stay in one line. */
const least = 14;

/** The title of a column in lines no wider than `beside`, the widest text below it, as far as its words allow. */
export function foldedTitle(title: string, beside: number): readonly string[] {
  const word = Math.max(0, ...title.split(" ").map(width));
  return wrap(title, Math.max(least, beside, word));
}
