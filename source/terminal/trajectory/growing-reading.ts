/** A model's output, formatted while it streams: finished parts are parsed, laid out and wrapped once, whatever its length. */
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../look/signs.ts";
import { GrowingJson, type PartialJson } from "../../engine/text/partial-json.ts";
import { WrappedSpans } from "../drawing/wrapped-spans.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";
import { fieldLines, indentOf, type Indented, type LaidOut, type SaidBefore } from "./field-lines.ts";
import { markdownLine, markdownParts } from "./reading-lines.ts";

/** Maximum characters of Markdown, or of a text within JSON, that is parsed again in every frame in which it grows. */
const longestGrowing = 20_000;

const nothing: { readonly text: string; readonly fenced: boolean; readonly lines: readonly Line[] } = {
  text: "",
  fenced: false,
  lines: [],
};

export class GrowingReading {
  readonly #json = new GrowingJson();
  readonly #laidOut: LaidOut = new Map();
  /** Finished lines of Markdown. */
  readonly #read = new Map<string, Indented>();
  /** The layout of the first part of a text, which no longer changes. */
  #final = nothing;
  #wrapped: WeakMap<Indented, readonly Line[]> | undefined;
  /** The part that was wrapped last, which is the only part that grows. */
  #last: { readonly indent: number; readonly spans: WrappedSpans } | undefined;
  readonly #blanks: readonly Span[];
  #columns = -1;
  #text = "";
  #lines: readonly Line[] | undefined;

  /** `blanks` are put before each line. */
  constructor(blanks = 0) {
    this.#blanks = blanks === 0 ? [] : [{ text: " ".repeat(blanks) }];
  }

  /**
   * Returns lines of at most `columns`; undefined if the growing part is too long. Finished lines stay the same
   * objects.
   */
  lines(text: string, columns: number, symbols: Symbols, said?: SaidBefore): readonly Line[] | undefined {
    if (text === this.#text && columns === this.#columns) return this.#lines;
    if (columns !== this.#columns) {
      this.#wrapped = new WeakMap();
      this.#last = undefined;
      this.#final = nothing;
    }
    this.#text = text;
    this.#columns = columns;
    this.#lines = this.#grown(text, columns, symbols, said);
    return this.#lines;
  }

  #grown(text: string, columns: number, symbols: Symbols, said: SaidBefore | undefined): readonly Line[] | undefined {
    const value = this.#json.read(text);
    if ((value === undefined ? text.length : lengthOf(lastIn(value))) > longestGrowing) return undefined;
    if (value === undefined) return this.#markdown(text, columns, symbols);
    return fieldLines(value, { symbols, laidOut: this.#laidOut, said }).flatMap((part) => this.#wrap(part));
  }

  /** Lays out only the text after the part that no longer changes. */
  #markdown(text: string, columns: number, symbols: Symbols): readonly Line[] {
    const before = text.startsWith(this.#final.text) ? this.#final : nothing;
    const readLine = (line: string) => this.#readLine(line, symbols);
    const rest = text.slice(before.text.length);
    const { parts, final } = markdownParts(rest, columns, symbols, readLine, before.fenced);
    const drawn = parts.map((part) => ("table" in part ? this.#behind(part.table) : this.#wrap(part)));
    this.#final = {
      text: text.slice(0, before.text.length + final.length),
      fenced: final.fenced,
      lines: [...before.lines, ...drawn.slice(0, final.parts).flat()],
    };
    return [...this.#final.lines, ...drawn.slice(final.parts).flat()];
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

/** Returns the innermost last value, which is the only value that may still grow. */
function lastIn(value: PartialJson): PartialJson {
  const last =
    value.kind === "object" ? value.entries.at(-1)?.[1] : value.kind === "list" ? value.items.at(-1) : undefined;
  return last === undefined ? value : lastIn(last);
}

const lengthOf = (value: PartialJson): number => ("text" in value ? value.text.length : 0);

/** Kept as long as the texts of their screen, or until a text has ended. */
const newReadings = () => new Map<string, GrowingReading>();

/** Returns the reading of a growing text by its name among a screen's texts; its indentation never changes. */
export function growingReading(texts: WrappedTexts, name: string, blanks: number): GrowingReading {
  const named = texts.kept(newReadings);
  const known = named.get(name) ?? new GrowingReading(blanks);
  named.set(name, known);
  return known;
}

/** Must be called when a text no longer grows. */
export function forgetReading(texts: WrappedTexts, name: string): void {
  texts.kept(newReadings).delete(name);
}
