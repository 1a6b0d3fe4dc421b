/** Reads the catalogue of a data folder. Mistakes are refused with file, place and what was expected. */
import { join } from "node:path";
import { z } from "zod";
import { anyJson, checkedRecord, recordOf } from "../../../source/engine/text/checked-record.ts";
import { readJson } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import { parameterTypes } from "./catalogue.ts";
import type { Api, Catalogue, Offer } from "./catalogue.ts";

const appsFile = z.object({ groups: recordOf(z.array(z.string())) });
const parameter = z.object({
  name: z.string().regex(/\S/, "text that is not blank"),
  check: z.enum(parameterTypes),
  required: anyJson.optional(),
  description: z.string().nullish(),
});
const apiRecord = z.object({ tool: z.string().min(1), params: z.array(parameter), response: anyJson.optional() });
const apisFile = z.object({ sets: recordOf(z.array(apiRecord)) });

/** `apps.json` and `apis.json` of a folder. */
export async function readCatalogue(folder: string): Promise<Catalogue> {
  const [apps, apis] = await Promise.all([readJson(join(folder, "apps.json")), readJson(join(folder, "apis.json"))]);
  return catalogueOf(apps, apis, folder);
}

/** The same from values already read; `folder` is named in errors. */
export function catalogueOf(apps: Json, apis: Json, folder = ""): Catalogue {
  return { ...readApps(apps, join(folder, "apps.json")), sets: readSets(apis, join(folder, "apis.json")) };
}

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
