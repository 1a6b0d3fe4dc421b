/** The figures of an analysis cell as files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportFigure } from "./export-figure.ts";
import { planAnalysisCell } from "../session/analysis-cell.ts";
import type { CellState, ExportFormat, SessionCell } from "../workbench/workbench.ts";

/** Longer names do not fit every file system once a number and an ending are added. */
const longest = 80;

/** A file name for a cell, without its ending: its own name, else its analysis's, with a number where an earlier cell has it. */
export function exportName(cell: SessionCell, cells: readonly SessionCell[]): string {
  const named = cells.filter(({ kind }) => kind === "analysis").map((each) => ({ id: each.id, name: plainName(each) }));
  const same = named.filter(({ name }) => name === plainName(cell));
  const place = same.findIndex(({ id }) => id === cell.id);
  return place < 1 ? plainName(cell) : `${plainName(cell)}.${place + 1}`;
}

function plainName({ name, source }: SessionCell): string {
  const named = name === "" ? planAnalysisCell(source, []).name : name;
  return fileName(named || "figure");
}

/** Letters, digits, `.`, `_` and `-` only, so that no name leaves its folder. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, "-").slice(0, longest);
}

/** One file per figure; resolves to the paths written. */
export function writeFigures(
  { figures, warnings }: Extract<CellState, { kind: "analysis" }>,
  name: string,
  folder: string,
  format: ExportFormat,
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return figures.map((figure, index) => {
    const path = join(folder, `${name}${figures.length > 1 ? `-${index + 1}` : ""}.${format}`);
    writeFileSync(path, exportFigure(figure, format, warnings));
    return path;
  });
}
