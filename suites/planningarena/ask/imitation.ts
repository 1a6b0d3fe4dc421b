/** Invents results in the shape of a tool's response, with seeded values, for `builtin/responder`. */
import { isRecord } from "../../../source/engine/text/json-record.ts";
import { pick } from "../../../source/engine/statistics/random.ts";
import type { Json } from "../../../source/engine/types.ts";

/** Deeper parts of a shape are omitted. */
const maxDepth = 8;
const words = "amber brook cedar delta ember fjord grove heron inlet juniper kestrel lagoon".split(" ");

/** Invents a result. Fields named like an argument repeat its value, so that later steps can rely on the request. */
export function imitate(shape: Json | undefined, args: { readonly [name: string]: Json }, random: () => number): Json {
  const value = shape === undefined ? {} : part(shape, "", args, random, 0);
  return isRecord(value) ? value : { result: value };
}

function part(
  shape: Json,
  name: string,
  args: { readonly [name: string]: Json },
  random: () => number,
  depth: number,
): Json {
  if (depth > maxDepth) return null;
  const argument = Object.hasOwn(args, name.trim()) ? args[name.trim()] : undefined;
  if (Array.isArray(shape)) return shape.length === 0 ? [] : [part(shape[0] as Json, name, args, random, depth + 1)];
  if (!isRecord(shape)) return argument ?? plain(typeof shape === "string" ? shape : "str", name, random);
  const { type, properties, items } = shape;
  if (isRecord(properties)) return fields(properties, args, random, depth);
  if (items !== undefined && (type === "list" || type === "array")) {
    const item = Array.isArray(items) ? (items[0] as Json) : items;
    return [
      part(isRecord(item) && item["type"] === undefined ? { properties: item } : item, name, args, random, depth + 1),
    ];
  }
  if (typeof type === "string") return argument ?? plain(type, name, random);
  return fields(shape, args, random, depth);
}

const fields = (
  shape: { readonly [name: string]: Json },
  args: { readonly [name: string]: Json },
  random: () => number,
  depth: number,
): Json =>
  Object.fromEntries(
    Object.entries(shape).map(([name, inner]) => [name.trim(), part(inner, name, args, random, depth + 1)]),
  );

function plain(type: string, name: string, random: () => number): Json {
  const number = (from: number, to: number) => from + Math.floor(random() * (to - from));
  switch (type) {
    case "int":
    case "integer":
      return number(101, 9999);
    case "float":
    case "number":
      return number(21, 899) + number(1, 99) / 100;
    case "bool":
    case "boolean":
      return true;
    case "null":
      return null;
    case "list":
    case "array":
      return [];
    case "object":
      return {};
    case "datetime":
      return /time/i.test(name) && !/date/i.test(name)
        ? `${number(10, 22)}:${number(10, 59)}`
        : `2031-${number(10, 13)}-${number(10, 28)}`;
    default:
      return /id$|number$|code$/i.test(name)
        ? `${name.slice(0, 2).toUpperCase()}-${number(10_000, 99_999)}`
        : `${pick(words, random)} ${pick(words, random)} ${number(10, 99)}`;
  }
}
