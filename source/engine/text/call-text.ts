import type { ToolCall } from "../types.ts";
import { writtenJson, partialJson, type PartialJson } from "./partial-json.ts";

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
 * A line in which JSON is all there is, or stands behind the name of a tool, an arrow or a label, as calls and their results are written:
 * `book({"seats":2})` is `book(seats=2)`, `→ {"at":{"town":"Oslo"}}` is `→ at town: Oslo`. Any other line is as it was.
 */
export function readableLine(line: string): string {
  const [, name = "", argument = ""] = /^([^\s({]+)\((\{[^]*\})\)$/.exec(line) ?? [];
  const [, arrow = "", json = argument] = /^(→ |[\w ]{1,40}: )?(\{[^]*\})$/.exec(line) ?? [];
  const given = json === "" ? undefined : partialJson(json);
  if (given?.kind !== "object" || given.open) return line;
  if (name !== "") return `${name}(${pairsText(given)})`;
  return given.entries.length === 0 ? line : `${arrow}${fieldsText(given).join(", ")}`;
}

/** Each value with the names that lead to it. */
function fieldsText({ entries }: JsonObject): string[] {
  return entries.flatMap(([name, value]) => {
    if (value.kind === "object" && value.entries.length > 0)
      return fieldsText(value).map((field) => `${name} ${field}`);
    return [`${name}: ${value.kind === "text" ? value.text : writtenJson(value)}`];
  });
}

type JsonObject = Extract<PartialJson, { kind: "object" }>;

function pairsText({ entries }: JsonObject): string {
  return entries.map(([name, value]) => `${name}=${writtenJson(value)}`).join(", ");
}
