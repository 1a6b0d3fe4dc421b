/**
 * Reads the fields of a plan: cities, names, routes. The published evaluator uses regular expressions; these scanners
 * give the same results in linear time on hostile text, with Python's white space.
 */
import { isBlankAt, strip } from "../../../source/engine/python/text.ts";

/**
 * Returns the text before the first `(` with a later `)`, keeping spaces; the whole text if the first line has none.
 */
export function cut(text: string): string {
  const open = text.indexOf("(");
  if (open === -1 || text.indexOf(")", open) === -1) return text;
  const line = text.indexOf("\n");
  return line !== -1 && line < open ? text : text.slice(0, open);
}

/**
 * Splits a meal, an attraction or a lodging at the last comma into name and city; both are `-` without a usable comma.
 */
export function nameCity(text: string): { readonly name: string; readonly city: string } {
  const comma = text.lastIndexOf(",");
  if (comma === -1 || comma === text.length - 1) return { name: "-", city: "-" };
  const from = text.lastIndexOf("\n", comma - 1) + 1;
  return {
    name: strip(text.slice(from, comma)),
    city: strip(cut(strip(text.slice(comma + 1)))),
  };
}

export type Route = { readonly from: string; readonly to: string };

/**
 * Returns the first `from A to B`: the shortest A on one line, B up to the next comma or the end; undefined if there is none.
 * Equivalent to a search for `from\s+(.+?)\s+to\s+([^,]+)`.
 */
export function fromTo(text: string): Route | undefined {
  let barren = 0;
  for (let at = text.indexOf("from"); at !== -1; at = text.indexOf("from", at + 1)) {
    let start = at + 4;
    while (isBlankAt(text, start)) start++;
    if (start === at + 4) continue;
    const blank = blankOrigin(text, at + 4, start);
    if (start >= barren) {
      let end = start + 1;
      for (; end < text.length && text[end - 1] !== "\n"; end++) {
        if (!isBlankAt(text, end)) continue;
        const to = destination(text, end);
        if (to !== undefined) return { from: text.slice(start, end), to };
        // The next candidate cannot be inside this run of spaces, unless a line ends in it.
        while (text[end] !== "\n" && isBlankAt(text, end + 1)) end++;
      }
      barren = end;
    }
    if (blank !== undefined) return blank;
  }
  return undefined;
}

/** Returns the text after white space, `to` and white space at `at`; undefined if these are not at `at`. */
function destination(text: string, at: number): string | undefined {
  let word = at;
  while (isBlankAt(text, word)) word++;
  if (!text.startsWith("to", word)) return undefined;
  let start = word + 2;
  while (isBlankAt(text, start)) start++;
  if (start === word + 2) return undefined;
  // If only spaces follow, the last of them is the destination.
  if (start === text.length || text[start] === ",") start--;
  if (start === word + 2) return undefined;
  const comma = text.indexOf(",", start);
  return text.slice(start, comma === -1 ? text.length : comma);
}

/** Matches the unusual case of `from`, three or more spaces, `to B`, whose origin is a space. */
function blankOrigin(text: string, from: number, start: number): Route | undefined {
  for (let at = start - 2; at > from; at--) {
    if (text[at] === "\n") continue;
    const to = destination(text, start);
    return to === undefined ? undefined : { from: text.slice(at, at + 1), to };
  }
  return undefined;
}

/** Returns the mode of travel of a leg: the first of these names in the text. */
export function modeOf(text: string): "Taxi" | "Self-driving" | "Flight" | undefined {
  const lower = text.toLowerCase();
  if (lower.includes("taxi")) return "Taxi";
  if (lower.includes("self-driving")) return "Self-driving";
  return lower.includes("flight") ? "Flight" : undefined;
}

/** Returns the attractions the evaluator considers: every piece that ends in `;`. */
export const attractionsOf = (text: string): readonly string[] => text.split(";").slice(0, -1);
