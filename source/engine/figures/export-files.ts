/** Figures as files. */
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile } from "../files/replace-file.ts";
import { exportFigure, exportedNotes } from "./export-figure.ts";
import type { ExportFormat } from "./export-format.ts";
import type { ColourOf } from "./drawing/drawing.ts";
import type { Figure } from "../figure.ts";

/** Longer names do not fit every file system once a number and an ending are added. */
const longest = 80;

/** Letters, digits, `.`, `_` and `-` only, so that no name leaves its folder. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, "-").slice(0, longest);
}

type Exported = {
  readonly figures: readonly Figure[];
  readonly warnings: readonly string[];
  /** Of the runs in pictures. */
  readonly colourOf: ColourOf;
};

/** One file per figure, and one with its notes beside a CSV file, which has no room for them; resolves to the paths written. */
export function writeFigures(
  { figures, warnings, colourOf }: Exported,
  name: string,
  folder: string,
  format: ExportFormat,
): readonly string[] {
  makeFolder(folder);
  return figures.flatMap((figure, index) => {
    const base = join(folder, `${name}${figures.length > 1 ? `-${index + 1}` : ""}`);
    replaceFile(`${base}.${format}`, exportFigure(figure, format, warnings, colourOf));
    const notes = format === "csv" ? exportedNotes(figure, warnings) : undefined;
    if (notes === undefined) return [`${base}.${format}`];
    replaceFile(`${base}.notes.txt`, notes);
    return [`${base}.${format}`, `${base}.notes.txt`];
  });
}
