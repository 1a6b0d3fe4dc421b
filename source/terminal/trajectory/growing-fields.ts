/** JSON as fields while it streams, however long it has become: what has ended in it is read, laid out and wrapped once. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import { GrowingJson, type PartialJson } from "../../engine/text/partial-json.ts";
import type { WrappedTexts } from "../drawing/wrapped-text.ts";
import { fieldLines, type Indented, type LaidOut, wrapIndented } from "./field-lines.ts";

/** Characters of a text within JSON that are laid out anew for every frame in which it grows. */
const longestGrowing = 20_000;

export class GrowingFields {
  readonly #json = new GrowingJson();
  readonly #laidOut: LaidOut = new WeakMap();
  #wrapped = new WeakMap<Indented, readonly Line[]>();
  #columns = -1;

  /** Lines of at most `columns`; undefined where the text is no JSON, or grows within a text that is too long. */
  lines(text: string, columns: number, symbols: Symbols): readonly Line[] | undefined {
    const value = this.#json.read(text);
    if (value === undefined || lengthOf(lastIn(value)) > longestGrowing) return undefined;
    if (columns !== this.#columns) this.#wrapped = new WeakMap();
    this.#columns = columns;
    return fieldLines(value, { symbols, laidOut: this.#laidOut }).flatMap((part) => {
      const known = this.#wrapped.get(part) ?? wrapIndented(part, columns);
      this.#wrapped.set(part, known);
      return known;
    });
  }
}

/** The innermost value that is last: the only one that may still grow. */
function lastIn(value: PartialJson): PartialJson {
  const last =
    value.kind === "object" ? value.entries.at(-1)?.[1] : value.kind === "list" ? value.items.at(-1) : undefined;
  return last === undefined ? value : lastIn(last);
}

const lengthOf = (value: PartialJson): number => ("text" in value ? value.text.length : 0);

/** Kept as long as the texts of their screen. */
const fields = new WeakMap<WrappedTexts, Map<string, GrowingFields>>();

/** Those of a text that grows, by its name among the texts of a screen. */
export function growingFields(texts: WrappedTexts, name: string): GrowingFields {
  const named = fields.get(texts) ?? new Map<string, GrowingFields>();
  fields.set(texts, named);
  const known = named.get(name) ?? new GrowingFields();
  named.set(name, known);
  return known;
}
