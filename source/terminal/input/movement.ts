/** Keys that mean the same on many screens. */
import { type Binding, key } from "./binding.ts";
import { type ExportFormat, exportFormats } from "../../engine/workbench/workbench.ts";

export const upDownKeys = [key(["j", "down"], "down", "Down"), key(["k", "up"], "up", "Up")] as const;

/** Moving in a list. */
export const listKeys = [
  ...upDownKeys,
  key(["g", "home"], "first", "Go to the start"),
  key(["G", "end"], "last", "Go to the end"),
  key(["pagedown", "ctrl+d"], "page-down", "A page down"),
  key(["pageup", "ctrl+u"], "page-up", "A page up"),
] as const;

export type ListCommand = (typeof listKeys)[number]["command"];

/**
 * The commands of `listKeys` in a list of `count` entries; `here` is the current index of the cursor, and `go` receives the new
 * index.
 */
export function listMoves(
  here: number,
  count: number,
  page: number,
  go: (place: number) => void,
): Readonly<Record<ListCommand, () => void>> {
  const to = (place: number) => () => go(Math.max(0, Math.min(place, count - 1)));
  return {
    down: to(here + 1),
    up: to(here - 1),
    first: to(0),
    last: to(count - 1),
    "page-down": to(here + page),
    "page-up": to(here - page),
  };
}

export const leftRightKeys = [key(["h", "left"], "left", "Left"), key(["l", "right"], "right", "Right")] as const;

export const backKeys = [key(["esc", "q", "backspace"], "back", "Back", { short: "back", footer: 99 })] as const;

/** If `n` has another meaning, `/` and Enter continue. */
export const findKeys = [
  key(["/"], "find", "Find words; / and Enter again go to the next match", { short: "find" }),
] as const;

export type FindCommand = (typeof findKeys)[number]["command"];

export const copyKeys = [key(["y"], "copy", "Copy the text at the cursor", { short: "copy" })] as const;

export type ExportCommand = `export-${ExportFormat}`;

/** Names of formats that people know by another name than their files have. */
const formatTitles: Readonly<Partial<Record<ExportFormat, string>>> = {
  md: "Markdown",
  tex: "LaTeX",
  vega: "Vega-Lite",
};

/** Exports are only in the palette, because there are more formats than memorable keys. */
export const exportKeys = (
  disabled?: Binding["disabled"],
): readonly (Binding & { readonly command: ExportCommand })[] =>
  exportFormats.map((format) =>
    key(
      [],
      `export-${format}` as const,
      `Export as ${formatTitles[format] ?? format.toUpperCase()}`,
      disabled && { disabled },
    ),
  );
