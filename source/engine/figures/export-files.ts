/** Figures as files. */
import { join } from "node:path";
import { distinctNames, fileName } from "./file-name.ts";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile } from "../files/replace-file.ts";
import { exportFigure, exportedNotes } from "./export-figure.ts";
import type { ExportFormat } from "./export-format.ts";
import type { ColourOf } from "./drawing/drawing.ts";
import type { Figure } from "../figure.ts";

type Exported = {
  readonly figures: readonly Figure[];
  readonly warnings: readonly string[];
  /** Of the runs in pictures. */
  readonly colourOf: ColourOf;
  /** The run a figure is of, by its title; undefined where it is of several. */
  readonly runOf: (title: string) => string | undefined;
};

/**
 * Figures of one run are named by it, and by their kind where it has several; the others by their place in the cell. Drawings of
 * the table before them are named after it, and count for nothing in the names of others.
 */
function namesOf({ figures, runOf }: Exported, name: string): readonly string[] {
  const distinct = distinctNames();
  const counted = figures.filter(({ drawsTable }) => drawsTable !== true);
  const runs = counted.map(({ title }) => runOf(title));
  const names = counted.map(({ kind }, index) => {
    const run = runs[index];
    if (run === undefined) return distinct(`${name}${counted.length > 1 ? `-${index + 1}` : ""}`);
    const isAlone = runs.filter((other) => other === run).length === 1;
    return distinct(`${name}-${fileName(run)}${isAlone ? "" : `-${kind}`}`);
  });
  let last = -1;
  return figures.map(({ kind, drawsTable }) => {
    if (drawsTable !== true) return names[++last]!;
    return distinct(`${names[last] ?? name}-${kind}`);
  });
}

/** One file per figure, and one with its notes beside a CSV file, which has no room for them; resolves to the paths written. */
export function writeFigures(
  exported: Exported,
  name: string,
  folder: string,
  format: ExportFormat,
): readonly string[] {
  const { figures, warnings, colourOf } = exported;
  const names = namesOf(exported, name);
  makeFolder(folder);
  return figures.flatMap((figure, index) => {
    const base = join(folder, names[index]!);
    replaceFile(`${base}.${format}`, exportFigure(figure, format, warnings, colourOf));
    const notes = format === "csv" ? exportedNotes(figure, warnings) : undefined;
    if (notes === undefined) return [`${base}.${format}`];
    replaceFile(`${base}.notes.txt`, notes);
    return [`${base}.${format}`, `${base}.notes.txt`];
  });
}
