/** User profiles: who asks, what they like, and which day it is. */
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { readDate } from "./calendar.ts";

export type Profile = {
  readonly id: string;
  readonly language: string;
  /** ISO dates; undefined where the profile has none that can be read. */
  readonly currentDate: string | undefined;
  readonly dateSpan: string | undefined;
  readonly targetDate: string | undefined;
  /** Sections of fields; `userInfo` is the one a planner is shown. */
  readonly sections: { readonly [section: string]: Json };
};

/** Says what was expected at a place within the profile; throws. */
export type Refuse = (path: readonly string[], expected: string) => never;

/** One profile of `profiles.json`. */
export function readProfile(value: Json, refuse: Refuse): Profile {
  const id = field(value, "id");
  const sections = field(value, "profile");
  if (typeof id !== "string" || id === "") return refuse(["id"], "a text");
  if (!isRecord(sections)) return refuse(["profile"], "an object of sections");
  if (!isRecord(field(sections, "userInfo"))) return refuse(["profile", "userInfo"], "an object of fields");
  const text = (key: string) => {
    const found = field(value, key);
    if (found !== undefined && found !== null && typeof found !== "string") return refuse([key], "a text or null");
    return found ?? undefined;
  };
  const currentDate = text("currentDate");
  if (currentDate !== undefined && readDate(currentDate) !== currentDate)
    return refuse(["currentDate"], "a date such as 2025-03-09");
  const [language = "en", dateSpan, targetDate] = ["language", "dateSpan", "targetDate"].map(text);
  return { id, language, currentDate, dateSpan, targetDate, sections };
}
