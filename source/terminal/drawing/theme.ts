/** Colours, and symbols that carry the same meaning without colour. */
import type { Screened } from "../../engine/figures/drawing/drawing.ts";
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { toAscii } from "../../engine/text/ascii-text.ts";
import { printable } from "../../engine/text/printable.ts";
import { type Depth, inkedText, type Inks, inksOf, selectedInk } from "../../look/inks.ts";
import type { Ground } from "../../look/palettes.ts";
import { type Symbols, symbolsOf } from "../../look/signs.ts";

export type Theme = {
  readonly colour: boolean;
  readonly ascii: boolean;
  /** How figures are drawn. */
  readonly screen: Screened;
  /** The number of runs that have a colour of their own. */
  readonly colours: number;
  readonly symbols: Symbols;
  /**
   * Returns a line as a string, with colour sequences if colour is on. All text on a screen is painted by this function, and
   * control characters are removed even if a caller forgot to remove them.
   */
  paint(line: Line): string;
  /** The theme for panes without the focus. */
  readonly dimmed: Theme;
};

/** `ground` and `depth` describe the terminal; the defaults are dark and 256. */
export function openTheme(options: {
  readonly colour: boolean;
  readonly ascii: boolean;
  readonly ground?: Ground | undefined;
  readonly depth?: Depth | undefined;
}): Theme {
  const { colour, ascii, ground = "dark", depth = 256 } = options;
  const inks = inksOf(ground, depth);
  const themed = (own: Inks): Omit<Theme, "dimmed"> => ({
    colour,
    ascii,
    screen: colour ? "colour" : "plain",
    colours: colour ? own.colours : 1,
    symbols: symbolsOf(ascii),
    paint: (line) =>
      line
        .map((span) => ({ ...span, text: ascii ? toAscii(printable(span.text)) : printable(span.text) }))
        .map((span) => (colour ? paintSpan(span, own) : span.text))
        .join(""),
  });
  const dimmed = themed({ ...inks, styles: inks.dimmed });
  return {
    ...themed(inks),
    dimmed: {
      ...dimmed,
      get dimmed() {
        return this;
      },
    },
  };
}

const paintSpan = (span: Span, inks: Inks): string => inkedText(span.text, codesOf(span, inks));

function codesOf(
  { style = "plain", heat: place, weight, series: number, reversed, selected }: Span,
  inks: Inks,
): string {
  const own =
    place !== undefined ? inks.heat(place, weight) : number !== undefined ? inks.series(number) : inks.styles[style];
  return selected === true || reversed === true ? selectedInk(own) : own;
}
