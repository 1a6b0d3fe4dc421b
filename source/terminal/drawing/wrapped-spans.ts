import type { Line, Span, Style } from "../../engine/figures/drawing/line.ts";
import { printable, width, wrap } from "../../engine/text/printable.ts";

/** Wraps styled text at blanks; `indent` is at the start of the first line, and as many blanks are at the start of the others. */
export const wrapSpans = (spans: readonly Span[], columns: number, indent: string): Line[] =>
  new WrappedSpans(columns, indent).lines(spans);

/** The first word of a line, and the number of the line. */
type Begin = { readonly line: number; readonly span: number; readonly offset: number };

/** Wraps a text that grows. Full lines before the last two stay the same objects and are not laid out again. */
export class WrappedSpans {
  readonly #room: number;
  readonly #indent: string;
  readonly #blanks: string;
  readonly #before: readonly Span[];
  #spans: readonly Span[] = [];
  #full: Line[] = [];
  #begins: Begin[] = [];
  // The line being filled, and the columns it uses.
  #line: Span[] = [];
  #used = 0;
  /** The span of the last words in the line; words of one span are joined into one text. */
  #last: Span | undefined;

  /** `before` is put in front of each line and does not count towards `columns`. */
  constructor(columns: number, indent: string, before: readonly Span[] = []) {
    this.#room = Math.max(4, columns - width(indent));
    this.#indent = indent;
    this.#before = before;
    this.#blanks = " ".repeat(width(indent));
  }

  lines(spans: readonly Span[]): Line[] {
    const from = this.#kept(spans);
    this.#spans = spans;
    this.#full.length = from?.line ?? 0;
    for (let index = from?.span ?? 0; index < spans.length; index++) {
      let offset = index === from?.span ? from.offset : 0;
      for (const word of spans[index]!.text.slice(offset).split(/(?<= )(?=[^ ])/)) {
        if (this.#used > 0 && this.#used + width(word.trimEnd()) > this.#room) {
          this.#full.push(this.#ended());
          this.#begins.push({ line: this.#full.length, span: index, offset });
        }
        this.#place(word, spans[index]!);
        offset += word.length;
      }
    }
    return this.#line.length > 0 || this.#full.length === 0 ? [...this.#full, this.#ended()] : [...this.#full];
  }

  /**
   * Returns the first position that must be laid out again. The word after a line decides where the line ends, and the last word
   * may still grow, so only lines before the last line are final.
   */
  #kept(spans: readonly Span[]): Begin | undefined {
    let same = 0;
    while (same < this.#spans.length && isSame(this.#spans[same]!, spans[same])) same++;
    const grown = spans[same];
    const before = this.#spans[same];
    const within = grown !== undefined && before !== undefined && hasGrown(before, grown) ? before.text.length : 0;
    this.#begins.pop();
    const isKept = ({ offset, span }: Begin) => span < same || (span === same && offset < within);
    while (this.#begins.length > 0 && !isKept(this.#begins.at(-1)!)) this.#begins.pop();
    return this.#begins.at(-1);
  }

  /** Adds a word that fits into the line; a word longer than a line is broken anywhere. */
  #place(word: string, span: Span): void {
    const pieces = wrap(word, this.#room);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) this.#full.push(this.#ended());
      const isLast = index === pieces.length - 1;
      // A word that is wrapped loses its blanks, one of which separates it from the next.
      const spaced = isLast && word.endsWith(" ") && !piece.endsWith(" ") ? `${piece} ` : piece;
      const text = this.#used === 0 && this.#full.length > 0 ? spaced.trimStart() : spaced;
      if (this.#last === span) this.#line.push({ ...span, text: `${this.#line.pop()!.text}${text}` });
      else this.#line.push({ ...span, text });
      this.#last = span;
      this.#used += width(text);
    }
  }

  /** Ends the current line and begins a new one. */
  #ended(): Line {
    // A full line has no room for the blank after its last word.
    const text = this.#line.at(-1);
    if (this.#used > this.#room) this.#line[this.#line.length - 1] = { ...text!, text: text!.text.trimEnd() };
    const indent = { text: this.#full.length === 0 ? this.#indent : this.#blanks };
    const line: Line = [...this.#before, indent, ...this.#line];
    this.#line = [];
    this.#last = undefined;
    this.#used = 0;
    return line;
  }
}

const isSame = (before: Span, now: Span | undefined): boolean =>
  now !== undefined && before.text === now.text && isAlike(before, now);

const hasGrown = (before: Span, now: Span): boolean => now.text.startsWith(before.text) && isAlike(before, now);

/** Returns true if both differ at most in their text. */
const isAlike = (one: Span, other: Span): boolean =>
  one.style === other.style &&
  one.heat === other.heat &&
  one.weight === other.weight &&
  one.series === other.series &&
  one.selected === other.selected;

/**
 * Packs short spans into as few lines as possible without breaking any, with `indent` blanks before each line and two between
 * spans. A span that is too long for a line is on its own line.
 */
export function packedSpans(spans: readonly Span[], columns: number, indent = 1): readonly Line[] {
  const lines: Span[][] = [];
  let used = columns;
  for (const span of spans) {
    const wide = width(span.text);
    const fits = used + 2 + wide <= columns;
    if (fits) lines.at(-1)!.push({ text: "  " }, span);
    else lines.push([{ text: " ".repeat(indent) }, span]);
    used = (fits ? used + 2 : indent) + wide;
  }
  return lines;
}

/** Wraps a text after `sign`, with its further lines below its first word. */
export function hangingLines(sign: string, text: string, columns: number, style: Style): Line[] {
  const blanks = " ".repeat(width(sign));
  return wrap(printable(text), Math.max(10, columns - blanks.length)).map((line, index) => [
    { text: `${index === 0 ? sign : blanks}${line}`, style },
  ]);
}
