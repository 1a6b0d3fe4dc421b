/** Calls as steps of a plan, for the trajectory screen. */
import type { Call } from "./checker.ts";
import { written } from "./value.ts";

export function stepsOf(calls: readonly Call[]) {
  return calls.flatMap((call) =>
    Object.entries(call).map(([title, given]) => ({
      title,
      lines: Object.entries(given).map(([key, value]) => `${key}: ${written(value)}`),
      needs: [],
    })),
  );
}
