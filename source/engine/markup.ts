/** Text inside SVG and HTML. */

/** Escapes what markup would obey and drops control characters, which XML does not allow. */
export function escapeMarkup(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "�");
  return plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
