/** Text inside exported files: SVG and HTML above all. */

import { printable } from "../text/printable.ts";

/** Characters that printing bears and XML does not. */
const unborne = /[\ufffe\uffff]/g;

/**
 * Text with its tabs and line ends, and everything else that would control whatever reads it, hide or reverse text as a
 * visible sign: XML, LaTeX and terminals bear the whole of it.
 */
export function visibleText(text: string): string {
  return text.replace(/[^\t\n\r]+/g, printable).replace(unborne, "\ufffd");
}

/** Escapes what markup would obey and shows what is invisible. */
export function escapeMarkup(text: string): string {
  return visibleText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Markup that may be put into a page: it was made by `markup`, and every text in it is escaped. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

/**
 * A piece of HTML; what is put into it is escaped, unless it is markup itself. Nothing stands for undefined, and the indentation of
 * the source is left out.
 */
export function markup(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const own = (piece: string) => piece.replace(/\n */g, "\n");
  return new Markup(pieces.map((piece, index) => own(piece) + sourceOf(parts[index])).join(""));
}

function sourceOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.source;
  if (typeof part === "string" || typeof part === "number") return escapeMarkup(String(part));
  return part.map(sourceOf).join("");
}
