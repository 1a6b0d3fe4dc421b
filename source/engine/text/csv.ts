/** Lines of comma-separated values (RFC 4180). */

/** What would steer a terminal that shows the file; line breaks and tabs are data. */
const controls = /[\p{Control}--[\t\n\r]]/gv;

/** One record with its line end. Control characters are written as `\u001b`: CSV has no escapes, JSON exports keep them. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(quoted).join(",")}\r\n`;
}

/** A leading = + - or @ would be taken for a formula by spreadsheets; numbers keep their sign. */
function quoted(text: string): string {
  const field = text.replace(controls, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const safe = /^[=+\-@\t\r\n]/.test(field) && !Number.isFinite(Number(field)) && field !== "-" ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
