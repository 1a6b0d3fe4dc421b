import { expect } from "vitest";

/** Deep equality with numbers equal to within 1e-9, keys exact; `where` names the case. */
export function expectClose(actual: unknown, expected: unknown, where: string): void {
  if (typeof expected === "number" && typeof actual === "number") {
    if (!(Math.abs(actual - expected) <= 1e-9)) expect(actual, where).toBe(expected);
    return;
  }
  if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null) {
    if (!Object.is(actual, expected)) expect(actual, where).toEqual(expected);
    return;
  }
  const left = Object.keys(actual).toSorted();
  const right = Object.keys(expected).toSorted();
  if (left.join() !== right.join()) expect(left, where).toEqual(right);
  for (const [key, value] of Object.entries(expected)) {
    expectClose((actual as Record<string, unknown>)[key], value, `${where}.${key}`);
  }
}
