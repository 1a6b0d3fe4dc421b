/** Decides whether upstream accepts a value. */
import { stripOf } from "../../../source/engine/python/text.ts";

/** Upstream's test for a reference: the value text contains no single quote. */
export const isReference = (value: string): boolean => !value.includes("'");

/** Compares values as the official program does: one value contains the other, so an empty value matches any value. */
const matches = (left: string, right: string): boolean => left.includes(right) || right.includes(left);

/** City aliases accepted by upstream, including its extra apostrophe after Mexico City. */
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
 * Returns why the official program accepts a value: it matches the reference, the user's value for this key, or a value accepted
 * for this key earlier in the sample. Returns undefined if the program rejects it. Remembers the first accepted value of each
 * key.
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

/** Reads an own property of an untrusted object. */
export const ownValue = <Value>(object: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
