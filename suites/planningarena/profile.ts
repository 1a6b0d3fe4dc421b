/** User profiles: who asks, what they like, and which day it is. */
import { DataProblem } from "../../source/engine/json-lines.ts";
import type { Json } from "../../source/engine/types.ts";
import { readDate } from "./calendar.ts";
import { isRecord, own } from "./records.ts";

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

/** One profile of `profiles.json`. `where` names file and place in errors. */
export function readProfile(value: Json, where: string): Profile {
  const id = own(value, "id");
  const sections = own(value, "profile");
  if (typeof id !== "string" || id === "") throw new DataProblem(`Expected ${where} to have a text \`id\``);
  if (!isRecord(sections)) throw new DataProblem(`Expected \`profile\` of ${where} to be an object of sections`);
  if (!isRecord(own(sections, "userInfo")))
    throw new DataProblem(`Expected \`profile.userInfo\` of ${where} to be an object of fields`);
  const text = (key: string) => {
    const found = own(value, key);
    return typeof found === "string" ? found : undefined;
  };
  const currentDate = text("currentDate");
  if (currentDate !== undefined && readDate(currentDate) === undefined)
    throw new DataProblem(
      `Expected \`currentDate\` of ${where} to be a date such as 2025-03-09, got \`${currentDate}\``,
    );
  return {
    id,
    language: text("language") ?? "en",
    currentDate,
    dateSpan: text("dateSpan"),
    targetDate: text("targetDate"),
    sections,
  };
}
