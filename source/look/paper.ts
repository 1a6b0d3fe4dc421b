/**
 * Colours of pictures on paper, which stay white whatever the reader's setting, and of a report's page in a light and a dark
 * mode.
 */
import { type Ground, hexOf, palettes } from "./palettes.ts";

export const paper = {
  ground: "white",
  ink: "black",
  /** Secondary text; its contrast on white is 7:1. */
  quiet: "#595959",
  /** Axes and rules. */
  rule: "#999",
  /** The edge of a field of few tasks. */
  edge: "#888",
  /** Rules of a table that is alone on a page. */
  tableRule: "#ddd",
} as const;

/** CSS variables of a report's page. */
export const pageVariables: Readonly<Record<Ground, string>> = {
  light:
    "--ink: #1b1b1b; --ground: #fff; --quiet: #595959; --line: #d5d5d5; --edge: #888; --good: #1a6b2f; --bad: #a32014; --warn: #7a5200; --link: #14548c; --mark: #ffe08a;",
  dark: "--ink: #e6e6e6; --ground: #16181d; --quiet: #a8a8a8; --line: #41454d; --edge: #888; --good: #6fcf83; --bad: #ff8f85; --warn: #e3b04b; --link: #7db8f0; --mark: #5a4300;",
};

/** Returns the colour of a series on paper: its run's, otherwise by position. */
export function strokeOf(number: number): string {
  const { series } = palettes.light;
  return hexOf(series[number % series.length]!);
}

/** Returns true for a series that has the same colour as an earlier one. */
export const sharesColour = (number: number): boolean => number >= palettes.light.series.length;

/** Returns the class of elements named after a run, by the number of its colour. */
export const runClass = (colour: number | undefined): string | undefined =>
  colour === undefined ? undefined : `ink-${colour % palettes.light.series.length}`;

/** Returns the rules of these classes. */
export const runClasses = (ground: Ground): string =>
  palettes[ground].series.map((colour, number) => `.ink-${number} { color: ${hexOf(colour)}; }`).join("\n");
