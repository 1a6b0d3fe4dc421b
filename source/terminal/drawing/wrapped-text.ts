/**
 * Wraps a text that grows while it is shown. Complete lines are wrapped once; only the growing line is wrapped again. A
 * width of 0 breaks only at line ends.
 */
import { printable, wrap } from "../../engine/text/printable.ts";

/** Maximum characters of a line; longer lines are broken, so that an addition never wraps more characters than this. */
const longest = 4096;

export class WrappedText {
  #text = "";
  #columns = -1;
  /** Lines of everything before `#done`. */
  #complete: string[] = [];
  #done = 0;
  #lines: readonly string[] = [];

  /** Returns the lines of `text`; the result does not depend on the pieces in which it arrived. */
  lines(text: string, columns: number): readonly string[] {
    if (text === this.#text && columns === this.#columns) return this.#lines;
    if (columns !== this.#columns || !text.startsWith(this.#text.slice(0, this.#done))) {
      this.#complete = [];
      this.#done = 0;
    }
    this.#text = text;
    this.#columns = columns;
    for (let end = this.#nextEnd(); end !== undefined; end = this.#nextEnd()) {
      const line = text.slice(this.#done, end.at);
      this.#complete.push(...this.#broken(line.endsWith("\r") ? line.slice(0, -1) : line));
      this.#done = end.next;
    }
    const rest = text.slice(this.#done);
    this.#lines = rest === "" ? [...this.#complete] : [...this.#complete, ...this.#broken(rest)];
    return this.#lines;
  }

  #broken(line: string): readonly string[] {
    return this.#columns > 0 ? wrap(printable(line), this.#columns) : [printable(line)];
  }

  /** Finds the end of the next complete line, and the start of the line after it. */
  #nextEnd(): { readonly at: number; readonly next: number } | undefined {
    const ahead = this.#text.slice(this.#done, this.#done + longest + 1);
    const end = ahead.indexOf("\n");
    if (end >= 0) return { at: this.#done + end, next: this.#done + end + 1 };
    if (ahead.length <= longest) return undefined;
    const blank = ahead.lastIndexOf(" ");
    const cut = blank > longest / 2 ? blank + 1 : isPair(ahead, longest) ? longest - 1 : longest;
    return { at: this.#done + cut, next: this.#done + cut };
  }
}

function isPair(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code < 0xe000;
}

/** Wraps long texts that many tasks repeat, such as catalogues in prompts, once for all of them. */
export class RepeatedTexts {
  readonly #texts = lastUsed<WrappedText>(mostRepeated, () => new WrappedText());

  /** Returns the wrapped text for a text that is shown for the first time. */
  of(text: string): WrappedText {
    return text.length < longest ? new WrappedText() : this.#texts(text);
  }
}

/** More than a screen's lanes show at a time. */
const mostRepeated = 8;

/** Returns a function that makes a value for each name, and keeps the values of the `most` names used last. */
export function lastUsed<Value>(most: number, make: () => Value): (name: string) => Value {
  const kept = new Map<string, Value>();
  return (name) => {
    const value = kept.get(name) ?? make();
    kept.delete(name);
    kept.set(name, value);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return value;
  };
}

/** Wraps the texts of a screen once each, by name. */
export class WrappedTexts {
  readonly #texts = new Map<string, WrappedText>();
  readonly #repeated: RepeatedTexts;

  constructor(repeated = new RepeatedTexts()) {
    this.#repeated = repeated;
  }

  /** Returns the same value for the same function as long as these texts exist; caches anything that is drawn with them. */
  kept<Value>(make: () => Value): Value {
    if (!this.#kept.has(make)) this.#kept.set(make, make());
    return this.#kept.get(make) as Value;
  }
  readonly #kept = new Map<() => unknown, unknown>();

  lines(name: string, text: string, columns: number): readonly string[] {
    let kept = this.#texts.get(name);
    if (kept === undefined) this.#texts.set(name, (kept = this.#repeated.of(text)));
    return kept.lines(text, columns);
  }
}
