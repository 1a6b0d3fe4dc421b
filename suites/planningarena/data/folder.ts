/** Reads the catalogue and the people of a data folder. Errors name file, position and expected value. */
import { join } from "node:path";
import { z } from "zod";
import { anyJson, checkedRecord, recordOf } from "../../../source/engine/text/checked-record.ts";
import { readJson } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import { parameterTypes, type Api, type Catalogue, type Offer } from "./catalogue.ts";
import { readDate } from "./calendar.ts";

const appsFile = z.object({ groups: recordOf(z.array(z.string())) });
const parameter = z.object({
  name: z.string().regex(/\S/, "text that is not blank"),
  check: z.enum(parameterTypes),
  required: anyJson.optional(),
  description: z.string().nullish(),
});
const apiRecord = z.object({ tool: z.string().min(1), params: z.array(parameter), response: anyJson.optional() });
const apisFile = z.object({ sets: recordOf(z.array(apiRecord)) });

/** Reads `apps.json` and `apis.json` of a folder. */
export async function readCatalogue(folder: string): Promise<Catalogue> {
  const [apps, apis] = await Promise.all([readJson(join(folder, "apps.json")), readJson(join(folder, "apis.json"))]);
  return catalogueOf(apps, apis, folder);
}

/** Builds the catalogue from parsed values; errors mention `folder`. */
export const catalogueOf = (apps: Json, apis: Json, folder = ""): Catalogue => ({
  ...readApps(apps, join(folder, "apps.json")),
  sets: readSets(apis, join(folder, "apis.json")),
});

function readApps(value: Json, file: string): Pick<Catalogue, "apps" | "appGroups"> {
  const appGroups = new Map(Object.entries(checkedRecord(appsFile, value, file).groups));
  const apps = [...new Set([...appGroups.values()].flat())];
  return { apps: { name: "apps", apps, apis: new Map() }, appGroups };
}

function readSets(value: Json, file: string): ReadonlyMap<string, Offer> {
  const { sets } = checkedRecord(apisFile, value, file);
  return new Map(
    Object.entries(sets).map(([name, tools]) => {
      const apis = new Map(tools.map((each) => [each.tool, apiOf(each)]));
      return [name, { name, apps: [], apis }];
    }),
  );
}

function apiOf({ tool, params, response }: z.infer<typeof apiRecord>): Api {
  const parameters = params.map(({ name, check, required, description }) => ({
    name: name.trim(),
    type: check,
    required: required === true,
    ...(typeof description === "string" ? { description } : {}),
  }));
  return { tool, parameters, response };
}

export type Profile = {
  readonly id: string;
  readonly language: string;
  /** ISO dates; undefined if the profile has no readable date. */
  readonly currentDate: string | undefined;
  readonly dateSpan: string | undefined;
  readonly targetDate: string | undefined;
  /** Sections of fields; planners see only `userInfo`. */
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

/** Schema of `profiles.json`. */
export const profilesFile = z.object({ profiles: z.array(profileRecord) });

export const profileOf = ({
  id,
  language,
  currentDate,
  dateSpan,
  targetDate,
  profile,
}: z.infer<typeof profileRecord>): Profile => ({
  id,
  language: language ?? "en",
  currentDate: currentDate ?? undefined,
  dateSpan: dateSpan ?? undefined,
  targetDate: targetDate ?? undefined,
  sections: profile,
});
