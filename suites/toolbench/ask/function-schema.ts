/** Builds function descriptions from an API record like ToolBench's two programs. */
import { anyJson, type Fitting } from "../../../source/engine/text/checked-record.ts";
import { z } from "zod";
import { strip } from "../../../source/engine/python/text.ts";
import type { Json, ToolSpec } from "../../../source/engine/types.ts";
import { functionName, identifier } from "./names.ts";

const parameter = z.object({
  name: z.string(),
  /** Null for a few parameters of the published catalogue, which are offered as text. */
  type: z.string().nullable(),
  description: z.string(),
  default: z.exactOptional(anyJson),
});
export type Parameter = Fitting<typeof parameter>;
export const parameters = z.exactOptional(z.array(parameter));

/** One endpoint, as in the `api_list` of a query. */
export const apiRecord = z.object({
  category_name: z.string(),
  tool_name: z.string(),
  api_name: z.string(),
  api_description: z.string(),
  required_parameters: parameters,
  optional_parameters: parameters,
});
export type ApiRecord = Fitting<typeof apiRecord>;

type Property = { readonly type: string; readonly description: string; readonly example_value?: Json };
export type FunctionSchema = ReturnType<typeof functionSchema>;

const types: ReadonlyMap<string | null, string> = new Map([
  ["NUMBER", "integer"],
  ["STRING", "string"],
  ["BOOLEAN", "boolean"],
]);
const longestDescription = 256;
const clip = (text: string): string => [...text].slice(0, longestDescription).join("");

/**
 * Builds the schema of one API, with the known peculiarities: `required` and `optional` start with an empty name in
 * StableToolBench but not in Tool-Planner; optional parameters disappear if no parameter is required; NUMBER becomes integer.
 */
export function functionSchema(api: ApiRecord, standardTool: string, variant: "stabletoolbench" | "tool-planner") {
  const name = functionName(api.api_name, standardTool);
  const first = variant === "stabletoolbench" ? [""] : [];
  const required = api.required_parameters ?? [];
  const optional = required.length === 0 ? [] : (api.optional_parameters ?? []);
  const properties = new Map<string, Property>();
  for (const parameter of [...required, ...optional]) properties.set(identifier(parameter.name), propertyOf(parameter));
  return {
    name,
    description: descriptionOf(api, standardTool, name),
    parameters: {
      type: "object",
      properties: Object.fromEntries(properties),
      required: [...first, ...required.map((parameter) => identifier(parameter.name))],
      optional: [...first, ...optional.map((parameter) => identifier(parameter.name))],
    },
  };
}

function descriptionOf(api: ApiRecord, standardTool: string, name: string): string {
  const head = `This is the subfunction for tool "${standardTool}", you can use this tool.`;
  const description = strip(api.api_description);
  if (description === "") return head;
  return `${head}The description of this function is: "${clip(description.replaceAll(api.api_name, () => name))}"`;
}

function propertyOf(parameter: Parameter): Property {
  const property = { type: types.get(parameter.type) ?? "string", description: clip(parameter.description) };
  const example = parameter.default === undefined ? "" : parameter.default;
  return example === "" ? property : { ...property, example_value: example };
}

/**
 * Converts the schema to a tool of a chat request, in valid JSON Schema: without the empty names and the `optional`
 * list, which no server reads.
 */
export function toolSpec(schema: FunctionSchema): ToolSpec {
  const { properties, required } = schema.parameters;
  const named = required.filter((name) => name !== "");
  return {
    name: schema.name,
    description: schema.description,
    parameters: { type: "object", properties, ...(named.length === 0 ? {} : { required: named }) },
  };
}
