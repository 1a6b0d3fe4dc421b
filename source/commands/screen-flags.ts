/** The flags of everything that opens a notebook on the screen. */
import type { Flags } from "./arguments.ts";

/** By name, with what each does. */
export const screenFlagTexts = {
  ascii: "ASCII characters only; the default where the locale is not UTF-8",
  "screen-reader": "for screen readers: ASCII without colour or alternate screen",
  "no-alternate-screen": "leaves the screen in the scrollback",
} as const;

export type ScreenFlag = keyof typeof screenFlagTexts;

export const screenFlagNames = Object.keys(screenFlagTexts) as readonly ScreenFlag[];
export const screenFlags: Flags = Object.fromEntries(screenFlagNames.map((name) => [name, "nothing"]));
