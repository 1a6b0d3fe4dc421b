import type { Cell } from "../figure.ts";

type Shown = Pick<Cell, "text" | "value">;

/** Whether a cell's text says its value, a share, in percent; of nothing, two decimals tell. */
export function shownInPercent({ text, value }: Shown): boolean {
  if (value === undefined) return false;
  return value === 0 ? /^0\.00 ?%?$/.test(text) : Math.abs(Number.parseFloat(text) / value - 100) < 5;
}

/** The same of numbers on one axis: those that are not 0 decide, where there are any. */
export function areShownInPercent(cells: readonly Shown[]): boolean {
  const numbers = cells.filter(({ value }) => value !== undefined);
  const others = numbers.filter(({ value }) => value !== 0);
  return (others.length > 0 ? others : numbers).some(shownInPercent);
}
