/**
 * Finds tool calls that a model wrote as text: `<tool_call>` (Hermes, Qwen), `<|python_tag|>` (Llama), `[TOOL_CALLS]` (Mistral),
 * fenced or bare JSON. The text is untrusted, so scanning takes time linear in its length.
 */
import type { Json, ToolCall } from "../../types.ts";
import { unfinished } from "./think-tags.ts";
import { jsonDepth, parseJson, stringEnd } from "../../text/json-record.ts";

type Named = { readonly name: string; readonly arguments: Json };

/** Marks at which calls in text begin. */
const tags = ["<tool_call>", "<|python_tag|>", "[TOOL_CALLS]"];
const beginnings = [...tags, "```"];

/** Limit of calls read from one reply. */
const mostCalls = 64;

/** Withholds text from any possible start of calls, so that calls never count as an answer. */
export class TextCalls {
  readonly #offered: ReadonlySet<string>;
  #held = "";
  #whole = false;
  #blank = true;

  /** Treats fenced and bare JSON as a call only if it names an offered tool. */
  constructor(offered: readonly string[]) {
    this.#offered = new Set(offered);
  }

  /** Returns the text that certainly contains no call. */
  take(text: string): string {
    this.#held += text;
    if (this.#whole) return "";
    const at = firstOf(this.#held, beginnings);
    const bare = this.#blank && /^\s*[{[]/.test(this.#held) ? 0 : -1;
    const begin = bare === 0 ? 0 : at;
    if (begin !== -1) this.#whole = true;
    const end = begin === -1 ? this.#held.length - unfinished(this.#held, beginnings) : begin;
    const certain = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    if (certain.trim() !== "") this.#blank = false;
    return certain;
  }

  /** Returns the calls in the withheld text, and the remaining text. `read` is false if the calls came separately. */
  end(read: boolean): { readonly text: string; readonly calls: readonly ToolCall[] } {
    const held = this.#held;
    this.#held = "";
    const found = read && this.#whole ? callsIn(held, this.#offered) : undefined;
    if (found === undefined || found.calls.length === 0) return { text: held, calls: [] };
    const calls = found.calls.slice(0, mostCalls).map(({ name, arguments: value }, index): ToolCall => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return { id: `text-call-${index}`, name, text, arguments: parseArguments(text) };
    });
    return { text: found.rest, calls };
  }
}

function callsIn(text: string, offered: ReadonlySet<string>) {
  const calls: Named[] = [];
  let rest = "";
  let at = 0;
  // Each mark may require scanning all the remaining text.
  for (let looked = 0; at < text.length && looked < mostCalls; looked++) {
    const begin = firstOf(text, beginnings, at);
    const bare = at === 0 && begin !== 0 && /^\s*[{[]/.test(text);
    const from = bare ? 0 : begin;
    if (from === -1) break;
    rest += text.slice(at, from);
    const mark = bare ? "" : beginnings.find((each) => text.startsWith(each, from))!;
    const found = callsAt(text, from + mark.length, mark, offered);
    if (found === undefined) {
      rest += text.slice(from, from + Math.max(1, mark.length));
      at = from + Math.max(1, mark.length);
      // Bare JSON that is not a call is an answer.
      if (bare) break;
    } else {
      calls.push(...found.calls);
      at = found.end;
    }
  }
  return { calls, rest: (rest + text.slice(at)).trim() };
}

/** Returns the calls after a mark and their end; undefined if there are no calls. */
function callsAt(text: string, from: number, mark: string, offered: ReadonlySet<string>) {
  let at = from;
  if (mark === "```") at = afterWord(text, at);
  if (mark === "[TOOL_CALLS]") {
    // Newer templates write `[TOOL_CALLS]name[ARGS]{...}` or `[TOOL_CALLS]name{...}`.
    const name = /^\s*([\w.-]{1,128})(?:\[CALL_ID\][\w-]{0,64})?(?:\[ARGS\])?\s*(?=\{)/.exec(text.slice(at, at + 300));
    if (name !== null) {
      const value = jsonAt(text, at + name[0].length);
      return value === undefined ? undefined : { calls: [{ name: name[1]!, arguments: value.value }], end: value.end };
    }
  }
  const calls: Named[] = [];
  let end = at;
  for (;;) {
    const value = jsonAt(text, end);
    const named = value === undefined ? [] : namedIn(value.value);
    if (value === undefined || named.length === 0) break;
    if (!tags.includes(mark) && named.some(({ name }) => !offered.has(name))) break;
    calls.push(...named);
    end = value.end;
    // Llama separates parallel calls by semicolons.
    const parted = /^\s*;\s*(?=\{)/.exec(text.slice(end, end + 50));
    if (parted !== null) end += parted[0].length;
    else if (!/^\s*\{/.test(text.slice(end, end + 50))) break;
  }
  if (calls.length === 0) return undefined;
  const close = mark === "<tool_call>" ? "</tool_call>" : mark === "```" ? "```" : "";
  const closed = close === "" ? -1 : text.indexOf(close, end);
  return { calls, end: closed !== -1 && text.slice(end, closed).trim() === "" ? closed + close.length : end };
}

/** Returns the calls of a JSON value: one, or a list of them. */
function namedIn(value: Json): readonly Named[] {
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const named = list.map(namedCall);
  return named.every((each) => each !== undefined) ? named : [];
}

function namedCall(value: Json): Named | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = value as { readonly [key: string]: Json };
  const inner = fields["function"];
  if (typeof inner === "object" && inner !== null) return namedCall(inner);
  const name = fields["name"];
  const given = fields["arguments"] ?? fields["parameters"];
  if (typeof name !== "string" || name === "" || given === undefined) return undefined;
  if (typeof given !== "string" && (typeof given !== "object" || given === null)) return undefined;
  return { name, arguments: given };
}

/** Returns the JSON object or list that begins at or after blank space from `from`. */
function jsonAt(text: string, from: number): { readonly value: Json; readonly end: number } | undefined {
  let start = from;
  while (start < text.length && " \t\r\n".includes(text[start]!)) start += 1;
  if (text[start] !== "{" && text[start] !== "[") return undefined;
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const unit = text[index];
    if (unit === '"') index = stringEnd(text, index);
    else if (unit === "{" || unit === "[") depth += 1;
    else if (unit === "}" || unit === "]") depth -= 1;
    if (depth > 0) continue;
    const value = parseArguments(text.slice(start, index + 1));
    return value === undefined ? undefined : { value, end: index + 1 };
  }
  return undefined;
}

/** Returns the position after the language named after a fence. */
function afterWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\w/.test(text[at]!)) at += 1;
  return at;
}

function firstOf(text: string, words: readonly string[], from = 0): number {
  const found = words.map((word) => text.indexOf(word, from)).filter((at) => at !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Maximum depth that is parsed: no tool needs deeper nesting, and recursive code over arguments would overflow the stack. */
const deepest = 200;

/** Parses the JSON value in `text`; undefined if it is not JSON or nested deeper than 200 levels. */
export function parseArguments(text: string): Json | undefined {
  return jsonDepth(text) > deepest ? undefined : parseJson(text);
}
