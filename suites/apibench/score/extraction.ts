/**
 * Extracts the call from a model's reply and finds it in the catalogue, as the official Gorilla scripts do.
 *
 * The syntax tree of the call is walked in a fixed order. For each catalogue entry, the candidate is the first node
 * whose first child equals the entry's function, and every selected argument must occur in its text. If no node
 * matches, the original continues with the last node it visited (a missing for-else), so an invented function can still
 * match.
 */
import { z } from "zod";
import type { Fitting } from "../../../source/engine/text/checked-record.ts";
import { factOf } from "../../../source/engine/work/fact.ts";

export type Hub = "torchhub" | "huggingface" | "tensorflowhub";
export const hubs: readonly Hub[] = ["torchhub", "huggingface", "tensorflowhub"];

/**
 * Returns the text that the official scripts parse as the call. Returns undefined for a TorchHub reply without
 * `api_call`, which counts as neither right nor a hallucination; the other hubs then parse the whole reply. The slice
 * of the field is the original's: from two characters after the first colon to the last closing parenthesis, or to the
 * second-last character if there is none.
 */
export function extractCall(reply: string, hub: Hub): string | undefined {
  const pieces = reply.split("api_call");
  if (pieces[1] === undefined) return hub === "torchhub" ? undefined : reply;
  const piece = pieces[1].split("api_provider")[0]!;
  const characters = [...piece];
  const start = Math.max(0, characters.indexOf(":"));
  const last = characters.lastIndexOf(")");
  const end = last < 0 ? characters.length - 1 : last + 1;
  return characters.slice(start + 2, end).join("");
}

/** Keys that the official matcher derives from one catalogue entry. */
export const matchKey = z.object({
  index: z.int(),
  usable: z.boolean(),
  function: z.exactOptional(z.string()),
  needles: z.exactOptional(z.array(z.string())),
  domain: z.string(),
  api_call: z.string(),
});
export type MatchKey = Fitting<typeof matchKey>;

/** A syntax node that has children. */
export type CallNode = { readonly text: string; readonly first: string };

/** Maximum characters of a text that is hashed, which no entry's function nearly reaches; this keeps hostile replies cheap. */
const longestFunction = 500;

/** Lists the nodes of a reply's call in the order of the original; the last node is the fallback. */
export type ListNodes = (call: string) => readonly CallNode[];
/** Lists the nodes in another thread. */
export type FindNodes = (call: string) => Promise<readonly CallNode[]>;

/**
 * Returns the index of the first matching entry in `keys`, or -1 if none matches, which the paper counts as a
 * hallucination.
 */
export function matchCall(nodes: readonly CallNode[], keys: readonly MatchKey[]): number {
  const last = nodes.at(-1);
  if (last === undefined) return -1;
  const firstNodes = new Map<string, CallNode>();
  for (const node of nodes) {
    const { first } = node;
    if (first.length <= longestFunction && !firstNodes.has(first)) firstNodes.set(first, node);
  }
  const { byFunction, byStart } = indexOf(keys);
  let found = keys.length;
  for (const [name, { text }] of firstNodes)
    for (const { at, needles } of byFunction.get(name) ?? [])
      if (at < found && needles.every((needle) => text.includes(needle))) found = at;
  // Of the other functions, only those with a needle that begins somewhere in the text are looked for.
  const { text } = last;
  const take = (start: string) => {
    for (const { at, name, needles } of byStart.get(start) ?? [])
      if (at < found && !firstNodes.has(name) && needles.every((needle) => text.includes(needle))) found = at;
  };
  take(shortStart);
  const starts = Array.from({ length: text.length }, (_, from) => text.slice(from, from + startLength));
  for (const start of new Set(starts)) take(start);
  return found < keys.length ? found : -1;
}

type UsableKey = { readonly at: number; readonly name: string; readonly needles: readonly string[] };
type KeyIndex = {
  readonly byFunction: ReadonlyMap<string, readonly UsableKey[]>;
  /** By the first characters of the first needle; a needle that has fewer is under `shortStart`. */
  readonly byStart: ReadonlyMap<string, readonly UsableKey[]>;
};

const startLength = 4;
const shortStart = "";
/** Returns the first characters of a needle. */
const startOf = (needle: string) => (needle.length < startLength ? shortStart : needle.slice(0, startLength));
/** Returns the usable keys of a catalogue by what a reply must contain for them; computed once. */
const indexOf = factOf((keys: readonly MatchKey[]): KeyIndex => {
  const usable = keys.flatMap(({ usable, function: name, needles = [] }, at) =>
    usable && name !== undefined && needles.length > 0 ? [{ at, name, needles }] : [],
  );
  return {
    byFunction: Map.groupBy(usable, ({ name }) => name),
    byStart: Map.groupBy(usable, ({ needles }) => startOf(needles[0]!)),
  };
});

/** Reads strictly: returns whether the call itself (no fallback) is this entry's function with all its selected arguments. */
export function isStrictly(nodes: readonly CallNode[], key: MatchKey | undefined): boolean {
  if (key?.function === undefined || key.needles === undefined) return false;
  const candidate = nodes.find((node) => node.first === key.function);
  return candidate !== undefined && key.needles.every((needle) => candidate.text.includes(needle));
}

/**
 * Finds the node without a grammar: the outermost balanced `name(...)` that ends furthest right. Agrees with the syntax
 * tree on about 93 % of real replies. Used only if the grammar cannot be loaded; results then carry a warning.
 */
export const listNodesSimply: ListNodes = (call) => {
  const open: number[] = [];
  let best: CallNode | undefined;
  for (let index = 0; index < call.length; index++) {
    if (call[index] === "(") open.push(index);
    if (call[index] !== ")") continue;
    const from = open.pop();
    if (from === undefined || open.length > 0) continue;
    const name = nameBefore(call, from);
    if (name !== "") best = { first: name, text: call.slice(from - name.length, index + 1) };
  }
  return best === undefined ? [] : [best];
};

/** Returns the dotted name that ends just before `end`. */
function nameBefore(call: string, end: number): string {
  let from = end;
  while (from > 0 && /[\w.]/.test(call[from - 1]!)) from -= 1;
  return call.slice(from, end);
}
