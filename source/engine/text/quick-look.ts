/** Whether a value fits a schema, found out without the copy zod makes of everything it reads. */
import type { z } from "zod";
import { factOf } from "../work/fact.ts";

type Fits = (value: unknown) => boolean;

/**
 * A quick look that says yes only where `schema.safeParse` would succeed, and nearly always where it would. Where it says
 * no, zod has the word: on the value, and on what is wrong with it. For schemas that only check: what transforms or fills
 * in is left to zod whole.
 *
 * Why it is here: a published file has up to a hundred thousand fields, and what zod spends on them is mostly building
 * objects that nobody keeps (three quarters of the time of checking AppBench's samples).
 */
export const quickLook = factOf((schema: z.core.$ZodType): Fits => lookFor(schema as z.core.$ZodTypes));

const never: Fits = () => false;

function lookFor(schema: z.core.$ZodTypes): Fits {
  const { def } = schema._zod;
  // A length, a format, a bound: rare, and zod's.
  if (def.checks !== undefined && def.checks.length > 0) return never;
  switch (def.type) {
    case "string":
      return "format" in def ? never : (value) => typeof value === "string";
    case "number":
      if (!("format" in def)) return (value) => Number.isFinite(value);
      return def.format === "safeint" ? (value) => Number.isSafeInteger(value) : never;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "null":
      return (value) => value === null;
    case "custom":
      return (value) => Boolean(def.fn(value));
    case "enum":
      return amongAll(Object.values(def.entries));
    case "literal":
      return amongAll(def.values);
    case "nullable": {
      const inner = quickLook(def.innerType);
      return (value) => value === null || inner(value);
    }
    case "optional":
      // A key that is there with `undefined` for its value is not the same to all optional fields: zod knows.
      return quickLook(def.innerType);
    case "union": {
      const options = def.options.map(quickLook);
      return (value) => options.some((fits) => fits(value));
    }
    case "pipe": {
      const first = quickLook(def.in);
      const second = quickLook(def.out);
      return (value) => first(value) && second(value);
    }
    case "array": {
      const item = quickLook(def.element);
      return (value) => Array.isArray(value) && value.every(item);
    }
    case "tuple": {
      const items = def.items.map(quickLook);
      return def.rest !== null
        ? never
        : (value) =>
            Array.isArray(value) && value.length === items.length && items.every((fits, index) => fits(value[index]));
    }
    case "object":
      return lookForObject(def);
    default:
      return never;
  }
}

function amongAll(values: readonly unknown[]): Fits {
  const all = new Set(values);
  return (value) => all.has(value);
}

function lookForObject({ shape, catchall }: z.core.$ZodObjectDef): Fits {
  const fields = Object.entries(shape).map(([key, field]) => ({
    key,
    fits: quickLook(field),
    optional: field._zod.optin !== undefined,
  }));
  const named = new Set(Object.keys(shape));
  const others = catchall === undefined ? undefined : quickLook(catchall);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const record = value as Readonly<Record<string, unknown>>;
    for (const field of fields) {
      const given = record[field.key];
      if (given === undefined ? !field.optional || field.key in record : !field.fits(given)) return false;
    }
    if (others === undefined) return true;
    for (const key in record) if (!named.has(key) && !others(record[key])) return false;
    return true;
  };
}
