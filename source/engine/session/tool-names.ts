/**
 * What a cell says by `tools`: in which way tools are called, as every suite has it, and where a suite takes tools, the names of
 * those its tasks are asked with: `tools: [calendar, mail]`. Several ways are a grid; the names are one value, lists of names a grid.
 */
import type { Json } from "../types.ts";

/** Written and read between names in one text, as names of tool servers have none. */
const between = ", ";

/** The values of `tools` that say how, and those that name tools, each as one text. */
export function splitTools(
  given: Json,
  ways: readonly string[],
): { readonly ways: Json; readonly names: readonly string[] } {
  const items = Array.isArray(given) ? (given as readonly Json[]) : [given];
  const isName = (item: Json): item is string => typeof item === "string" && !ways.includes(item);
  const single = items.filter(isName);
  const lists = items.filter((item): item is readonly string[] => Array.isArray(item) && item.every(isName));
  const rest = items.filter((item) => !isName(item) && !lists.some((list) => list === item));
  const names = [...(single.length === 0 ? [] : [single]), ...lists].map((list) => list.toSorted().join(between));
  return { ways: rest, names: [...new Set(names)] };
}

/** The names in one value of `toolServers`. */
export function toolNames(value: unknown): readonly string[] {
  return typeof value === "string" ? [...new Set(value.split(between))] : [];
}
