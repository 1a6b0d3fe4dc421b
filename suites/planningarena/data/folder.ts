/** Reads a data folder: catalogue, profiles, tasks. Mistakes are refused with file, place and what was expected. */
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import { join } from "node:path";
import { DataProblem, readJson } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import { parameterTypes } from "./catalogue.ts";
import type { Api, Catalogue, Offer, Parameter, ParameterType } from "./catalogue.ts";

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
  const groups = field(value, "groups");
  if (!isRecord(groups)) throw new DataProblem(`Expected \`groups\` of ${file} to be an object of app names`);
  const appGroups = new Map<string, readonly string[]>();
  for (const [name, list] of Object.entries(groups)) appGroups.set(name, texts(list, `\`groups.${name}\` of ${file}`));
  const apps = [...new Set([...appGroups.values()].flat())];
  return { apps: { name: "apps", apps, apis: new Map() }, appGroups };
}

function texts(value: Json, where: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
    throw new DataProblem(`Expected ${where} to be a list of texts`);
  return value;
}

function readSets(value: Json, file: string): ReadonlyMap<string, Offer> {
  const sets = field(value, "sets");
  if (!isRecord(sets)) throw new DataProblem(`Expected \`sets\` of ${file} to be an object of tool lists`);
  const offers = new Map<string, Offer>();
  for (const [name, list] of Object.entries(sets)) {
    if (!Array.isArray(list)) throw new DataProblem(`Expected \`sets.${name}\` of ${file} to be a list of tools`);
    const apis = (list as readonly Json[]).map((tool, index) => readApi(tool, `\`sets.${name}[${index}]\` of ${file}`));
    offers.set(name, { name, apps: [], apis: new Map(apis.map((api) => [api.tool, api])) });
  }
  return offers;
}

function readApi(value: Json, where: string): Api {
  const tool = field(value, "tool");
  const params = field(value, "params");
  if (typeof tool !== "string" || tool === "" || !Array.isArray(params))
    throw new DataProblem(`Expected ${where} to have a name \`tool\` and a list \`params\``);
  const parameters = (params as readonly Json[]).map((item, index) =>
    readParameter(item, `\`params[${index}]\` in ${where}`),
  );
  return { tool, parameters, response: field(value, "response") };
}

function readParameter(value: Json, where: string): Parameter {
  const name = field(value, "name");
  const type = field(value, "check");
  const description = field(value, "description");
  if (typeof name !== "string" || name.trim() === "") throw new DataProblem(`Expected ${where} to have a \`name\``);
  if (!parameterTypes.includes(type as ParameterType))
    throw new DataProblem(
      `Expected \`check\` of ${where} to be one of ${parameterTypes.join(", ")}, got \`${JSON.stringify(type)}\``,
    );
  return {
    name: name.trim(),
    type: type as ParameterType,
    required: field(value, "required") === true,
    ...(typeof description === "string" ? { description } : {}),
  };
}
