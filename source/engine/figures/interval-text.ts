/** 95 % intervals in the words of the value they belong to. */
import type { Cell } from "../figure.ts";
import { shownInPercent } from "./shown-in-percent.ts";

type Ended = Pick<Cell, "text" | "value"> & { readonly low?: number | undefined; readonly high?: number | undefined };

/** `[38.2, 52.1]`: in percent where the value is shown in percent. Undefined where there is none. */
export function intervalText(cell: Ended): string | undefined {
  const ends = intervalEnds(cell);
  return ends === undefined ? undefined : `[${ends.join(", ")}]`;
}

export function intervalEnds({ text, value, low, high }: Ended): readonly [string, string] | undefined {
  if (low === undefined || high === undefined) return undefined;
  const inPercent = shownInPercent({ text, ...(value !== undefined && { value }) });
  const shown = (end: number) => (inPercent ? (end * 100).toFixed(1) : String(Math.round(end * 1000) / 1000));
  return [shown(low), shown(high)];
}
