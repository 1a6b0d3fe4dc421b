import type { ToolCall } from "../types.ts";
import { jsonText, partialJson, type PartialJson } from "./partial-json.ts";

/**
 * A tool call as people write one: `book(place="Odeon", seats=2)`. Arguments are read from what the model wrote, so that a number of
 * any length, or a name given twice, stands as it was sent; those that are no object stand as they are.
 */
export function callText({ name, text }: Pick<ToolCall, "name" | "text">): string {
  const given = partialJson(text);
  if (given?.kind !== "object") return `${name}(${text})`;
  return `${name}(${pairsText(given)}${given.open ? "" : ")"}`;
}

/**
 * A line in which JSON is all there is, or stands behind the name of a tool or an arrow, as strategies and suites write calls and their
 * results: `book({"seats":2})` is `book(seats=2)`, `→ {"ok":true}` is `→ ok=true`. Any other line is as it was.
 */
export function readableLine(line: string): string {
  const [, name = "", argument = ""] = /^([^\s({]+)\((\{[^]*\})\)$/.exec(line) ?? [];
  const [, arrow = "", json = argument] = /^(→ )?(\{[^]*\})$/.exec(line) ?? [];
  const given = json === "" ? undefined : partialJson(json);
  if (given?.kind !== "object" || given.open) return line;
  if (name !== "") return `${name}(${pairsText(given)})`;
  return given.entries.length === 0 ? line : `${arrow}${pairsText(given)}`;
}

function pairsText({ entries }: Extract<PartialJson, { kind: "object" }>): string {
  return entries.map(([name, value]) => `${name}=${jsonText(value)}`).join(", ");
}
