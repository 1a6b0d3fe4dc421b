import { asciiForms } from "../../look/signs.ts";
import { width } from "./printable.ts";

/** Converts text to ASCII of the same width: known signs become their nearest equivalent, all others `?`. */
export function toAscii(text: string): string {
  if (ascii.test(text)) return text;
  return text.replace(/\P{ASCII}/gu, (character) => asciiForms[character] ?? "?".repeat(width(character)));
}

const ascii = /^\p{ASCII}*$/u;
