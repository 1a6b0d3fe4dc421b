import type { Mistake } from "../../engine/types.ts";
import { printable } from "../../engine/printable.ts";
import type { View } from "./view.ts";

/** A mistake in words: `wrong value (value-space): town, expected 'Delft', got 'Utrecht'`. */
export function mistakeText({ kind, key, expected, got }: Mistake, { errorKinds }: View): string {
  const title = errorKinds.find(({ name }) => name === kind)?.title;
  const parts: string[] = [];
  if (key !== undefined) parts.push(key);
  if (expected !== undefined) parts.push(`expected ${expected}`);
  if (got !== undefined) parts.push(`got ${got}`);
  const name = title === undefined ? kind : `${title} (${kind})`;
  return printable(parts.length === 0 ? name : `${name}: ${parts.join(", ")}`);
}
