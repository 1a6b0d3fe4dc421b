import { signs } from "../../look/signs.ts";
import type { ToolCall } from "../types.ts";
import { jsonAt, partialJson, writtenJson, type PartialJson } from "./partial-json.ts";

/**
 * Returns a tool call in readable form: `book(place="Odeon", seats=2)`. Arguments come from the model's text, so that a number of
 * any length, or a repeated name, stays unchanged; arguments that are not an object stay verbatim.
 */
export function callText({ name, text }: Pick<ToolCall, "name" | "text">): string {
  // A call written into the reply contains its name.
  if (text.startsWith(`${name}[`) || text.startsWith(`${name}(`)) return writtenCall(text) ?? text;
  const given = partialJson(text);
  if (given?.kind !== "object") return `${name}(${text})`;
  return `${name}(${pairsText(given)}${given.open ? "" : ")"}`;
}

/**
 * Returns a call with named arguments, written by a model in JSON or as a Python dict, in readable form. `book({'seats': 2})` and
 * `Book[{"seats":2}]` are `book(seats=2)` and `Book(seats=2)`, also if only a part was received; undefined for any other text.
 * Takes time in proportion to the text.
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

/** The pairs of an object within a text, and the position after it. */
type Pairs = { readonly pairs: string; readonly to: number };

function jsonPairs(text: string, from: number): Pairs | undefined {
  const found = jsonAt(text, from);
  return found?.value.kind === "object" ? { pairs: pairsText(found.value), to: found.to } : undefined;
}

/** Reads a Python dict; values are kept verbatim. */
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

/** Returns the quoted text at this position, to the end if it is not closed. */
function quotedAt(text: string, from: number): string | undefined {
  const quote = text[from];
  if (quote !== "'" && quote !== '"') return undefined;
  let at = from + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === "\\" ? 2 : 1;
  return text.slice(from, at + 1);
}

/**
 * Returns the position of the comma or brace after a value, or of the end of the text; undefined if another bracket precedes
 * it.
 */
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
 * Returns a call in brackets after its app, as AppBench's plans contain them, in the form of other calls: `Trains: [fare =
 * find(#to='Oslo')]` is `Trains: fare = find(to='Oslo')`; undefined for any other line.
 */
export function assignedCall(line: string): string | undefined {
  const [, app = "", returns = "", name = "", given = ""] = bracketed.exec(line) ?? [];
  if (name === "") return undefined;
  return `${app}: ${returns}${name}(${given.replaceAll(/(^|,\s{0,3})#(?=\w)/g, "$1")})`;
}

const bracketed = /^([\w ]{1,60}): \[([\w ,]{0,300}= ?)?(\w{1,100})\(([^\n]*)\)\]$/;

/**
 * Makes a line readable that consists of JSON, or of JSON after the name of a tool, an arrow or a label, as calls and results
 * are written: `book({"seats":2})` becomes `book(seats=2)`, `→ {"at":{"town":"Oslo"}}` becomes `→ at town: Oslo`. Any other
 * line is unchanged.
 */
export function readableLine(line: string): string {
  const [, label = "", rest = line] = labelled.exec(line) ?? [];
  const call = writtenCall(rest);
  if (call?.endsWith(")") === true) return `${label}${call}`;
  const [, arrow = "", json = ""] = labelledObject.exec(line) ?? [];
  const given = json === "" ? undefined : partialJson(json);
  if (given?.kind !== "object" || given.open) return line;
  return given.entries.length === 0 ? line : `${arrow}${fieldsText(given).join(", ")}`;
}

const labelled = new RegExp(`^(${signs.right2} |[\\w ]{1,40}: )([^]*)$`);
const labelledObject = new RegExp(`^(${signs.right2} |[\\w ]{1,40}: )?(\\{[^]*\\})$`);

/** Returns each value with the names that lead to it. */
function fieldsText({ entries }: JsonObject): string[] {
  return entries.flatMap(([name, value]) => {
    if (value.kind === "object" && value.entries.length > 0)
      return fieldsText(value).map((field) => `${name} ${field}`);
    return [`${name}: ${value.kind === "text" ? value.text : writtenJson(value)}`];
  });
}

/** Returns an object on one line as names and values, without empty values; undefined for any other text. */
export function valuesText(text: string): string | undefined {
  const given = partialJson(text);
  if (given?.kind !== "object" || given.open) return undefined;
  const values = leafTexts(given);
  return values.length === 0 ? undefined : values.join(", ");
}

function leafTexts({ entries }: JsonObject): string[] {
  return entries.flatMap(([name, value]) => {
    if (value.kind === "object") return leafTexts(value);
    const text = value.kind === "text" ? value.text : writtenJson(value);
    return /^(|null|\[\s*\])$/.test(text.trim()) ? [] : [`${name} ${text}`];
  });
}

type JsonObject = Extract<PartialJson, { kind: "object" }>;

const pairsText = ({ entries }: JsonObject): string =>
  entries.map(([name, value]) => `${name}=${writtenJson(value)}`).join(", ");
