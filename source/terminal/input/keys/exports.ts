import { exportFormats } from "../../../engine/workbench/workbench.ts";
import type { Binding, Scope } from "../binding.ts";

/** In the palette only: which format is wanted is a word, not a key. */
export function exportKeys(scope: Scope, disabled?: Binding["disabled"]): readonly Binding[] {
  return exportFormats.map((format) => ({
    scope,
    keys: [],
    command: `export-${format}`,
    title: `Export as ${format.toUpperCase()}`,
    ...(disabled && { disabled }),
  }));
}
