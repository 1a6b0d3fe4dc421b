import { figureParts } from "../../../source/engine/figures/export-figure.ts";

/** A figure as its file would be. */
export function exportFigure(...given: Parameters<typeof figureParts>): string {
  return [...figureParts(...given)].join("");
}
