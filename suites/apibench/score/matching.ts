/**
 * Finding a reply's call in the catalogue, as the official Gorilla scripts do: the syntax tree of the call is walked in a
 * fixed order; for each catalogue entry the first node whose first child reads like the entry's function is the candidate,
 * and every selected argument must occur in its text. Where no node fits, the original continues with the last node it
 * looked at (a missing for-else), so that a made-up function can still match.
 */

/** What the official matcher derives from one catalogue entry. */
export type MatchKey = {
  readonly index: number;
  readonly usable: boolean;
  readonly function?: string;
  readonly needles?: readonly string[];
  readonly domain: string;
  readonly api_call: string;
};

/** A syntax node that has children. */
export type CallNode = { readonly text: string; readonly first: string };

/** No entry's function is nearly as long; longer texts need not be hashed, which keeps hostile replies cheap. */
const longestFunction = 500;

/** Nodes of a reply's call in the order the original lists them; the last one is its fallback. */
export type ListNodes = (call: string) => readonly CallNode[];
/** The same, worked out elsewhere. */
export type FindNodes = (call: string) => Promise<readonly CallNode[]>;

/** Index into `keys` of the first entry that matches; -1 where none does, which the paper counts as a hallucination. */
export function matchCall(nodes: readonly CallNode[], keys: readonly MatchKey[]): number {
  const last = nodes.at(-1);
  if (last === undefined) return -1;
  const byFunction = new Map<string, CallNode>();
  for (const node of nodes) {
    const { first } = node;
    if (first.length <= longestFunction && !byFunction.has(first)) byFunction.set(first, node);
  }
  return keys.findIndex((key) => {
    if (!key.usable || key.function === undefined || key.needles === undefined || key.needles.length === 0)
      return false;
    const candidate = byFunction.get(key.function) ?? last;
    return key.needles.every((needle) => candidate.text.includes(needle));
  });
}

/** Whether the call itself (no fallback) is this entry's function with all its selected arguments: the strict reading. */
export function isStrictly(nodes: readonly CallNode[], key: MatchKey | undefined): boolean {
  if (key?.function === undefined || key.needles === undefined) return false;
  const candidate = nodes.find((node) => node.first === key.function);
  return candidate !== undefined && key.needles.every((needle) => candidate.text.includes(needle));
}

/**
 * The nodes by a rule that needs no grammar: the outermost balanced `name(...)` that ends furthest right. Agrees with the
 * syntax tree on about 93 % of real replies; only used where the grammar cannot be loaded, and results then have a warning.
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

/** The dotted name that ends just before `end`. */
function nameBefore(call: string, end: number): string {
  let from = end;
  while (from > 0 && /[\w.]/.test(call[from - 1]!)) from -= 1;
  return call.slice(from, end);
}
