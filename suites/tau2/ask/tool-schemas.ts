/** Tools as they are sent: texts come from the data, and types are written like pydantic's for the official tools. */
import type { Json, ToolSpec } from "../../../source/engine/types.ts";
import type { FunctionTexts } from "../data/python-texts.ts";
import type { ModelTexts } from "../data/texts.ts";
import type { Tools } from "../environment/toolkit.ts";
import { Float, type Value } from "../environment/value.ts";

type Schema = { readonly [field: string]: Json };
/** The type of an argument or field; `models` are the records it refers to. */
type Typed = {
  readonly schema: Schema;
  readonly models?: readonly string[];
  /** A reference has no title. */
  readonly untitled?: true;
  readonly default?: Json;
};

const oneOf = (...names: readonly string[]): Typed => ({ schema: { enum: names, type: "string" } });
const optional = (type: string, value: Json): Typed => ({
  schema: { anyOf: [{ type }, { type: "null" }] },
  default: value,
});
const anyObject = { additionalProperties: true, type: "object" } as const;
const reference = (name: string) => ({ $ref: `#/$defs/${name}` });
const listOf = (name: string): Typed => ({
  schema: { items: { anyOf: [reference(name), anyObject] }, type: "array" },
  models: [name],
});
const [text, whole]: readonly Typed[] = [{ schema: { type: "string" } }, { schema: { type: "integer" } }];
const texts: Typed = { schema: { items: { type: "string" }, type: "array" } };

/** Arguments that are not texts, by name; a name has the same meaning in all tools. */
const argumentTypes: Readonly<Record<string, Typed>> = {
  flight_type: oneOf("round_trip", "one_way"),
  cabin: oneOf("business", "economy", "basic_economy"),
  insurance: oneOf("yes", "no"),
  flights: listOf("FlightInfo"),
  passengers: listOf("Passenger"),
  payment_methods: listOf("Payment"),
  total_baggages: whole!,
  nonfree_baggages: whole!,
  amount: whole!,
  item_ids: texts,
  new_item_ids: texts,
  limit: whole!,
  gb_amount: { schema: { type: "number" } },
  mode: {
    schema: { anyOf: [reference("NetworkModePreference"), { type: "string" }] },
    models: ["NetworkModePreference"],
  },
  apn_settings: { schema: { anyOf: [reference("APNSettings"), anyObject] }, models: ["APNNames", "APNSettings"] },
};

/** Fields of the records that are allowed as arguments; a list contains the allowed words. */
const models: Readonly<Record<string, Readonly<Record<string, Typed>> | readonly string[]>> = {
  FlightInfo: { flight_number: text!, date: text! },
  Passenger: { first_name: text!, last_name: text!, dob: text! },
  Payment: { payment_id: text!, amount: whole! },
  NetworkModePreference: ["4g_5g_preferred", "4g_only", "3g_only", "2g_only"],
  APNNames: ["internet", "broken"],
  APNSettings: {
    apn_name: { schema: reference("APNNames"), default: "internet", untitled: true },
    reset_at_reboot: { schema: { type: "boolean" }, default: false },
    mms_apn: optional("string", "mms"),
    mmsc_url: optional("string", "http://mms.carrier.com/mms/wapenc"),
    mms_proxy: optional("string", null),
    mms_port: optional("integer", null),
  },
};

/** Records that reject other fields, and whose description is sent. */
const strict = new Set(["APNSettings"]);

/** Returns the tools of a side, in their order. */
export function toolSpecs(
  tools: Tools,
  described: ReadonlyMap<string, FunctionTexts>,
  modelTexts: ModelTexts,
): readonly ToolSpec[] {
  return Object.entries(tools).map(([name, { takes, defaults = {} }]) => {
    const own = described.get(name);
    const properties = takes.map((argument): readonly [string, Typed] => {
      const type = argumentTypes[argument] ?? text!;
      const value = Object.hasOwn(defaults, argument) ? plain(defaults[argument]!) : undefined;
      return [argument, value === undefined ? type : { ...type, default: value }];
    });
    const used = properties.flatMap(([, type]) => type.models ?? []);
    const definitions = used.map((model) => [model, modelSchema(model, modelTexts(model))] as const);
    const parameters = {
      ...(used.length > 0 && { $defs: Object.fromEntries(definitions) }),
      ...objectSchema("parameters", properties, own?.arguments ?? {}),
    };
    return { name, description: own?.description ?? name, parameters };
  });
}

const plain = (value: Value): Json => (value instanceof Float ? value.value : (value as Json));

function modelSchema(name: string, own: FunctionTexts | undefined): Schema {
  const fields = models[name]!;
  if (Array.isArray(fields)) return { enum: fields as readonly string[], title: name, type: "string" };
  const object = objectSchema(name, Object.entries(fields as Readonly<Record<string, Typed>>), own?.arguments ?? {});
  if (!strict.has(name)) return object;
  return { additionalProperties: false, ...(own && { description: own.description }), ...object };
}

function objectSchema(
  title: string,
  properties: readonly (readonly [name: string, type: Typed])[],
  described: FunctionTexts["arguments"],
): Schema {
  const required = properties.flatMap(([name, type]) => (type.default === undefined ? [name] : []));
  const schemas = properties.map(([name, { schema, untitled, ...type }]): [string, Schema] => [
    name,
    {
      ...(type.default !== undefined && { default: type.default }),
      ...(described[name] !== undefined && { description: described[name] }),
      ...schema,
      ...(untitled !== true && { title: titleOf(name) }),
    },
  ]);
  return {
    properties: Object.fromEntries(schemas),
    ...(required.length > 0 && { required }),
    title,
    type: "object",
  };
}

/** `flight_number` is `Flight Number`. */
const titleOf = (name: string) =>
  name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
