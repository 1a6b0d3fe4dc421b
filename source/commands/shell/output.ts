/** The one door for everything that is printed: what would control a terminal, hide or reverse text comes out as a visible sign. */
import { toAscii } from "../../engine/figures/drawing/symbols.ts";
import { asciiJson, jsonText } from "../../engine/text/json-text.ts";
import { printable } from "../../engine/text/printable.ts";
import { ownMistake } from "../../engine/work/own-files.ts";

/** False where a locale is set that is not UTF-8: what is printed is ASCII there. Without a locale, UTF-8 is assumed. */
export function speaksUnicode(): boolean {
  const locale = process.env["LC_ALL"] || process.env["LC_CTYPE"] || process.env["LANG"] || "UTF-8";
  return /utf-?8/i.test(locale);
}

/** Text of any lines, wherever it is from, as it is printed. JSON of `printedJson` stays as it is. */
export function printedText(text: string): string {
  const lines = text.split("\n").map(printable).join("\n");
  return speaksUnicode() ? lines : toAscii(lines);
}

/** A value as a JSON text to print, with a line end. Programs read every character from it: the dangerous ones are escapes. */
export function printedJson(value: unknown, space?: number): string {
  const json = jsonText(value, space);
  return `${speaksUnicode() ? json : asciiJson(json)}\n`;
}

/** What was thrown and nobody expected, as it is printed: with the way to it, or, from a file of the user's own, with its line. */
export function printedBug(thrown: unknown): string {
  const way = () => (thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown));
  return printedText(`planwright: ${ownMistake(thrown) ?? way()}\n`);
}
