/** The apps and APIs of the planner, and their text in prompts. */

export type Argument = { readonly name: string; readonly type: string | null; readonly description: string };

export type Api = {
  readonly name: string;
  readonly description: string;
  readonly is_transactional: boolean;
  readonly required_arguments: readonly Argument[];
  readonly optional_arguments: readonly Argument[];
  readonly result_arguments: readonly Argument[];
};

export type App = { readonly name: string; readonly description: string; readonly apis: readonly Api[] };

export type Catalogue = { readonly current_date: string; readonly apps: readonly App[] };

/** Describes each app in one line, for the first stage of hierarchical prompting. */
export function describeApps(apps: readonly App[]): string {
  return apps.map((app) => `${app.name}: ${app.description} \n\n `).join("");
}

/** Describes apps with all their APIs, byte for byte like the Python dictionaries in the benchmark's own prompts. */
export function describeApis(apps: readonly App[]): string {
  return apps.map((app) => `${app.name}: ${dictionary(appFields(app))} \n\n `).join("");
}

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

function argumentFields(items: readonly Argument[]): Fields {
  return items.map((item) => [item.type === null ? item.name : `${item.name} (${item.type})`, item.description]);
}

function dictionary(fields: Fields): string {
  const pairs = fields.map(([name, value]) => `${quote(name)}: ${write(value)}`);
  return `{${pairs.join(", ")}}`;
}

function write(value: string | boolean | Fields): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  return dictionary(value);
}

/** Writes a Python string literal: single quotes, or double if the text contains an apostrophe and no double quote. */
function quote(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r");
  if (!text.includes("'")) return `'${escaped}'`;
  return text.includes('"') ? `'${escaped.replaceAll("'", "\\'")}'` : `"${escaped}"`;
}
