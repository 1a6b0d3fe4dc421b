import type { ToolCall } from "../types.ts";
import { jsonAt, partialJson, writtenJson, type PartialJson } from "./partial-json.ts";

/**
 * A tool call as people write one: `book(place="Odeon", seats=2)`. Arguments are read from what the model wrote, so that a number of
 * any length, or a name given twice, stands as it was sent; those that are no object stand as they are.
 */
export function callText({ name, text }: Pick<ToolCall, "name" | "text">): string {
  // A call that a model wrote into its reply stands there with its name.
  if (text.startsWith(`${name}[`) || text.startsWith(`${name}(`)) return writtenCall(text) ?? text;
  const given = partialJson(text);
  if (given?.kind !== "object") return `${name}(${text})`;
  return `${name}(${pairsText(given)}${given.open ? "" : ")"}`;
}

/**
 * A text that is a call with named arguments, as models write them: in JSON, or as a dictionary of Python. `book({'seats': 2})` and
 * `Book[{"seats":2}]` are `book(seats=2)` and `Book(seats=2)`, as far as they have come; undefined for any other text. Takes time in
 * proportion to the text.
 */
export function writtenCall(text: string): string | undefined {
  const [head = "", name = "", bracket = ""] = /^([^\s({[]{1,200})([([])(?=\{)/.exec(text) ?? [];
  if (name === "") return undefined;
  const found = jsonPairs(text, head.length) ?? pythonPairs(text, head.length);
  if (found === undefined) return undefined;
  const rest = text.slice(found.to);
  const end = bracket === "(" ? ")" : "]";
  if (rest !== "" && rest !== end) return undefined;
  return `${name}(${found.pairs}${rest === end ? ")" : ""}`;
}

/** The pairs of an object that begins at some place of a text, and where what comes after it begins. */
type Pairs = { readonly pairs: string; readonly to: number };

function jsonPairs(text: string, from: number): Pairs | undefined {
  const found = jsonAt(text, from);
  return found?.value.kind === "object" ? { pairs: pairsText(found.value), to: found.to } : undefined;
}

/** The same of a dictionary of Python, whose values stand as they are written. */
function pythonPairs(text: string, from: number): Pairs | undefined {
  const pairs: string[] = [];
  const upTo = (to: number): Pairs => ({ pairs: pairs.join(", "), to });
  let at = from + 1;
  for (;;) {
    at = afterBlanks(text, at);
    if (text[at] === "}") return upTo(at + 1);
    if (at >= text.length) return upTo(at);
    const name = quotedAt(text, at);
    if (name === undefined) return undefined;
    const colon = afterBlanks(text, at + name.length);
    if (colon >= text.length) return upTo(colon);
    if (text[colon] !== ":") return undefined;
    const begin = afterBlanks(text, colon + 1);
    const end = afterValue(text, begin);
    if (end === undefined) return undefined;
    pairs.push(`${name.slice(1, -1)}=${text.slice(begin, end).trimEnd()}`);
    at = text[end] === "," ? end + 1 : end;
  }
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\t") at += 1;
  return at;
}

/** The text in quotes that begins there, up to the end where they are not closed. */
function quotedAt(text: string, from: number): string | undefined {
  const quote = text[from];
  if (quote !== "'" && quote !== '"') return undefined;
  let at = from + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === "\\" ? 2 : 1;
  return text.slice(from, at + 1);
}

/** Where the comma or the brace behind a value stands, or the text ends; undefined where another bracket comes before it. */
function afterValue(text: string, from: number): number | undefined {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const one = text[at]!;
    if (depth === 0 && (one === "," || one === "}")) return at;
    if ("([{".includes(one)) depth += 1;
    if (")]}".includes(one)) depth -= 1;
    if (depth < 0) return undefined;
    at += quotedAt(text, at)?.length ?? 1;
  }
  return at;
}

/**
 * A line in which JSON is all there is, or stands behind the name of a tool, an arrow or a label, as calls and their results are written:
 * `book({"seats":2})` is `book(seats=2)`, `→ {"at":{"town":"Oslo"}}` is `→ at town: Oslo`. Any other line is as it was.
 */
export function readableLine(line: string): string {
  const [, label = "", rest = line] = /^(→ |[\w ]{1,40}: )([^]*)$/.exec(line) ?? [];
  const call = writtenCall(rest);
  if (call?.endsWith(")") === true) return `${label}${call}`;
  const [, arrow = "", json = ""] = /^(→ |[\w ]{1,40}: )?(\{[^]*\})$/.exec(line) ?? [];
  const given = json === "" ? undefined : partialJson(json);
  if (given?.kind !== "object" || given.open) return line;
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
