/** The figures of an analysis cell as files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportFigure } from "./export-figure.ts";
import type { CellState, ExportFormat, SessionCell } from "./workbench.ts";

/** One file per figure; resolves to the paths written. */
export function writeFigures(
  { analysis, figures, warnings }: Extract<CellState, { kind: "analysis" }>,
  cell: SessionCell,
  folder: string,
  format: ExportFormat,
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return figures.map((figure, index) => {
    const name = (cell.name || analysis?.name || cell.id).replace(/[^\w.-]+/g, "-");
    const path = join(folder, `${name}${figures.length > 1 ? `-${index + 1}` : ""}.${format}`);
    writeFileSync(path, exportFigure(figure, format, warnings));
    return path;
  });
}
