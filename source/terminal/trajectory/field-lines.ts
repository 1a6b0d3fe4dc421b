/** Shows JSON for reading: fields below each other; a step of a plan as number, description, action, status and result. */
import { type Line, lineWidth, type Span, type Style } from "../../engine/figures/drawing/line.ts";
import { type Symbols, standIns } from "../../look/signs.ts";
import { assignedCall, writtenCall } from "../../engine/text/call-text.ts";
import { writtenJson, type PartialJson } from "../../engine/text/partial-json.ts";
import { printable, printableLines } from "../../engine/text/printable.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";

/** A line that is not wrapped yet. */
export type Indented = { readonly indent: number; readonly spans: readonly Span[] };

export const at = (indent: number, ...spans: Span[]): Indented => ({ indent, spans });

type Entries = readonly (readonly [string, PartialJson])[];

/** Wraps into lines of at most `columns` columns; `columns` is at least 4. */
export const wrapIndented = (part: Indented, columns: number): Line[] =>
  wrapSpans(part.spans, columns, indentOf(part, columns));

/** Returns the blanks before its lines, at most half of a narrow window. */
export const indentOf = ({ indent }: Indented, columns: number): string => " ".repeat(Math.min(indent, columns >> 1));

/** The lines of finished values, so that only new text is laid out. */
export type LaidOut = Map<PartialJson, { readonly indent: number; readonly lines: readonly Indented[] }>;

/** The texts before a turn. A text that is still streamed counts as repeated as long as an earlier text starts with it. */
export type SaidBefore = {
  /** Returns how many consecutive requests before this request had the same thought of the same speaker. */
  thought(text: string, open: boolean): number;
  /** Returns true if the other side has just sent this description or action of a step. */
  step(text: string, open: boolean): boolean;
};

type Look = { readonly symbols: Symbols; readonly laidOut?: LaidOut; readonly said?: SaidBefore | undefined };

/** Lists fields below each other; nested fields are indented. */
export function fieldLines(value: PartialJson, look: Look, indent = 0): readonly Indented[] {
  if (value.kind !== "object" && value.kind !== "list") return textLines([], value, look.symbols, indent);
  const step = value.kind === "object" ? stepIn(value.entries) : undefined;
  if (step !== undefined) return stepLines(step, look, indent);
  const entries: Entries =
    value.kind === "object" ? value.entries : value.items.map((item, index) => [String(index + 1), item]);
  return entries.flatMap(([name, each]) => entryLines(name, each, look, indent));
}

function entryLines(name: string, value: PartialJson, look: Look, indent: number): readonly Indented[] {
  const known = look.laidOut?.get(value);
  if (known?.indent === indent) return known.lines;
  // A value that only holds a step needs no line of its own.
  const lines = holdsStep(value) ? fieldLines(value, look, indent) : namedLines(name, value, look, indent);
  if (!value.open) look.laidOut?.set(value, { indent, lines });
  return lines;
}

function namedLines(name: string, value: PartialJson, look: Look, indent: number): Indented[] {
  const label: Span = { text: `${printable(name)}  `, style: "faint" };
  if (value.kind === "text" && isThought(name)) {
    const times = look.said?.thought(value.text, value.open) ?? 0;
    if (times > 0) return [at(indent, label, { text: repeatedText(times), style: "faint" })];
  }
  if (value.kind === "text" || value.kind === "scalar")
    return textLines([label], value, look.symbols, indent, isThought(name) ? "faint" : "plain");
  const count = value.kind === "list" ? value.items.length : value.entries.length;
  if (count === 0 && !value.open) return [at(indent, label, { text: "none", style: "faint" })];
  const short = value.kind === "list" ? shortList(value.items) : undefined;
  if (short !== undefined) return [at(indent, label, { text: short })];
  return [at(indent, label), ...fieldLines(value, look, indent + 2)];
}

/** States that a thought equals that of the previous requests. */
export const repeatedText = (times: number): string => (times === 1 ? "as before" : `as the last ${times} times`);

/** A model's thoughts are quieter than its actions. */
export const isThought = (name: string): boolean => /thought|thinking|reasoning/i.test(name);

const longestList = 60;

/** Returns short values on one line; undefined if they need several lines. */
function shortList(items: readonly PartialJson[]): string | undefined {
  let joined = "";
  for (const item of items) {
    if (item.kind !== "text" && item.kind !== "scalar") return undefined;
    joined += `${joined === "" ? "" : ", "}${printable(item.text)}`;
    if (joined.length > longestList || joined.includes(standIns.lineBreak)) return undefined;
  }
  return joined;
}

type Written = { readonly text: string; readonly open: boolean };

/** Marks text that continues. */
const goesOn = ({ half }: Symbols): Span => ({ text: half, style: "accent" });

/**
 * Shows a text after its label, with further lines below; a call has named arguments, and a mark shows that a text
 * continues.
 */
