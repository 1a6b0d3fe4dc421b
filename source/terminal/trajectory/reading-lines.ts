/** What a model wrote, as it is read: JSON as fields, also while it streams; a step of a plan as a step; Markdown set. */
import { type Line, lineWidth, type Span, type Style } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import { emphasised, isFence, lineBlock } from "../../engine/text/markdown.ts";
import { partialJson, type PartialJson } from "../../engine/text/partial-json.ts";
import { printable, printableLines } from "../../engine/text/printable.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import { spansOf } from "../notebook/note-lines.ts";

/** Lines of at most `columns`. Lines of the text stay lines, whatever Markdown would make of them. */
export function readingLines(text: string, columns: number, symbols: Symbols): Line[] {
  const value = partialJson(text);
  const lines = value === undefined ? markdownLines(text, symbols) : fieldLines(value, symbols);
  return lines.flatMap(({ indent, spans }) => wrapSpans(spans, Math.max(10, columns), " ".repeat(indent)));
}

type Indented = { readonly indent: number; readonly spans: readonly Span[] };

const at = (indent: number, ...spans: Span[]): Indented => ({ indent, spans });

function markdownLines(text: string, symbols: Symbols): Indented[] {
  let fenced = false;
  return text.split("\n").map((raw) => {
    const line = raw.trimEnd();
    const fence = isFence(line);
    if (fence) fenced = !fenced;
    if (fence || fenced) return at(0, { text: printable(line), style: fence ? "faint" : "code" });
    const block = lineBlock(line);
    const indent = line.length - line.trimStart().length;
    switch (block?.kind) {
      case "heading":
        return at(0, { text: printable(block.text), style: "title" });
      case "rule":
        return at(0, { text: symbols.rule.repeat(3), style: "rule" });
      case "item": {
        const sign = block.sign === "" ? symbols.bullet : block.sign;
        return at(block.indent, { text: `${sign} ` }, ...spansOf(block.parts));
      }
      case "quote":
        return at(0, { text: `${symbols.bar} ${printable(block.text)}`, style: "faint" });
      default:
        return at(indent, ...spansOf(emphasised(line.slice(indent), { underscores: false })));
    }
  });
}

type Entries = readonly (readonly [string, PartialJson])[];

/** Fields under each other, those of a field further in. */
function fieldLines(value: PartialJson, symbols: Symbols, indent = 0): Indented[] {
  if (value.kind === "list")
    return value.items.flatMap((item, index) => namedLines(String(index + 1), item, symbols, indent));
  if (value.kind !== "object") return textLines([], value, symbols, indent);
  const step = stepIn(value.entries);
  if (step !== undefined) return stepLines(step, symbols, indent);
  return value.entries.flatMap(([name, each]) =>
    // What only holds a step is no news.
    each.kind === "object" && holdsStep(each)
      ? fieldLines(each, symbols, indent)
      : namedLines(name, each, symbols, indent),
  );
}

function namedLines(name: string, value: PartialJson, symbols: Symbols, indent: number): Indented[] {
  const label: Span = { text: `${printable(name)}  `, style: "faint" };
  if (value.kind === "text" || value.kind === "scalar")
    return textLines([label], value, symbols, indent, isThought(name) ? "faint" : "plain");
  const count = value.kind === "list" ? value.items.length : value.entries.length;
  if (count === 0 && !value.open) return [at(indent, label, { text: "none", style: "faint" })];
  const short = value.kind === "list" ? shortList(value.items) : undefined;
  if (short !== undefined) return [at(indent, label, { text: short })];
  return [at(indent, label), ...fieldLines(value, symbols, indent + 2)];
}

/** What a model thinks aloud is quieter than what it does. */
const isThought = (name: string): boolean => /thought|thinking|reasoning/i.test(name);

