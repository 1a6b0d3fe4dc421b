import { type ExportFormat, exportFormats } from "../../../engine/workbench/workbench.ts";
import type { Binding } from "../binding.ts";

export type ExportCommand = `export-${ExportFormat}`;

/** In the palette only: there are more formats than good keys. */
export function exportKeys(disabled?: Binding["disabled"]): readonly (Binding & { readonly command: ExportCommand })[] {
  return exportFormats.map((format) => ({
    keys: [],
    command: `export-${format}` as const,
    title: `Export as ${format.toUpperCase()}`,
    ...(disabled && { disabled }),
  }));
}
