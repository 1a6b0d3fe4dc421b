/** What a suite measures of one task, in the words its figures use. */
import { shownValue } from "../../../engine/measures/measure-cell.ts";
import type { Measure } from "../../../engine/suite.ts";
import type { Row } from "../../../engine/types.ts";

export type Measured = { readonly title: string; readonly mode: string; readonly text: string };

/** Measures that are no means over tasks have no value for one of them. */
export function measuredOf(row: Row | undefined, measures: readonly Measure[]): readonly Measured[] {
  if (row === undefined) return [];
  return measures.flatMap(({ title, mode, unit, each }) => {
    const value = each?.(row);
    if (value === undefined) return [];
    return [{ title, mode, text: `${shownValue(value, unit)}${unit === "percent" ? " %" : ""}` }];
  });
}
