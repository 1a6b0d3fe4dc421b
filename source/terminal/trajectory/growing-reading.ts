/** What a model writes, read while it streams: what stands is read, laid out and wrapped once, however long it becomes. */
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import { GrowingJson, type PartialJson } from "../../engine/text/partial-json.ts";
import { WrappedSpans } from "../drawing/wrapped-spans.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";
import { fieldLines, indentOf, type Indented, type LaidOut } from "./field-lines.ts";
import { markdownLine, markdownParts } from "./reading-lines.ts";

/** Characters of Markdown, or of a text within JSON, that are looked at anew for every frame in which it grows. */
const longestGrowing = 20_000;

export class GrowingReading {
  readonly #json = new GrowingJson();
  readonly #laidOut: LaidOut = new Map();
  /** Lines of Markdown that have ended, as they are read. */
  readonly #read = new Map<string, Indented>();
  #wrapped: WeakMap<Indented, readonly Line[]> | undefined;
  /** The part that was wrapped last: the only one that grows. */
  #last: { readonly indent: number; readonly spans: WrappedSpans } | undefined;
  readonly #blanks: readonly Span[];
  #columns = -1;
  #text = "";
  #lines: readonly Line[] | undefined;

  /** `blanks` stand before each line. */
  constructor(blanks = 0) {
    this.#blanks = blanks === 0 ? [] : [{ text: " ".repeat(blanks) }];
  }

  /** Lines of at most `columns`; undefined where what still grows in the text is too long. Those that stand are the same objects. */
  lines(text: string, columns: number, symbols: Symbols): readonly Line[] | undefined {
    if (text === this.#text && columns === this.#columns) return this.#lines;
    if (columns !== this.#columns) {
      this.#wrapped = new WeakMap();
      this.#last = undefined;
    }
    this.#text = text;
    this.#columns = columns;
    this.#lines = this.#grown(text, columns, symbols);
    return this.#lines;
  }

  #grown(text: string, columns: number, symbols: Symbols): readonly Line[] | undefined {
    const value = this.#json.read(text);
    if ((value === undefined ? text.length : lengthOf(lastIn(value))) > longestGrowing) return undefined;
    const parts =
      value === undefined
        ? markdownParts(text, columns, symbols, (line) => this.#readLine(line, symbols))
        : fieldLines(value, { symbols, laidOut: this.#laidOut });
    return parts.flatMap((part) => ("table" in part ? this.#behind(part.table) : this.#wrap(part)));
  }

  #behind(lines: readonly Line[]): readonly Line[] {
    return lines.map((line) => [...this.#blanks, ...line]);
  }

  #readLine(line: string, symbols: Symbols): Indented {
    const read = this.#read.get(line) ?? markdownLine(line, symbols);
    this.#read.set(line, read);
    return read;
  }

  #wrap(part: Indented): readonly Line[] {
    const known = this.#wrapped?.get(part);
    if (known !== undefined) return known;
    const indent = indentOf(part, this.#columns);
    if (this.#last?.indent !== indent.length)
      this.#last = { indent: indent.length, spans: new WrappedSpans(this.#columns, indent, this.#blanks) };
    const lines = this.#last.spans.lines(part.spans);
    this.#wrapped?.set(part, lines);
    return lines;
  }
}

/** The innermost value that is last: the only one that may still grow. */
function lastIn(value: PartialJson): PartialJson {
  const last =
    value.kind === "object" ? value.entries.at(-1)?.[1] : value.kind === "list" ? value.items.at(-1) : undefined;
  return last === undefined ? value : lastIn(last);
}

const lengthOf = (value: PartialJson): number => ("text" in value ? value.text.length : 0);

/** Kept as long as the texts of their screen, or until one has ended. */
const newReadings = () => new Map<string, GrowingReading>();

/** That of a text that grows, by its name among the texts of a screen, which always stands behind so many blanks. */
export function growingReading(texts: WrappedTexts, name: string, blanks: number): GrowingReading {
  const named = texts.kept(newReadings);
  const known = named.get(name) ?? new GrowingReading(blanks);
  named.set(name, known);
  return known;
}

/** To be called where a text grows no more. */
export function forgetReading(texts: WrappedTexts, name: string): void {
  texts.kept(newReadings).delete(name);
}
