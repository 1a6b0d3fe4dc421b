/** Function descriptions as ToolBench's two programs build them from an API record. */
import type { Json, ToolSpec } from "../../../source/engine/types.ts";
import { functionName, identifier } from "./names.ts";

export type Parameter = {
  readonly name: string;
  /** Null for a few parameters of the published catalogue; they are offered as text. */
  readonly type: string | null;
  readonly description: string;
  readonly default?: Json;
};

/** One endpoint, as in the `api_list` of a query. */
export type ApiRecord = {
  readonly category_name: string;
  readonly tool_name: string;
  readonly api_name: string;
  readonly api_description: string;
  readonly required_parameters?: readonly Parameter[];
  readonly optional_parameters?: readonly Parameter[];
};

type Property = { readonly type: string; readonly description: string; readonly example_value?: Json };
export type FunctionSchema = {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, Property>>;
    readonly required: readonly string[];
    readonly optional: readonly string[];
  };
};

const types: ReadonlyMap<string | null, string> = new Map([
  ["NUMBER", "integer"],
  ["STRING", "string"],
  ["BOOLEAN", "boolean"],
]);
const longestDescription = 256;
const clip = (text: string): string => [...text].slice(0, longestDescription).join("");

/**
 * The schema of one API. Known oddities kept: `required` and `optional` start with an empty name in StableToolBench and
 * empty in Tool-Planner; optional parameters vanish where no parameter is required; NUMBER is offered as integer.
 */
export function functionSchema(
  api: ApiRecord,
  standardTool: string,
  variant: "stabletoolbench" | "tool-planner",
): FunctionSchema {
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
  const description = pythonStrip(api.api_description);
  if (description === "") return head;
  return `${head}The description of this function is: "${clip(description.replaceAll(api.api_name, () => name))}"`;
}

/** Python's `strip()`: it knows four separators and one control more than JavaScript's `trim`, and leaves byte order marks. */
function pythonStrip(text: string): string {
  const more = "\u001c\u001d\u001e\u001f\u0085";
  const isSpace = (unit: string) => unit !== "\uFEFF" && (/\s/.test(unit) || more.includes(unit));
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text[from]!)) from += 1;
  while (to > from && isSpace(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

function propertyOf(parameter: Parameter): Property {
  const property = { type: types.get(parameter.type) ?? "string", description: clip(parameter.description) };
  const example = parameter.default === undefined ? "" : parameter.default;
  return example === "" ? property : { ...property, example_value: example };
}

/**
 * The same as a tool for a chat request, in valid JSON Schema: without the empty names and the `optional` list, which the
 * official request carries but no server reads.
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
