/** The apps and APIs of the planner, and their text in prompts. */
import type { Fitting } from "../../../source/engine/text/checked-record.ts";
import { z } from "zod";

const argumentList = z.array(z.object({ name: z.string(), type: z.string().nullable(), description: z.string() }));

const api = z.object({
  name: z.string(),
  description: z.string(),
  is_transactional: z.boolean(),
  required_arguments: argumentList,
  optional_arguments: argumentList,
  result_arguments: argumentList,
});

const app = z.object({ name: z.string(), description: z.string(), apis: z.array(api) });
export const catalogueFile = z.object({ current_date: z.string(), apps: z.array(app) });

export type Api = Fitting<typeof api>;
export type App = Fitting<typeof app>;
export type Argument = Api["result_arguments"][number];
export type Catalogue = Fitting<typeof catalogueFile>;

/** Describes each app in one line, for the first stage of hierarchical prompting. */
export const describeApps = (apps: readonly App[]): string =>
  apps.map((app) => `${app.name}: ${app.description} \n\n `).join("");

/** Describes apps with all their APIs, byte for byte like the Python dictionaries in the benchmark's own prompts. */
export const describeApis = (apps: readonly App[]): string =>
  apps.map((app) => `${app.name}: ${dictionary(appFields(app))} \n\n `).join("");

/** Named values in order. An array is used so that no name is special. */
type Fields = readonly (readonly [string, string | boolean | Fields])[];

function appFields(app: App): Fields {
  const apis = app.apis.map((api) => [api.name, apiFields(api, app.name)] as const);
  return [
    ["desc", app.description],
    ["base_required_arguments", []],
    ["APIs", apis],
  ];
}

function apiFields(api: Api, app: string): Fields {
  const head: Fields = [
    ["desc", api.description],
    ["is_transactional", api.is_transactional],
  ];
  return [
    // The publisher swapped these two fields in this one app.
    ...(app === "Media" ? head.toReversed() : head),
    ["additional_required_arguments", argumentFields(api.required_arguments)],
    ["optional_arguments", argumentFields(api.optional_arguments)],
    ["result_arguments", argumentFields(api.result_arguments)],
  ];
}

const argumentFields = (items: readonly Argument[]): Fields =>
  items.map((item) => [item.type === null ? item.name : `${item.name} (${item.type})`, item.description]);

function dictionary(fields: Fields): string {
  const pairs = fields.map(([name, value]) => `${quote(name)}: ${write(value)}`);
  return `{${pairs.join(", ")}}`;
}

function write(value: string | boolean | Fields): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  return dictionary(value);
}

/**
 * Writes a Python string literal in single quotes, or in double quotes if the text contains an apostrophe and no double quote.
 */
function quote(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r");
  if (!text.includes("'")) return `'${escaped}'`;
  return text.includes('"') ? `'${escaped.replaceAll("'", "\\'")}'` : `"${escaped}"`;
}
