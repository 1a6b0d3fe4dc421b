/** Returns how often two of these values differ, drawn without replacement; undefined with fewer than two. */
export function disagreement(values: readonly (number | string)[]): number | undefined {
  const n = values.length;
  if (n < 2) return undefined;
  const counts = new Map<number | string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const equal = [...counts.values()].reduce((pairs, count) => pairs + count * (count - 1), 0);
  return 1 - equal / (n * (n - 1));
}
