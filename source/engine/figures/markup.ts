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
