/** Lines of comma-separated values (RFC 4180). */

/** Characters that would control a terminal showing the file; line breaks and tabs are data. */
const controls = /[\p{Control}--[\t\n\r]]/gv;

/**
 * Returns one record with its line end. Control characters are written as `\u001b`, because CSV has no escapes; JSON exports keep
 * them.
 */
export const csvLine = (fields: readonly string[]): string => `${fields.map(quoted).join(",")}\r\n`;

/** Quotes a leading = + - or @, because spreadsheets would interpret it as a formula; numbers keep their sign. */
function quoted(text: string): string {
  const field = text.replace(controls, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const safe = /^[=+\-@\t\r\n]/.test(field) && !Number.isFinite(Number(field)) && field !== "-" ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
