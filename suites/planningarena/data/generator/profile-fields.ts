/** Generates profiles from their field definitions. */
import { pick, randomFrom } from "../../../../source/engine/statistics/random.ts";
import type { Json } from "../../../../source/engine/types.ts";
import { daysAfter } from "../calendar.ts";
import type { ChainFile, Phrase } from "./chain-file.ts";

export type ProfileField = {
  /** How a request refers to the value without stating it. */
  readonly phrase: Phrase;
  readonly values: readonly (string | number)[] | "phone" | "address";
};
export type ProfileFields = ReadonlyMap<string, ProfileField>;

/** Reads a file. Throws `DataProblem` with file and line for invalid content. */
export function readProfileFields(file: ChainFile): ProfileFields {
  const fields = new Map<string, ProfileField>();
  for (const name of Object.keys(file.record(["fields"]))) {
    const path = ["fields", name];
    const phrase = file.phrase(path);
    const make = file.at([...path, "make"]);
    if (make === undefined) fields.set(name, { phrase, values: file.values([...path, "values"]) });
    else fields.set(name, { phrase, values: file.oneOf<"phone" | "address">([...path, "make"], ["phone", "address"]) });
  }
  return fields;
}

export type MadeProfile = {
  readonly id: string;
  readonly group: "four" | "dag";
  readonly index: number;
  readonly language: "en";
  readonly currentDate: string;
  readonly dateSpan: null;
  readonly targetDate: null;
  readonly profile: { readonly userInfo: { readonly [field: string]: Json } };
};

const streets = [
  "Alder Lane",
  "Quarry Road",
  "Linden Row",
  "Harbour Steps",
  "Mill Yard",
  "Orchard Close",
  "Fountain Court",
];
const months = "January February March April May June July August September October November December".split(" ");

/**
 * Generates 20 users of group `four` and 30 of group `dag`, like the published set. The same seed gives the same
 * people.
 */
export function makeProfiles(fields: ProfileFields, seed: number): readonly MadeProfile[] {
  const ids = [
    ...Array.from({ length: 20 }, (_, index) => ["four", index + 1] as const),
    ...Array.from({ length: 30 }, (_, index) => ["dag", index + 1] as const),
  ];
  return ids.map(([group, index]) => {
    const random = randomFrom(`profile ${seed} ${group} ${index}`);
    const currentDate = daysAfter("2025-01-06", Math.floor(random() * 700));
    const userInfo: Record<string, Json> = { current_date: writtenDate(currentDate) };
    for (const [name, { values }] of fields) userInfo[name] = valueOf(values, random);
    const age = 19 + Math.floor(random() * 50);
    const profile = { userInfo: { ...userInfo, age } };
    return {
      id: `${group}-${index}`,
      group,
      index,
      language: "en",
      currentDate,
      dateSpan: null,
      targetDate: null,
      profile,
    };
  });
}

function valueOf(values: ProfileField["values"], random: () => number): string | number {
  const number = (from: number, to: number) => from + Math.floor(random() * (to - from));
  if (values === "phone") return `1${number(30, 90)}${number(10_000_000, 99_999_999)}`;
  if (values === "address") return `${number(11, 99)} ${pick(streets, random)}`;
  return pick(values, random);
}

/** Formats a date as `March 9, 2025`. */
export function writtenDate(iso: string): string {
  const [year, month, day] = iso.split("-").map(Number);
  return `${months[month! - 1]} ${day}, ${year}`;
}
