/** The people of a data folder, as `profiles.json` has them. */
import { z } from "zod";
import { anyJson } from "../../../source/engine/text/checked-record.ts";
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

const text = z.string("text or null").nullish();
const sections = z
  .object({ userInfo: z.looseObject({}, "an object of fields") }, "an object of sections")
  .catchall(anyJson);
const profileRecord = z.object({
  id: z.string().min(1),
  language: text,
  currentDate: text.refine((date) => typeof date !== "string" || readDate(date) === date, "a date such as 2025-03-09"),
  dateSpan: text,
  targetDate: text,
  profile: sections,
});

/** `profiles.json`. */
export const profilesFile = z.object({ profiles: z.array(profileRecord) });

export function profileOf({
  id,
  language,
  currentDate,
  dateSpan,
  targetDate,
  profile,
}: z.infer<typeof profileRecord>): Profile {
  return {
    id,
    language: language ?? "en",
    currentDate: currentDate ?? undefined,
    dateSpan: dateSpan ?? undefined,
    targetDate: targetDate ?? undefined,
    sections: profile,
  };
}
