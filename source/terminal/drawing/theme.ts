/** Colours, and symbols that carry the same meaning without them. */
import type { Line, Span, Style } from "../../engine/figures/drawing/line.ts";
import { type Symbols, symbolsOf, toAscii } from "../../engine/figures/drawing/symbols.ts";
import { type Ground, palettes } from "../../engine/figures/palette.ts";
import { printable } from "../../engine/text/printable.ts";
import { type Inks, paletteInks, terminalInks } from "./inks.ts";

export type Theme = {
  readonly colour: boolean;
  readonly ascii: boolean;
  readonly symbols: Symbols;
  /**
   * A line as a string, with colour sequences where colour is on. Everything on a screen goes through here, and what would
   * control the terminal goes no further, whether or not it was made printable where its columns were counted.
   */
  paint(line: Line): string;
};

/** How many colours a terminal has: its own 16, or 256, or all there are. */
export type Depth = 16 | 256 | "true";

const reset = "\x1b[0m";

/** `ground` and `depth` are those of the terminal; dark and 256 where nothing is known. */
export function openTheme(options: {
  readonly colour: boolean;
  readonly ascii: boolean;
  readonly ground?: Ground | undefined;
  readonly depth?: Depth;
}): Theme {
  const { colour, ascii, ground = "dark", depth = 256 } = options;
  const inks = depth === 16 ? terminalInks(ground) : paletteInks(palettes[ground], depth);
  return {
    colour,
    ascii,
    symbols: symbolsOf(ascii),
    paint: (line) =>
      line
        .map((span) => ({ ...span, text: ascii ? toAscii(printable(span.text)) : printable(span.text) }))
        .map((span) => (colour ? paintSpan(span, inks) : span.text))
        .join(""),
  };
}

function paintSpan(span: Span, inks: Inks): string {
  const codes = codesOf(span, inks);
  return codes === "" ? span.text : `\x1b[${codes}m${span.text}${reset}`;
}

function codesOf({ style = "plain", heat: place, series: number, selected }: Span, inks: Inks): string {
  const own =
    place !== undefined ? inks.heat(place) : number !== undefined ? inks.series(number) : styleCodes(style, inks);
  if (selected !== true) return own;
  // What is turned round is turned back under the cursor.
  return place !== undefined && own.startsWith("7")
    ? own.slice("7;".length)
    : ["7", own].filter((code) => code !== "").join(";");
}

function styleCodes(style: Style, { tones }: Inks): string {
  switch (style) {
    case "plain":
      return "";
    case "strong":
    case "title":
      return "1";
    case "underlined":
      return "4";
    case "selected":
      return "7";
    case "code":
      return tones.accent;
    case "rule":
      return tones.faint;
    default:
      return tones[style];
  }
}
