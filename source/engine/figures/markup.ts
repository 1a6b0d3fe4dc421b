/** Text inside exported files: SVG and HTML above all. */

/** Control characters (but tab and line ends), half characters and non-characters, which XML, LaTeX and terminals do not bear. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

export function withoutControls(text: string): string {
  return text.toWellFormed().replace(controls, "\ufffd");
}

/** Escapes what markup would obey and drops control characters. */
export function escapeMarkup(text: string): string {
  return withoutControls(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
