/**
 * Reading the fields of a plan: cities, names, routes. The published evaluator does it with regular expressions; these are
 * scanners with the same results that take linear time on hostile text. White space is Python's, not JavaScript's.
 */
import { isBlankAt, strip } from "../../../source/engine/python/text.ts";

/** Everything before the first `(` that has a later `)`, spaces kept; the whole text where there is none on the first line. */
export function cut(text: string): string {
  const open = text.indexOf("(");
  if (open === -1 || text.indexOf(")", open) === -1) return text;
  const line = text.indexOf("\n");
  return line !== -1 && line < open ? text : text.slice(0, open);
}

/** Name and city of a meal, an attraction or a lodging, split at the last comma; `-` for both where there is none to split at. */
export function nameCity(text: string): { readonly name: string; readonly city: string } {
  const comma = text.lastIndexOf(",");
  if (comma === -1 || comma === text.length - 1) return { name: "-", city: "-" };
  const from = text.lastIndexOf("\n", comma - 1) + 1;
  return {
    name: strip(text.slice(comma === 0 ? 0 : from, comma)),
    city: strip(cut(strip(text.slice(comma + 1)))),
  };
}

export type Route = { readonly from: string; readonly to: string };

/**
 * The first `from A to B`: the shortest A on one line, B up to the next comma or the end. Undefined where there is none.
 * Equal to searching `from\s+(.+?)\s+to\s+([^,]+)`.
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
        // The next candidate cannot lie inside this run of spaces, unless a line ends in it.
        while (text[end] !== "\n" && isBlankAt(text, end + 1)) end++;
      }
      barren = end;
    }
    if (blank !== undefined) return blank;
  }
  return undefined;
}

/** What follows white space, `to`, white space at `at`; undefined where that does not stand there. */
function destination(text: string, at: number): string | undefined {
  let word = at;
  while (isBlankAt(text, word)) word++;
  if (!text.startsWith("to", word)) return undefined;
  let start = word + 2;
  while (isBlankAt(text, start)) start++;
  if (start === word + 2) return undefined;
  // With nothing behind the spaces the last of them is the destination.
  if (start === text.length || text[start] === ",") start--;
  if (start === word + 2) return undefined;
  const comma = text.indexOf(",", start);
  return text.slice(start, comma === -1 ? text.length : comma);
}

/** The odd match of `from`, three or more spaces, `to B`, whose origin is a space. */
function blankOrigin(text: string, from: number, start: number): Route | undefined {
  for (let at = start - 2; at > from; at--) {
    if (text[at] === "\n") continue;
    const to = destination(text, at + 1);
    return to === undefined ? undefined : { from: text.slice(at, at + 1), to };
  }
  return undefined;
}

/** How a leg is travelled, by the first of these names in it. */
export function modeOf(text: string): "Taxi" | "Self-driving" | "Flight" | undefined {
  const lower = text.toLowerCase();
  if (lower.includes("taxi")) return "Taxi";
  if (lower.includes("self-driving")) return "Self-driving";
  return lower.includes("flight") ? "Flight" : undefined;
}

/** The attractions of a day that anyone looks at: every piece that ends in `;`. */
export function attractionsOf(text: string): readonly string[] {
  return text.split(";").slice(0, -1);
}
