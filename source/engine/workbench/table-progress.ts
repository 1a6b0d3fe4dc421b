/** How much of a cell's tables is there, and what the rest takes, in words. */
import { filledText } from "../measures/filled-share.ts";
import { restText } from "../session/forecast.ts";
import type { CellState } from "./workbench.ts";

/** No lines where all is there. */
export function progressTexts({ filled = [], rest }: Extract<CellState, { kind: "analysis" }>): readonly string[] {
  return [...filled.map(filledText), ...(rest === undefined ? [] : [restText(rest)])];
}
