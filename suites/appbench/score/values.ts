/** When upstream takes a value for right. */
import { stripOf } from "./text.ts";

/** Upstream's test for a reference: no single quote in the value text. */
export function isReference(value: string): boolean {
  return !value.includes("'");
}

/** Upstream's way to compare values: equal, or one a part of the other; an empty value matches anything. */
function matches(left: string, right: string): boolean {
  return left.includes(right) || right.includes(left);
}

/** Other names of some cities upstream accepts; the apostrophe too many after Mexico City is upstream's. */
const cities = new Map([
  ["la", "'los angeles'"],
  ["lax", "'los angeles'"],
  ["ciudad de mexico", "'mexico city''"],
  ["nyc", "'new york'"],
  ["sd", "'san diego'"],
  ["sfo", "'san francisco'"],
  ["chi-town", "'chicago'"],
]);

/**
 * Why upstream accepts a value: it matches the reference, the user's value for this key, or what was accepted for
 * this key before in the sample. Undefined where it does not. Keeps the first accepted value of each key.
 */
export function acceptance(
  key: string,
  goldText: string,
  given: string,
  userValues: Readonly<Record<string, string>>,
  remembered: Map<string, string>,
): "gold" | "user" | "remembered" | undefined {
  const lower = given.toLowerCase();
  const bare = stripOf(cities.get(stripOf(lower, "'")) ?? lower, "'");
  if (matches(stripOf(goldText.toLowerCase(), "'"), bare)) {
    if (!remembered.has(key)) remembered.set(key, bare);
    return "gold";
  }
  const user = ownValue(userValues, key.replace(/^#/, ""));
  if (user !== undefined && matches(stripOf(user.toLowerCase(), "'"), bare)) {
    if (!remembered.has(key)) remembered.set(key, bare);
    return "user";
  }
  const before = remembered.get(key);
  return before !== undefined && matches(before, bare) ? "remembered" : undefined;
}

/** A value of a foreign object by its own key only. */
export function ownValue<Value>(object: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
