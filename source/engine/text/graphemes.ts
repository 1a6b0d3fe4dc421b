/** Characters as readers perceive them. */

/** Ranges of characters that are one column wide and never combine with others: letters, punctuation, arrows, boxes, Braille. */
const simple =
  "\\xa0-\\xac\\xae-\\u02ff\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u22ff\\u2500-\\u25fc\\u2713-\\u2718\\u2800-\\u28ff";
const onlySimple = new RegExp(`^[\\x20-\\x7e${simple}]*$`);
/** Chinese and Japanese characters that never combine with others: two columns each. */
const ideographs = "\\u3001-\\u3003\\u3005-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uff01-\\uff5e";
/** Control characters are single too, except a carriage return before a line feed. */
const onlySingle = new RegExp(`^[\\0-\\x0c\\x0e-\\x7e${simple}${ideographs}]*$`);

export type Grapheme = { readonly segment: string; readonly index: number };

/** `Intl.Segments` without unused parts. */
export type Graphemes = Iterable<Grapheme> & { containing(index: number): Grapheme | undefined };

let segmenter: Intl.Segmenter | undefined;

/** Returns whether every code unit is one character of one column, as in most drawn text: a fast check. */
export const isSimple = (text: string): boolean => onlySimple.test(text);

/** Splits text into grapheme clusters. Loads the tables of Unicode on first use, because that takes as long as starting Node. */
export function graphemes(text: string): Graphemes {
  if (onlySingle.test(text)) return new CodeUnits(text);
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

class CodeUnits implements Graphemes {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  *[Symbol.iterator](): Iterator<Grapheme> {
    for (let index = 0; index < this.#text.length; index++) yield { segment: this.#text[index]!, index };
  }

  containing(index: number): Grapheme | undefined {
    const segment = this.#text[index];
    return segment === undefined ? undefined : { segment, index };
  }
}
