/** Figures as files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportFigure } from "./export-figure.ts";
import type { ExportFormat } from "./export-format.ts";
import type { Figure } from "../figure.ts";

/** Longer names do not fit every file system once a number and an ending are added. */
const longest = 80;

/** Letters, digits, `.`, `_` and `-` only, so that no name leaves its folder. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, "-").slice(0, longest);
}

/** One file per figure; resolves to the paths written. */
export function writeFigures(
  { figures, warnings }: { readonly figures: readonly Figure[]; readonly warnings: readonly string[] },
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
