/** Types of fields, which convert as pydantic does in its lax mode: `"3"` and `3.0` become 3 for an int, 3.5 is rejected. */
import { strip } from "../../../source/engine/python/text.ts";
import { entriesOf, fail, Float, isList, isMapping, type Dictionary, type Fields, shown, type Value } from "./value.ts";

/** Converts a value to a type. Fails if pydantic refuses it. */
export type Type<Converted extends Value = Value> = ((value: Value) => Converted) & {
  readonly absent?: () => Converted;
};

const refuseAs = (type: string, value: Value): never => fail(`Expected ${type}, got ${shown(value)}`);

export const text: Type<string> = (value) => (typeof value === "string" ? value : refuseAs("a text", value));

export const int: Type<number> = (value) => {
  if (typeof value === "boolean") return value ? 1 : 0;
  const number =
    typeof value === "string" && /^[+-]?\d+(?:_\d+)*(?:\.0*)?$/.test(strip(value))
      ? Number(strip(value).replaceAll("_", ""))
      : value instanceof Float
        ? value.value
        : value;
  // The sign of a zero is a float's alone.
  return typeof number === "number" && Number.isInteger(number) ? number + 0 : refuseAs("a whole number", value);
};

export const float: Type<Float> = (value) => {
  if (value instanceof Float) return value;
  if (typeof value === "number") return new Float(value);
  if (typeof value === "boolean") return new Float(value ? 1 : 0);
  const written = typeof value === "string" ? strip(value).replaceAll(/(?<=\d)_(?=\d)/g, "") : "";
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(written)
    ? new Float(Number(written))
    : refuseAs("a number", value);
};

const truths = new Map<unknown, boolean>([
  ...["true", "t", "yes", "y", "on", "1", 1].map((word) => [word, true] as const),
  ...["false", "f", "no", "n", "off", "0", 0].map((word) => [word, false] as const),
]);

export const bool: Type<boolean> = (value) => {
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.toLowerCase() : value instanceof Float ? value.value : value;
  return truths.get(word) ?? refuseAs("true or false", value);
};

/** A date and time, which the official program prints with a blank between them. */
export const dateTime: Type<string> = (value) => text(value).replace("T", " ");

export const oneOf =
  (...values: readonly string[]): Type<string> =>
  (value) =>
    typeof value === "string" && values.includes(value) ? value : refuseAs(`one of ${values.join(", ")}`, value);

export const listOf =
  <Item extends Value>(item: Type<Item>): Type<readonly Item[]> =>
  (value) =>
    isList(value) ? value.map(item) : refuseAs("a list", value);

export const dictionaryOf =
  <Item extends Value>(item: Type<Item>): Type<ReadonlyMap<string, Item> & Dictionary> =>
  (value) =>
    isMapping(value)
      ? new Map(entriesOf(value).map(([key, each]): [string, Item] => [key, item(each)]))
      : refuseAs("a dictionary", value);

/** A field with a default value if it is absent. */
export function defaulting<Converted extends Value>(type: Type<Converted>, absent: () => Converted): Type<Converted> {
  return Object.assign((value: Value) => type(value), { absent });
}

/** A field that may be null, and is null if it is absent. */
export function optional<Converted extends Value>(type: Type<Converted>): Type<Converted | null> {
  return defaulting<Converted | null>(
    (value) => (value === null ? null : type(value)),
    () => null,
  );
}

/** A record with these fields in this order. Other fields are dropped, or rejected if the model is `strict`. */
export function model(fields: { readonly [field: string]: Type }, { strict = false } = {}): Type<Fields> {
  return (value) => {
    if (!isMapping(value)) return refuseAs("a record", value);
    const given = new Map(entriesOf(value));
    const foreign = strict ? [...given.keys()].find((key) => !Object.hasOwn(fields, key)) : undefined;
    if (foreign !== undefined) fail(`Expected no field \`${foreign}\``);
    return Object.fromEntries(
      Object.entries(fields).map(([name, type]) => {
        const own = given.get(name);
        if (own !== undefined) return [name, type(own)];
        return [name, type.absent === undefined ? fail(`Expected a field \`${name}\``) : type.absent()];
      }),
    );
  };
}

/** The model that the field `by` names. */
export function modelBy(by: string, models: { readonly [name: string]: Type<Fields> }): Type<Fields> {
  return (value) => {
    const name = isMapping(value) ? new Map(entriesOf(value)).get(by) : undefined;
    return typeof name === "string" && Object.hasOwn(models, name)
      ? models[name]!(value)
      : refuseAs(`\`${by}\` to be one of ${Object.keys(models).join(", ")}`, name ?? null);
  };
}
