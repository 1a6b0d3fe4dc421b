import type { Line, Span, Style } from "../../engine/figures/drawing/line.ts";
import { printable, width, wrap } from "../../engine/text/printable.ts";

/** Styled text broken at blanks; `indent` starts the first line, the same number of blanks the others. */
export function wrapSpans(spans: readonly Span[], columns: number, indent: string): Line[] {
  return new WrappedSpans(columns, indent).lines(spans);
}

/** Where a line begins that begins with a word. */
type Begin = { readonly line: number; readonly span: number; readonly offset: number };

/** The same of a text that grows: full lines before its last two stay the same objects, and what is in them is not looked at again. */
export class WrappedSpans {
  readonly #room: number;
  readonly #indent: string;
  readonly #blanks: string;
  readonly #before: readonly Span[];
  #spans: readonly Span[] = [];
  #full: Line[] = [];
  #begins: Begin[] = [];
  // The line that is being filled, and the columns it takes.
  #line: Span[] = [];
  #used = 0;
  /** Of which span the last words of the line are: words of one span stay one. */
  #last: Span | undefined;

  /** `before` stands before each line and is not counted. */
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
   * From where on these spans have to be laid out. Where a line ends is decided by the word behind it: the last word may still
   * grow, and what is before the line it is in cannot change.
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

  /** Puts a word that fits onto the line; one that is longer than a line is broken anywhere. */
  #place(word: string, span: Span): void {
    const pieces = wrap(word, this.#room);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) this.#full.push(this.#ended());
      const isLast = index === pieces.length - 1;
      const text =
        this.#used === 0 && this.#full.length > 0
          ? piece.trimStart()
          : isLast && word.endsWith(" ") && !piece.endsWith(" ")
            ? `${piece} `
            : piece;
      if (this.#last === span) this.#line.push({ ...span, text: `${this.#line.pop()!.text}${text}` });
      else this.#line.push({ ...span, text });
      this.#last = span;
      this.#used += width(text);
    }
  }

  /** The line as it is, and a new one begun. */
  #ended(): Line {
    // A line that is full has no room for the blank behind its last word.
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

function isSame(before: Span, now: Span | undefined): boolean {
  return now !== undefined && before.text === now.text && isAlike(before, now);
}

function hasGrown(before: Span, now: Span): boolean {
  return now.text.startsWith(before.text) && isAlike(before, now);
}

/** In everything but the text. */
function isAlike(one: Span, other: Span): boolean {
  return (
    one.style === other.style &&
    one.heat === other.heat &&
    one.series === other.series &&
    one.selected === other.selected
  );
}

/**
 * Short spans in as few lines as they fit into, none of them broken: `indent` blanks before each line, two between two spans. A span
 * that is too long for a line gets one of its own.
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

/** Wraps a text behind `sign`, with its further lines below its first word. */
export function hangingLines(sign: string, text: string, columns: number, style: Style): Line[] {
  const blanks = " ".repeat(width(sign));
  return wrap(printable(text), Math.max(10, columns - blanks.length)).map((line, index) => [
    { text: `${index === 0 ? sign : blanks}${line}`, style },
  ]);
}
