/** Plans over toolkits: parsed from a model's reply, and compared. */
import type { Toolkit } from "../protocol.ts";
import type { Json } from "../types.ts";
import { isRecord, parseJson } from "../text/json-record.ts";

export type ToolkitStep = { readonly toolkit: number; readonly goal: string };
export type ReadPlan = {
  readonly steps: readonly ToolkitStep[];
  /** Names that were not offered: hallucinated toolkits, and excluded toolkits. */
  readonly unknown: readonly string[];
};

/** Lists the toolkits of a plan for a prompt. */
export const listing = (toolkits: readonly Toolkit[]): string =>
  toolkits.map(({ id, description }) => `[Toolkit ${id}, Desc[${description}]]`).join("\n");

/**
 * Returns the toolkits that a prompt lists. Scans the prompt once, because searching it for each of two thousand takes seconds.
 */
export function listedIn(prompt: string, toolkits: readonly Toolkit[]): readonly Toolkit[] {
  const ids = new Set([...prompt.matchAll(/\[Toolkit (\d{1,9}),/g)].map(([, id]) => Number(id)));
  return toolkits.filter(({ id }) => ids.has(id));
}

/** Longer plans are truncated; no published task needs nearly as many steps. */
export const longestPlan = 20;
/** Most characters in the name of a toolkit. */
const longestName = 80;

/**
 * Reads the steps of a plan written as a JSON list of one-key objects, `[{"Toolkit 12": "what to do"}, ...]`, anywhere in the
 * reply. A toolkit may be written `Toolkit 12`, `12` or `toolkit_12`; a toolkit that is not `offered` is listed in `unknown`.
 * Without a list, or with a list that is not JSON, the plan is empty.
 */
export function readPlan(reply: string, offered: ReadonlySet<number>): ReadPlan {
  const steps: ToolkitStep[] = [];
  const unknown: string[] = [];
  for (const [name, goal] of listed(reply).flatMap(pairsOf)) {
    const toolkit = toolkitId(name);
    if (toolkit === undefined || !offered.has(toolkit)) unknown.push(name.slice(0, longestName));
    else if (steps.length < longestPlan) steps.push({ toolkit, goal: typeof goal === "string" ? goal : "" });
  }
  return { steps, unknown: unknown.slice(0, longestPlan) };
}

/** Returns the outermost JSON list in a reply; empty if there is none. */
export function listed(reply: string): readonly Json[] {
  const from = reply.indexOf("[");
  const value = from < 0 ? undefined : parseJson(reply.slice(from, reply.lastIndexOf("]") + 1));
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function pairsOf(item: Json): readonly (readonly [string, Json])[] {
  if (typeof item === "string" || typeof item === "number") return [[String(item), ""]];
  return isRecord(item) ? Object.entries(item) : [];
}

function toolkitId(name: string): number | undefined {
  if (name.length > longestName) return undefined;
  const last = name.trim().split(/[ _]/).at(-1)!;
  return /^\d+$/.test(last) ? Number(last) : undefined;
}

/**
 * Returns the number of leading steps whose toolkits are equal in both plans, at most `most`: the depth of their lowest common
 * ancestor in the tree of plans. Sub-goals are not compared.
 */
export function commonPrefix(before: readonly ToolkitStep[], after: readonly ToolkitStep[], most: number): number {
  let shared = 0;
  while (shared < most && before[shared] !== undefined && before[shared]!.toolkit === after[shared]?.toolkit)
    shared += 1;
  return shared;
}

/** Returns a plan on one line. */
export const planText = (steps: readonly ToolkitStep[]): string =>
  steps.map(({ toolkit, goal }) => `Toolkit ${toolkit}${goal === "" ? "" : `: ${goal}`}`).join(" -> ");
