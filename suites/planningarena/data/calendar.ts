/** Reads and writes dates in common notations, and resolves spans such as "next Friday". */

const months = "january february march april may june july august september october november december".split(" ");
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven"];
const day = 86_400_000;

const numeric = /(?<!\d)(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?!\d)/g;
const english = new RegExp(`(?<![a-z])(${months.join("|")}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})(?!\\d)`, "g");

/** Returns `YYYY-MM-DD`, or undefined if the calendar has no such day. */
export function isoDate(year: number, month: number, date: number): string | undefined {
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, date);
  if (year < 1 || time.getUTCFullYear() !== year || time.getUTCMonth() !== month - 1 || time.getUTCDate() !== date)
    return undefined;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
}

/**
 * Returns the ISO date of a text that is only a date: `2024-2-9`, `2024/02/09`, `2024年2月9日`, `February 9th, 2024`.
 * Expects collapsed white space. Returns undefined for any other text and for invalid days.
 */
export function readDate(text: string): string | undefined {
  if (text.length > 30) return undefined;
  const plain =
    /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ??
    /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(text) ??
    /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(text);
  if (plain !== null) return isoDate(Number(plain[1]), Number(plain[2]), Number(plain[3]));
  const written = /^([a-z]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(text);
  if (written === null) return undefined;
  const month = months.indexOf(written[1]!.toLowerCase());
  return month < 0 ? undefined : isoDate(Number(written[3]), month + 1, Number(written[2]));
}

/** Returns the ISO dates in a text, written in ISO, slash or English form. */
export function datesIn(text: string): ReadonlySet<string> {
  const plain = text.replace(/\s+/g, " ").toLowerCase();
  const found = new Set<string | undefined>();
  for (const [, year, , month, date] of plain.matchAll(numeric))
    found.add(isoDate(Number(year), Number(month), Number(date)));
  for (const [, month, date, year] of plain.matchAll(english))
    found.add(isoDate(Number(year), months.indexOf(month!) + 1, Number(date)));
  found.delete(undefined);
  return found as ReadonlySet<string>;
}

/** Returns the day `days` after an ISO date. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);

/** Returns 0 for Monday to 6 for Sunday. */
export const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;

/**
 * Returns the day of a time span seen from `current` (ISO): "tomorrow", "in 3 days", "next Friday" (the Friday of the
 * week after this Monday-to-Sunday week), "the Friday after next". Returns undefined for other texts.
 */
export function dateOfSpan(current: string, span: string): string | undefined {
  const days = daysOfSpan(weekdayOf(current), span.toLowerCase().replace(/\s+/g, " ").trim());
  return days === undefined ? undefined : daysAfter(current, days);
}

function daysOfSpan(today: number, span: string): number | undefined {
  if (span === "today") return 0;
  if (span === "tomorrow") return 1;
  if (span === "day after tomorrow" || span === "the day after tomorrow") return 2;
  if (span === "next week") return 7;
  const counted = /^(?:in )?(\w{1,9}) (days?|weeks?)( later)?$/.exec(span);
  if (counted !== null && span.startsWith("in ") !== span.endsWith(" later")) {
    const count = countOf(counted[1]!);
    if (count === undefined) return undefined;
    return counted[2]!.startsWith("week") ? 7 * count : count;
  }
  const named = /^(this|next|next next) ([a-z]+)$/.exec(span) ?? /^(the) ([a-z]+) after next$/.exec(span);
  if (named === null) return undefined;
  const weekday = weekdays.indexOf(named[2]!);
  if (weekday < 0) return undefined;
  const weeks = named[1] === "this" ? 0 : named[1] === "next" ? 1 : 2;
  return weekday - today + 7 * weeks;
}

function countOf(word: string): number | undefined {
  if (/^\d{1,4}$/.test(word)) return Number(word);
  const count = numbers.indexOf(word);
  return count < 1 ? undefined : count;
}
