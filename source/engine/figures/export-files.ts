/** Writes figures to files. */
import { basename, join } from "node:path";
import { distinctNames, fileName } from "./file-name.ts";
import { makeFolder } from "../files/make-folder.ts";
import { replaceFile, replaceFileAsItComes } from "../files/replace-file.ts";
import { exportedNotes, figureParts, type ExportFormat } from "./export-figure.ts";
import type { ColourOf } from "./drawing/drawing.ts";
import type { Figure } from "../figure.ts";
import { type PictureShape, WideFigure } from "./figure-svg.ts";
import { lackingLetters, pictureFile } from "./picture-file.ts";
import { eventLoopYielder } from "../work/event-loop.ts";

type Exported = {
  readonly figures: readonly Figure[];
  readonly warnings: readonly string[];
  /** Colours of the runs in pictures. */
  readonly colourOf: ColourOf;
  /** Returns the run of a figure by the figure's title; undefined if the figure shows several runs. */
  readonly runOf: (title: string) => string | undefined;
  readonly look?: FigureLook;
};

/**
 * `intervals` applies to LaTeX. `refused` receives the reason if a figure cannot be written; if absent, the reason is thrown.
 * `noted` receives notes on missing parts of a written figure.
 */
export type FigureLook = PictureShape & {
  readonly intervals?: boolean;
  readonly refused?: (why: string) => void;
  readonly noted?: (what: string) => void;
};

/**
 * Returns names for figures of one run after the run, and also after their kind if there are several; for other figures after
 * their position in the cell. Drawings of the preceding table have the table's name and do not affect other names.
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

/** Endings of formats that are not named by them. */
const endings: Readonly<Partial<Record<ExportFormat, string>>> = { vega: "vl.json" };

/**
 * Writes one file per figure, and a notes file beside each CSV file, which cannot contain notes; Vega-Lite has no tables. Resolves to
 * the paths written.
 */
export async function writeFigures(exported: Exported, name: string, folder: string, format: ExportFormat) {
  const { figures, warnings } = exported;
  const names = namesOf(exported, name);
  makeFolder(folder);
  const written: string[] = [];
  for (const [index, figure] of figures.entries()) {
    if (format === "vega" && figure.kind === "table") continue;
    const base = join(folder, names[index]!);
    const path = `${base}.${endings[format] ?? format}`;
    try {
      await writeFigure(path, figure, format, exported);
    } catch (error) {
      if (!(error instanceof WideFigure) || exported.look?.refused === undefined) throw error;
      exported.look.refused(error.message);
      continue;
    }
    written.push(path);
    const notes = format === "csv" ? exportedNotes(figure, warnings) : undefined;
    if (notes === undefined) continue;
    replaceFile(`${base}.notes.txt`, notes);
    written.push(`${base}.notes.txt`);
  }
  return written;
}

async function writeFigure(path: string, figure: Figure, format: ExportFormat, exported: Exported): Promise<void> {
  const { warnings, colourOf, look = {} } = exported;
  const isPicture = format === "png" || format === "pdf";
  const parts = figureParts(figure, isPicture ? "svg" : format, warnings, colourOf, look.intervals, look);
  if (!isPicture) return replaceFileAsItComes(path, asItComes(parts));
  const svg = [...parts].join("");
  replaceFile(path, await pictureFile(svg, format));
  const lacking = look.noted && (await lackingLetters(svg));
  if (lacking !== undefined) look.noted!(`${basename(path)}: ${lacking}`);
}

async function* asItComes(parts: Iterable<string>): AsyncIterable<Uint8Array> {
  const yieldIfDue = eventLoopYielder();
  for (const part of parts) {
    if (part !== "") yield Buffer.from(part, "utf8");
    await yieldIfDue();
  }
}
