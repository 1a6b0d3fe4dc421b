/**
 * Prepares everything that is printed: characters that would control a terminal, or hide or reverse text, become visible signs.
 */
import { toAscii } from "../../engine/figures/drawing/symbols.ts";
import { asciiJson, jsonText } from "../../engine/text/json-text.ts";
import { printable } from "../../engine/text/printable.ts";
import { ownMistake } from "../../engine/work/own-files.ts";

/** Returns false if a locale is set that is not UTF-8; output is then ASCII. Without a locale, UTF-8 is assumed. */
export function speaksUnicode(): boolean {
  const locale = process.env["LC_ALL"] || process.env["LC_CTYPE"] || process.env["LANG"] || "UTF-8";
  return /utf-?8/i.test(locale);
}

/** Returns any text, of any origin, as printed. JSON of `printedJson` stays unchanged. */
export function printedText(text: string): string {
  const lines = text.split("\n").map(printable).join("\n");
  return speaksUnicode() ? lines : toAscii(lines);
}

/**
 * Returns a value as JSON to print, with a line end. Programs can read every character from it; dangerous ones become escapes.
 */
export function printedJson(value: unknown, space?: number): string {
  const json = jsonText(value, space);
  return `${speaksUnicode() ? json : asciiJson(json)}\n`;
}

/** Returns an unexpected error as printed: with its stack, or with the line of the user's own file that threw it. */
export function printedBug(thrown: unknown): string {
  const way = () => (thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown));
  return printedText(`planwright: ${ownMistake(thrown) ?? way()}\n`);
}
