/** Measures memory bandwidth: the copying speed of bytes, which no reader can exceed. */
import type { Reference } from "./measurement.ts";

/** The quickest of so many: the first ones ask the system for pages. */
const rounds = 5;

/** Milliseconds to copy so many bytes once. */
export function copied(bytes: number): number {
  const from = new Uint8Array(bytes).fill(1);
  const to = new Uint8Array(bytes);
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    to.set(from);
    return performance.now() - begun;
  });
  if (to.at(-1) !== from.at(-1)) throw new Error("Expected the bytes to be copied, got others");
  return Math.min(...times);
}

/** Returns the bound of a measurement in milliseconds. */
export const copyOf = (what: string, bytes: number): Reference => ({
  of: `${what} copied in memory`,
  value: copied(bytes),
});
