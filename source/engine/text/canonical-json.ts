/** JSON that is the same for equal values, however their keys are ordered. */
import type { Json } from "../types.ts";

/** JSON with sorted keys and without undefined members. */
export function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const object = value as { readonly [key: string]: Json };
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`)
    .join(",")}}`;
}