function textLines(
  label: readonly Span[],
  { text, open }: Written,
  symbols: Symbols,
  indent: number,
  style: Style = "plain",
): Indented[] {
  if (text === "" && !open) return [at(indent, ...label, { text: '""', style: "faint" })];
  const lines = printableLines(writtenCall(text) ?? text).map((line) => assignedCall(line) ?? line);
  const last = lines.length - 1;
  const spans = (line: string, index: number): Span[] => [
    { text: line, style },
    ...(open && index === last ? [goesOn(symbols)] : []),
  ];
  return lines.map((line, index) =>
    index === 0 ? at(indent, ...label, ...spans(line, index)) : at(indent + 2, ...spans(line, index)),
  );
}

/** A step of a plan: number, task, action and result. */
type Step = {
  readonly number: string;
  /** Undefined until it arrives. */
  readonly description: Written | undefined;
  readonly action: PartialJson | undefined;
  readonly results: PartialJson | undefined;
};

/** Treats `StepNumber`, `step_number` and `step number` as one name. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

const stepFields: ReadonlyMap<string, "number" | "description" | "action" | "results"> = new Map([
  ["stepnumber", "number"],
  ["description", "description"],
  ["stepdescription", "description"],
  ["action", "action"],
  ["results", "results"],
  ["result", "results"],
] as const);

function stepIn(entries: Entries): Step | undefined {
  const fields = new Map(entries.map(([name, value]) => [stepFields.get(plainName(name)), value]));
  const [number, description] = [fields.get("number"), fields.get("description")];
  if (number === undefined || !("text" in number)) return undefined;
  // Other or repeated fields must not be hidden.
  if (fields.has(undefined) || fields.size < entries.length) return undefined;
  if (description !== undefined && !("text" in description)) return undefined;
  return {
    number: number.text,
    description,
    action: fields.get("action"),
    results: fields.get("results"),
  };
}

function holdsStep(value: PartialJson): boolean {
  if (value.kind !== "object") return false;
  return stepIn(value.entries) !== undefined || value.entries.some(([, each]) => holdsStep(each));
}

function stepLines({ number, description, action, results }: Step, look: Look, indent: number): Indented[] {
  const { symbols } = look;
  const head: Span = { text: `${printable(number)}  `, style: "strong" };
  const inner = indent + lineWidth([head]);
  const status = statusOf(results);
  const rest: PartialJson | undefined =
    status !== undefined && results?.kind === "object"
      ? { ...results, entries: results.entries.filter((entry) => entry !== status.entry) }
      : results;
  const arrow: Span[] = results === undefined ? [] : [{ text: ` ${symbols.right2} `, style: "faint" }];
  const isSaid = (text: string | undefined, open = false) => text !== undefined && look.said?.step(text, open) === true;
  const isDescribed = isSaid(description?.text, description?.open);
  const shown = action === undefined || isSaid(actionText(action), action.open) ? [] : actionSpans(action, symbols);
  const rests = rest === undefined ? [] : fieldLines(rest, look, inner);
  if (isDescribed && shown.length === 0 && results !== undefined) {
    const [got, ...further] = status === undefined ? rests : [at(inner, status.span), ...rests];
    return [at(indent, head, { text: `${symbols.right2} `, style: "faint" }, ...(got?.spans ?? [])), ...further];
  }
  return [
    ...(description === undefined || isDescribed
      ? [at(indent, head)]
      : textLines([head], description, symbols, indent)),
    ...(shown.length === 0 && results === undefined
      ? []
      : [at(inner, ...shown, ...arrow, ...(status === undefined ? [] : [status.span]))]),
    ...rests,
  ];
}

/** Returns the descriptions and actions of the steps in a value. */
export function stepTexts(value: PartialJson): readonly string[] {
  if (value.kind === "list") return value.items.flatMap(stepTexts);
  if (value.kind !== "object") return [];
  const step = stepIn(value.entries);
  if (step === undefined) return value.entries.flatMap(([, each]) => stepTexts(each));
  const { description, action } = step;
  return [
    ...(description === undefined ? [] : [description.text]),
    ...(action === undefined ? [] : [actionText(action)]),
  ];
}

/** Returns the only status in the results. */
function statusOf(results: PartialJson | undefined) {
  if (results?.kind !== "object") return undefined;
  const [entry, ...others] = results.entries.filter(([name]) => plainName(name) === "status");
  if (entry === undefined || others.length > 0 || !("text" in entry[1])) return undefined;
  const { text } = entry[1];
  const span: Span = { text: printable(text), style: /^(fail|false)/i.test(text) ? "bad" : "good" };
  return { entry, span };
}

/** Shows a call as it was written, and operations with their objects. */
function actionSpans(action: PartialJson | undefined, symbols: Symbols): Span[] {
  if (action === undefined) return [];
  return [{ text: printable(actionText(action)), style: "code" }, ...(action.open ? [goesOn(symbols)] : [])];
}

function actionText(action: PartialJson): string {
  switch (action.kind) {
    case "object":
      return action.entries
        .map(([name, value]) => `${name}(${"text" in value ? value.text : writtenJson(value)})`)
        .join(", ");
    case "list":
      return action.items.map(actionText).join(", ");
    default:
      return writtenCall(action.text) ?? action.text;
  }
}