/** Short values one after the other; undefined where they need lines of their own. */
function shortList(items: readonly PartialJson[]): string | undefined {
  const texts = items.map((item) =>
    item.kind === "text" || item.kind === "scalar" ? printable(item.text) : undefined,
  );
  if (texts.includes(undefined)) return undefined;
  const joined = texts.join(", ");
  return joined.length <= 60 && !joined.includes("↵") ? joined : undefined;
}

type Written = { readonly text: string; readonly open: boolean };

/** Stands where more is to come. */
const goesOn = ({ half }: Symbols): Span => ({ text: half, style: "accent" });

/** A text behind its label, its further lines under it; where it goes on, a mark says so. */
function textLines(
  label: readonly Span[],
  { text, open }: Written,
  symbols: Symbols,
  indent: number,
  style: Style = "plain",
): Indented[] {
  const lines = printableLines(text);
  const last = lines.length - 1;
  const spans = (line: string, index: number): Span[] => [
    { text: line, style },
    ...(open && index === last ? [goesOn(symbols)] : []),
  ];
  return lines.map((line, index) =>
    index === 0 ? at(indent, ...label, ...spans(line, index)) : at(indent + 2, ...spans(line, index)),
  );
}

/** A step of a plan: its number, what is to be done, the action, and what came of it. */
type Step = {
  readonly number: string;
  readonly description: string;
  readonly action: PartialJson | undefined;
  readonly results: PartialJson | undefined;
  readonly open: boolean;
};

/** `StepNumber`, `step_number` and `step number` are one name. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

function stepIn(entries: Entries): Step | undefined {
  const field = (...names: string[]) => entries.find(([name]) => names.includes(plainName(name)))?.[1];
  const [number, description] = [field("stepnumber"), field("description", "stepdescription")];
  if (number?.kind !== "scalar" && number?.kind !== "text") return undefined;
  const known = ["stepnumber", "description", "stepdescription", "action", "results", "result"];
  // Whatever else there is must not be hidden.
  if (entries.some(([name]) => !known.includes(plainName(name)))) return undefined;
  const said = description?.kind === "text" ? description.text : "";
  return {
    number: number.text,
    description: said,
    action: field("action"),
    results: field("results", "result"),
    open: description?.open === true,
  };
}

function holdsStep(value: PartialJson): boolean {
  if (value.kind !== "object") return false;
  return stepIn(value.entries) !== undefined || value.entries.some(([, each]) => holdsStep(each));
}

function stepLines({ number, description, action, results, open }: Step, symbols: Symbols, indent: number): Indented[] {
  const head: Span = { text: `${printable(number)}  `, style: "strong" };
  const inner = indent + lineWidth([head]);
  const status =
    results?.kind === "object" ? results.entries.find(([name]) => plainName(name) === "status") : undefined;
  const isFailure = status?.[1].kind === "text" && /^fail/i.test(status[1].text);
  const arrow: Span[] =
    results === undefined
      ? []
      : [
          { text: ` ${symbols.right2} `, style: "faint" },
          ...(status?.[1].kind === "text"
            ? [{ text: printable(status[1].text), style: isFailure ? "bad" : "good" } as const]
            : []),
        ];
  const rest: PartialJson | undefined =
    results?.kind === "object" ? { ...results, entries: results.entries.filter((entry) => entry !== status) } : results;
  return [
    ...textLines([head], { text: description, open }, symbols, indent),
    ...(action === undefined && results === undefined ? [] : [at(inner, ...actionSpans(action, symbols), ...arrow)]),
    ...(rest === undefined ? [] : fieldLines(rest, symbols, inner)),
  ];
}

/** A call as it is written; operations with what they are done to. */
function actionSpans(action: PartialJson | undefined, symbols: Symbols): Span[] {
  if (action === undefined) return [];
  const text =
    action.kind === "object"
      ? action.entries.map(([name, value]) => `${name}(${"text" in value ? value.text : ""})`).join(", ")
      : action.kind === "list"
        ? (shortList(action.items) ?? "")
        : action.text;
  return [{ text: printable(text), style: "code" }, ...(action.open ? [goesOn(symbols)] : [])];
}
