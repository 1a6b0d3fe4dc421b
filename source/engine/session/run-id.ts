/** The hash that names a run: everything that decides its results and nothing else. */
import { createHash } from "node:crypto";
import type { Json, RunSpec } from "../types.ts";

/** 16 hexadecimal digits; equal for specs that are equal whatever the order of their keys. */
export function runId(spec: RunSpec, extra: Json = null): string {
  return createHash("sha256")
    .update(canonicalJson([spec as unknown as Json, extra]))
    .digest("hex")
    .slice(0, 16);
}

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
