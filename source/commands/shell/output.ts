/**
 * Prepares everything that is printed: characters that would control a terminal, or hide or reverse text, become visible signs.
 */
import { formats } from "../../engine/settings/format.ts";
import { toAscii } from "../../engine/text/ascii-text.ts";
import { asciiJson, jsonText } from "../../engine/text/json-text.ts";
import { fitMiddle, printable } from "../../engine/text/printable.ts";
import { ownMistake } from "../../engine/work/own-files.ts";

/** Returns false if a locale is set that is not UTF-8; output is then ASCII. Without a locale, UTF-8 is assumed. */
export function speaksUnicode(): boolean {
  const locale = process.env["LC_ALL"] || process.env["LC_CTYPE"] || process.env["LANG"] || "UTF-8";
  return /utf-?8/i.test(locale);
}

/** Standard error. On a terminal its last lines can be replaced, until other output is printed. */
export class ErrorOutput {
  readonly #stream: Pick<NodeJS.WriteStream, "write" | "columns">;
  #drawn = 0;

  constructor(stream: Pick<NodeJS.WriteStream, "write" | "columns">) {
    this.#stream = stream;
  }

  print(text: string): void {
    if (text !== "") this.#stream.write(`${this.#cleared()}${printedText(text)}`);
  }

  /** Draws these lines in place of the previous lines; each line is truncated at the edge of the terminal. */
  redraw(lines: readonly string[]): void {
    const columns = Math.max(20, (this.#stream.columns ?? 80) - 1);
    const text = lines.map((line) => `${fitMiddle(printedText(line), columns)}\n`).join("");
    const written = `${this.#cleared()}${text}`;
    this.#drawn = lines.length;
    if (written !== "") this.#stream.write(written);
  }

  /** Returns the control sequence that removes the drawn lines. */
  #cleared(): string {
    const sequence = this.#drawn === 0 ? "" : `\x1b[${this.#drawn}A\x1b[0J`;
    this.#drawn = 0;
    return sequence;
  }
}

/** Returns any text, of any origin, as printed. JSON of `printedJson` stays unchanged. */
export function printedText(text: string): string {
  const lines = text.split("\n").map(printable).join("\n");
  return speaksUnicode() ? lines : toAscii(lines);
}

/**
 * Returns a value as JSON to print, with a line end. Programs can read every character of it; dangerous characters are escaped.
 */
export function printedJson(value: unknown, space?: number): string {
  const json = jsonText(value, space);
  return `${speaksUnicode() ? json : asciiJson(json)}\n`;
}

/** Returns an object as `printedJson` does, with the format that `--json` has. */
export const printedObject = (value: object): string => printedJson({ format: formats.output, ...value });

/** Returns an unexpected error as text: with its stack, or with the line of the user's own file that threw it. */
export function printedBug(thrown: unknown): string {
  const way = () => (thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown));
  return printedText(`planwright: ${ownMistake(thrown) ?? way()}\n`);
}
