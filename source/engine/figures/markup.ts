/** Escapes text for exported files, mainly SVG and HTML. */

import { printable } from "../text/printable.ts";

/** Printable characters that XML does not allow. */
const unborne = /[\ufffe\uffff]/g;

/**
 * Shows tabs, line ends and all characters that would control a reader, hide text or reverse it as visible signs, which XML,
 * LaTeX and terminals accept.
 */
export const visibleText = (text: string): string => text.replace(/[^\t\n\r]+/g, printable).replace(unborne, "\ufffd");

/** Escapes markup and shows invisible characters. */
export function escapeMarkup(text: string): string {
  return visibleText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Markup that is safe to insert into a page, because `markup` made it and escaped every text in it. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

/**
 * Builds HTML and escapes inserted values unless they are markup. Inserts undefined as an empty text, and removes the source's
 * indentation.
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
