import type { Cell } from "../figure.ts";

/** Whether a cell's text says its value, a share, in percent; of nothing, two decimals tell. */
export function shownInPercent({ text, value }: Pick<Cell, "text" | "value">): boolean {
  if (value === undefined) return false;
  return value === 0 ? /^0\.0+ ?%?$/.test(text) : Math.abs(Number.parseFloat(text) / value - 100) < 5;
}
