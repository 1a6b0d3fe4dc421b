/** Time spans as written in requests, with their days. */
import { dateOfSpan, weekdayOf } from "../calendar.ts";
import { pick } from "../../../../source/engine/statistics/random.ts";
import type { Phrase } from "./chain-file.ts";

export type Span = { readonly phrase: Phrase; readonly date: string };

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const zhWeekdays = ["一", "二", "三", "四", "五", "六", "日"];

/** Draws a future day, seen from `current` (ISO). */
export function pickSpan(current: string, random: () => number): Span {
  const phrases: Phrase[] = [
    { en: "tomorrow", zh: "明天" },
    { en: "the day after tomorrow", zh: "后天" },
  ];
  for (const [index, weekday] of weekdays.entries()) {
    const zh = zhWeekdays[index]!;
    if (index > weekdayOf(current) + 1) phrases.push({ en: `this ${weekday}`, zh: `这周${zh}` });
    phrases.push({ en: `next ${weekday}`, zh: `下周${zh}` });
    phrases.push({ en: `the ${weekday} after next`, zh: `下下周${zh}` });
  }
  const phrase = pick(phrases, random);
  return { phrase, date: dateOfSpan(current, phrase.en)! };
}

const written = new RegExp(
  `the day after tomorrow|tomorrow|today|(?:this|next) (?:${weekdays.join("|")})|the (?:${weekdays.join("|")}) after next|in \\w{1,9} (?:day|week)s?|\\w{1,9} (?:day|week)s? later|next week`,
  "gi",
);

/** Returns the days an English request refers to, and today; empty if the current day is unknown. */
export function daysSpokenOf(query: string, current: string | undefined): ReadonlySet<string> {
  if (current === undefined) return new Set();
  const days = new Set([current]);
  for (const [span] of query.matchAll(written)) {
    const date = dateOfSpan(current, span);
    if (date !== undefined) days.add(date);
  }
  return days;
}
