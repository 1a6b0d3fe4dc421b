/**
 * Reads a plan as VAL does: its tokens, the positions at which VAL silently ends a plan, and the mistakes that make it
 * unreadable.
 */
import type { Atom } from "./pddl.ts";

/** VAL's words, which are no names. */
const reserved = new Set(
  [
    "and or not imply exists forall when whenever either define domain problem number undefined",
    "always sometime within at-most-once sometime-after sometime-before always-within hold-during hold-after",
    "preference is-violated increase decrease scale-up scale-down assign minimize maximize total-time",
  ].flatMap((line) => line.split(" ")),
);

const token = /;[^\n]*|[a-z_][a-z0-9_-]*|-?[0-9]+(?:\.[0-9]*)?|[()[\]=+*/><?:.-]/g;

/**
 * Returns the steps of a plan; undefined if a step contains a mistake. Text after the first token that starts no step is not
 * read.
 */
export function readPlan(text: string): readonly Atom[] | undefined {
  const tokens: string[] = [];
  for (const [found] of text.toLowerCase().matchAll(token)) if (!found.startsWith(";")) tokens.push(found);
  const steps: Atom[] = [];
  let at = 0;
  for (;;) {
    if (isNumber(tokens[at])) {
      if (tokens[at + 1] !== ":") return undefined;
      at += 2;
      if (tokens[at] !== "(") return undefined;
    }
    if (tokens[at] !== "(") break;
    const from = ++at;
    while (isName(tokens[at])) at++;
    if (at === from || tokens[at] !== ")") return undefined;
    steps.push(tokens.slice(from, at));
    at++;
    if (tokens[at] !== "[") continue;
    if (!isNumber(tokens[at + 1]) || tokens[at + 2] !== "]") return undefined;
    at += 3;
  }
  return steps;
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[a-z_]/.test(word) && !reserved.has(word);
}

function isNumber(word: string | undefined): boolean {
  return word !== undefined && /^-?[0-9]/.test(word);
}
