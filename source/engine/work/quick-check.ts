/**
 * Quick checks of records: predicates compiled from schemas. zod copies what it checks and collects issues, which takes longer
 * than parsing the JSON of a long log; nearly every record is valid and needs neither.
 */
import type { z } from "zod";
import { factOf } from "./fact.ts";

type Check = (value: unknown) => boolean;

/** Leaves all values to the schema. */
const undecided: Check = () => false;

/**
 * Returns a predicate that is true only for values that the schema accepts. It may be false for some of them, so the schema itself
 * checks every value that does not pass.
 */
export const quickCheck = factOf((schema: z.core.$ZodType): Check => compiled(schema as z.core.$ZodTypes));

function compiled(schema: z.core.$ZodTypes): Check {
  const { def } = schema._zod;
  // Lengths, patterns, refinements and conversions are left to the schema.
  if ((def.checks?.length ?? 0) > 0 || ("coerce" in def && def.coerce === true)) return undecided;
  switch (def.type) {
    case "string":
      return "format" in def ? undecided : (value) => typeof value === "string";
    case "number":
      if (!("format" in def)) return Number.isFinite;
      return def.format === "safeint" ? Number.isSafeInteger : undecided;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "null":
      return (value) => value === null;
    case "literal":
      return (value) => def.values.includes(value as never);
    case "enum":
      return (value) => schema._zod.values!.has(value as never);
    case "custom":
      return (value) => def.fn(value) === true;
    case "optional":
      return isExact(schema) ? quickCheck(def.innerType) : either(undefined, quickCheck(def.innerType));
    case "nullable":
      return either(null, quickCheck(def.innerType));
    case "union":
      return def.inclusive === false ? undecided : unionCheck(def.options.map(quickCheck));
    case "pipe":
      return bothChecks(quickCheck(def.in), quickCheck(def.out));
    case "array":
      return listCheck(quickCheck(def.element));
    case "object":
      return objectCheck(def);
    default:
      return undecided;
  }
}

/** True for a field that may be absent, but not undefined. */
const isExact = (schema: z.core.$ZodType): boolean => schema._zod.traits.has("$ZodExactOptional");

const either =
  (empty: null | undefined, check: Check): Check =>
  (value) =>
    value === empty || check(value);

function unionCheck(options: readonly Check[]): Check {
  const decided = options.filter((check) => check !== undecided);
  return decided.length === 0 ? undecided : (value) => decided.some((check) => check(value));
}

const bothChecks = (first: Check, second: Check): Check =>
  first === undecided || second === undecided ? undecided : (value) => first(value) && second(value);

function listCheck(check: Check): Check {
  if (check === undecided) return undecided;
  return (value) => {
    if (!Array.isArray(value)) return false;
    // Not `every`, which skips absent items.
    for (let at = 0; at < value.length; at++) if (!check(value[at])) return false;
    return true;
  };
}

function objectCheck({ shape, catchall }: z.core.$ZodObjectDef): Check {
  const fields = Object.entries(shape).map(([key, schema]) => {
    const isOptional = schema._zod.def.type === "optional";
    return { key, check: quickCheck(schema), isOptional, isExact: isExact(schema) };
  });
  if (fields.some(({ check, isOptional }) => check === undecided && !isOptional)) return undecided;
  const others = catchall && quickCheck(catchall);
  const known = new Set(Object.keys(shape));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const record = value as Readonly<Record<string, unknown>>;
    for (const field of fields) {
      const { key, isOptional } = field;
      const found = record[key];
      if (found !== undefined ? !field.check(found) : !isOptional || (field.isExact && key in record)) return false;
    }
    return others === undefined || Object.keys(record).every((key) => known.has(key) || others(record[key]));
  };
}
