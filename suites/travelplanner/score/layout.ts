/** Reads and writes plans in the prescribed layout, and reads plans in JSON, without a model. */
import { parseJson } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import type { Day, Field } from "./plan.ts";
import { readLiteral } from "../data/literal.ts";

const LABELS = [
  ["current_city", "Current City:"],
  ["transportation", "Transportation:"],
  ["breakfast", "Breakfast:"],
  ["attraction", "Attraction:"],
  ["lunch", "Lunch:"],
  ["dinner", "Dinner:"],
  ["accommodation", "Accommodation:"],
] as const satisfies readonly (readonly [Field | "current_city", string])[];

/** Writes a plan in the prescribed layout, with each day on its lines. */
export function writeLayout(days: readonly Day[]): string {
  const blocks = days.map((day, index) => {
    const lines = LABELS.map(([field, label]) => `${label} ${day[field]}`);
    return [`Day ${index + 1}:`, ...lines].join("\n");
  });
  return blocks.join("\n\n");
}

/**
 * Reads a plan in the prescribed layout: days 1, 2, 3 ... with all seven labels, each value up to the next label or the end of
 * its line. The whole plan may be on one line. Ignores text before `Day 1:`, Markdown asterisks and dollar signs; adds a missing
 * semicolon after the last attraction. Returns undefined for any other text, which a model must read.
 */
export function readLayout(written: string): readonly Day[] | undefined {
  const text = written.replaceAll("**", "").replaceAll("$", "");
  const days: Day[] = [];
  let at = lastFirstDay(text);
  while (at !== -1) {
    const next = dayAt(text, days.length + 2, at);
    const day = readDay(text.slice(at, next === -1 ? text.length : next), days.length + 1);
    if (day === undefined) return undefined;
    days.push(day);
    at = next;
  }
  return days.length === 0 ? undefined : days;
}

/** Finds the last `Day 1:`, because a chain of thought may sketch days earlier. */
function lastFirstDay(text: string): number {
  let found = -1;
  for (let at = dayAt(text, 1, 0); at !== -1; at = dayAt(text, 1, at + 1)) found = at;
  return found;
}

/** Finds `Day n:` followed by the day's first label. It need not be at the start of a line, because agents lose line breaks. */
function dayAt(text: string, number: number, from: number): number {
  const mark = `Day ${number}:`;
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    let label = at + mark.length;
    while (/\s/.test(text[label] ?? "")) label += 1;
    if (text.startsWith(LABELS[0][1], label)) return at;
  }
  return -1;
}

function readDay(block: string, number: number): Day | undefined {
  const found = LABELS.map(([field, label]) => ({ field, label, at: block.indexOf(label) }));
  if (found.some(({ at }) => at === -1)) return undefined;
  const values = found.map(({ field, label, at }): [string, string] => {
    const start = at + label.length;
    const following = found.map((other) => other.at).filter((other) => other > at);
    const lineEnd = block.indexOf("\n", start);
    const end = Math.min(...following, lineEnd === -1 ? block.length : lineEnd);
    return [field, block.slice(start, end).trim() || "-"];
  });
  // There is one value per label, and the labels name every field of a day.
  const fields = Object.fromEntries(values) as Record<Field | "current_city", string>;
  const { attraction } = fields;
  const closed = attraction === "-" || attraction.endsWith(";") ? attraction : `${attraction};`;
  return { days: number, ...fields, attraction: closed };
}

/** Reads a list of day objects from a reply: from its fenced block, otherwise between the outermost brackets. */
export function readJsonPlan(reply: string): Json | undefined {
  const open = reply.indexOf("```");
  const fence = open === -1 ? -1 : reply.indexOf("\n", open);
  const close = fence === -1 ? -1 : reply.indexOf("```", fence);
  const inside = close === -1 ? reply : reply.slice(fence, close);
  const text = inside.slice(inside.indexOf("["), inside.lastIndexOf("]") + 1);
  if (!text.startsWith("[")) return undefined;
  const value = parseJson(text) ?? readLiteral(text);
  const isPlan = Array.isArray(value) && value.some((day) => typeof day === "object" && day !== null);
  return isPlan ? value : undefined;
}
