/** Dates as Python's `strptime` reads them, by two patterns, with the texts of its errors. */
import { fail, type Py, repr, typeName } from "../python/value.ts";

const day = String.raw`(\d{4})-(1[0-2]|0[1-9]|[1-9])-(3[01]|[12]\d|0[1-9]|[1-9]| [1-9])`;
const time = String.raw`(2[0-3]|[01]\d|\d):([0-5]\d|\d):(6[01]|[0-5]\d|\d)`;
const patterns = {
  "%Y-%m-%d": new RegExp(`^${day}`),
  "%Y-%m-%d %H:%M:%S": new RegExp(`^${day}\\s+${time}`),
};

export type DateParts = { readonly year: number; readonly month: number; readonly day: number };

/** Reads a date. Fails as Python does. `at` orders dates: milliseconds of a calendar without time zones. */
export function readDate(value: Py, pattern: keyof typeof patterns): DateParts & { readonly at: number } {
  if (typeof value !== "string") return fail("TypeError", `strptime() argument 1 must be str, not ${typeName(value)}`);
  const found = patterns[pattern].exec(value);
  if (found === null) return fail("ValueError", `time data ${repr(value)} does not match format ${repr(pattern)}`);
  const rest = value.slice(found[0].length);
  if (rest !== "") fail("ValueError", `unconverted data remains: ${rest}`);
  const [year = 0, month = 0, dayOfMonth = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map(Number);
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, dayOfMonth);
  if (year === 0) fail("ValueError", `year ${year} is out of range`);
  if (moment.getUTCMonth() !== month - 1) fail("ValueError", "day is out of range for month");
  moment.setUTCHours(hours, minutes, seconds);
  return { year, month, day: dayOfMonth, at: moment.getTime() };
}
