/** Shows codes in a trajectory: below the lines that they name; codes of the whole task in a list. */
import { lineText, type Line } from "../../engine/figures/drawing/line.ts";
import { symbolsOf } from "../../look/signs.ts";
import { printable, wrap } from "../../engine/text/printable.ts";
import type { Code, CodePlace } from "../../engine/analysis.ts";
import { type Block, blockOf, type Section } from "../trajectory/block.ts";
import type { View } from "../trajectory/view.ts";

/** A code, and whether it is of the attempt that is shown. */
export type ShownCode = { readonly code: Code; readonly counts: boolean };

/** Characters of a place's text: a code quotes no more. */
const longestQuote = 500;

/**
 * Returns blocks with the codes of this section, each below the last line that it names. The checks also list all other codes.
 */
export function withCodes(
  blocks: readonly Block[],
  codes: readonly ShownCode[],
  section: Section,
  view: View,
): readonly Block[] {
  const here = codes.filter(({ code, counts }) => counts && code.place?.section === section);
  const placed = here.reduce((shown, each) => besidePlace(shown, each, view), blocks);
  if (section !== "checks") return placed;
  const others = codes.filter((each) => !here.includes(each));
  if (others.length === 0) return placed;
  const heading = blockOf("codes", [[], [{ text: "  Codes", style: "title" }]]);
  // Below the score, before the first heading.
  const first = placed.findIndex(({ line }) => line(0).length === 0);
  return placed.toSpliced(
    first < 0 ? placed.length : first,
    0,
    heading,
    ...others.map((each) => codeBlock(each, view)),
  );
}

function besidePlace(blocks: readonly Block[], each: ShownCode, view: View): readonly Block[] {
  const { block = "", end = block, quote = "" } = each.code.place!;
  const at = blockNamed(blocks, end);
  const found = blocks[at];
  const shown = codeBlock(each, view);
  if (found === undefined) return [...blocks, shown];
  const last = quote.split("\n").at(-1)!.trim();
  const line =
    last === "" ? -1 : linesIn(found).findLastIndex((text) => withoutStroke(text).startsWith(last.slice(0, 200)));
  if (line < 0 || line === found.count - 1) return blocks.toSpliced(at + 1, 0, shown);
  const rest = { ...found, id: `${found.id} after ${shown.id}`, count: found.count - line - 1 };
  const after: Block = { ...rest, line: (index) => found.line(line + 1 + index), error: undefined, folds: undefined };
  return blocks.toSpliced(at, 1, { ...found, count: line + 1 }, shown, after);
}

/**
 * Returns the index of the block of this name, otherwise of the block that contained it, because folding a text changes its
 * blocks.
 */
function blockNamed(blocks: readonly Block[], name: string): number {
  for (let id = name; id !== ""; id = id.includes(" ") ? id.slice(0, id.lastIndexOf(" ")) : "") {
    const at = blocks.findLastIndex((block) => nameOf(block) === id);
    if (at >= 0) return at;
  }
  return -1;
}

const linesIn = (block: Block): readonly string[] =>
  Array.from({ length: block.count }, (_, index) => lineText(block.line(index)));

/** Returns the name of a block before codes and mistakes inside it divided it. */
const nameOf = ({ id }: Block): string => id.split(" after ")[0]!;

function codeBlock({ code, counts }: ShownCode, view: View): Block {
  const { id, by, kind, remark, place } = code;
  const stale = counts ? "" : " (of an attempt that no longer counts)";
  const said = remark === undefined ? "" : `: ${remark}`;
  const where = place?.quote === undefined || counts ? "" : `  "${place.quote.split("\n")[0]!.slice(0, 60)}"`;
  const text = printable(`# ${kind}  ${by}${said}${stale}${where}`);
  const lines = wrap(text, Math.max(10, view.columns - 4)).map((line): Line => [
    { text: "    " },
    { text: line, style: counts ? "warn" : "faint" },
  ]);
  return blockOf(`code ${by} ${id}`, lines, { ...(counts && { error: true }), code });
}

const strokes: readonly string[] = [symbolsOf(false).under, symbolsOf(true).under];

/** Returns a line without the stroke under wrong words, because the stroke is not text; empty if the line contains nothing else. */
function withoutStroke(line: string): string {
  const text = line.trim();
  const end = strokes.includes(text[0]!) ? [...text].findIndex((sign) => sign !== text[0]) : 0;
  if (end < 0) return "";
  return text[end] === " " ? text.slice(end).trimStart() : text;
}

/** Returns the place of these lines of a section, from the first to the last; undefined for an empty section. */
export function placeOf(
  section: Section,
  { blocks, from, to }: { readonly blocks: readonly Block[]; readonly from: number; readonly to: number },
  requestOf: (block: string) => number | undefined,
): CodePlace | undefined {
  const texts: string[] = [];
  let [first, last]: (Block | undefined)[] = [];
  let line = 0;
  let until = to + 1;
  /** The step above a mistake; blocks of mistakes have separate names. */
  let owner: string | undefined;
  for (const block of blocks) {
    const before = line;
    line += block.count;
    if (first === undefined && /^(?:step|request) \d/.test(block.id)) owner = nameOf(block);
    const begin = Math.max(0, from - before);
    if (begin >= Math.min(block.count, until - before)) continue;
    // A code is no text of its own: its place is the one it names.
    if (block.code?.place !== undefined && from === to) return block.code.place;
    if (block.code !== undefined) continue;
    for (let at = begin; at < Math.min(block.count, until - before); at++) {
      const written = lineText(block.line(at));
      const text = withoutStroke(written);
      if (text === "" && written.trim() !== "") {
        // The line below it says what is wrong.
        if (before + at === until - 1) until += 1;
        continue;
      }
      // Blank lines at both ends belong to no place.
      if (text !== "") [first, last] = [first ?? block, block];
      if (first !== undefined) texts.push(text);
    }
  }
  if (first === undefined || last === undefined) return undefined;
  const [block, end] = [nameOf(first), nameOf(last)];
  const inStep = section === "steps" ? (owner ?? block) : block;
  const step = section === "steps" ? /^step (\d+)/.exec(inStep)?.[1] : undefined;
  const request = requestOf(inStep);
  return {
    section,
    ...(request !== undefined && { request }),
    ...(step !== undefined && { step: Number(step) }),
    block,
    ...(end !== block && { end }),
    quote: texts.join("\n").trimEnd().slice(0, longestQuote),
  };
}
