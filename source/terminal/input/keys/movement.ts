/** Keys that mean the same on many screens. */
import type { Binding } from "../binding.ts";
import { type ExportFormat, exportFormats } from "../../../engine/workbench/workbench.ts";

export const upDownKeys = [
  { keys: ["j", "down"], command: "down", title: "Down" },
  { keys: ["k", "up"], command: "up", title: "Up" },
] as const satisfies readonly Binding[];

/** Moving in a list. */
export const listKeys = [
  ...upDownKeys,
  { keys: ["g", "home"], command: "first", title: "Go to the first" },
  { keys: ["G", "end"], command: "last", title: "Go to the last" },
  { keys: ["pagedown", "ctrl+d"], command: "page-down", title: "A page down" },
  { keys: ["pageup", "ctrl+u"], command: "page-up", title: "A page up" },
] as const satisfies readonly Binding[];

export type ListCommand = (typeof listKeys)[number]["command"];

/**
 * The commands of `listKeys` in a list of `count` entries; `go` receives the new place of the cursor, which is now
 * `here`.
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

export const leftRightKeys = [
  { keys: ["h", "left"], command: "left", title: "Left" },
  { keys: ["l", "right"], command: "right", title: "Right" },
] as const satisfies readonly Binding[];

export const backKeys = [
  { keys: ["esc", "q", "backspace"], command: "back", title: "Back", short: "back", footer: 99 },
] as const satisfies readonly Binding[];

/** If `n` has another meaning, `/` and Enter continue. */
export const findKeys = [
  { keys: ["/"], command: "find", title: "Find words; / and Enter again continue to the next place", short: "find" },
] as const satisfies readonly Binding[];

export type FindCommand = (typeof findKeys)[number]["command"];

export const copyKeys = [
  { keys: ["y"], command: "copy", title: "Copy what the cursor is on", short: "copy" },
] as const satisfies readonly Binding[];

export type ExportCommand = `export-${ExportFormat}`;

/** Only in the palette, because there are more formats than good keys. */
export function exportKeys(disabled?: Binding["disabled"]): readonly (Binding & { readonly command: ExportCommand })[] {
  return exportFormats.map((format) => ({
    keys: [],
    command: `export-${format}` as const,
    title: `Export as ${format.toUpperCase()}`,
    ...(disabled && { disabled }),
  }));
}
