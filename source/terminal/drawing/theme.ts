/** Colours, and symbols that carry the same meaning without them. */
import type { Line, Span, Style } from "../../engine/figures/drawing/line.ts";
import { type Symbols, symbolsOf, toAscii } from "../../engine/figures/drawing/symbols.ts";
import { printable } from "../../engine/text/printable.ts";

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

const reset = "\x1b[0m";
const styles: Readonly<Record<Style, string>> = {
  plain: "",
  strong: "\x1b[1m",
  underlined: "\x1b[4m",
  title: "\x1b[1m",
  faint: "\x1b[2m",
  good: "\x1b[32m",
  bad: "\x1b[31m",
  warn: "\x1b[33m",
  accent: "\x1b[36m",
  reported: "\x1b[35m",
  code: "\x1b[36m",
  rule: "\x1b[2m",
  selected: "\x1b[7m",
};
const series = ["\x1b[36m", "\x1b[33m", "\x1b[35m", "\x1b[32m", "\x1b[34m", "\x1b[31m"];
/** 256-colour codes from low to high, dark to light, so that the order is visible without telling colours apart. */
const heat = [53, 54, 60, 66, 72, 108, 150, 192];

export function openTheme(options: { readonly colour: boolean; readonly ascii: boolean }): Theme {
  const { colour, ascii } = options;
  return {
    colour,
    ascii,
    symbols: symbolsOf(ascii),
    paint: (line) =>
      line
        .map((span) => ({ ...span, text: ascii ? toAscii(printable(span.text)) : printable(span.text) }))
        .map((span) => paintSpan(span, colour))
        .join(""),
  };
}

function paintSpan(span: Span, colour: boolean): string {
  if (!colour) return span.text;
  const start = sequence(span);
  return start === "" ? span.text : `${start}${span.text}${reset}`;
}

function sequence({ style = "plain", heat: place, series: number, selected }: Span): string {
  const invert = selected === true ? "\x1b[7m" : "";
  if (number !== undefined) return invert + series[number % series.length]!;
  if (place === undefined) return invert + styles[style];
  const step = Math.min(heat.length - 1, Math.max(0, Math.floor(place * heat.length)));
  const ink = step < 4 ? 255 : 16;
  return `${invert}\x1b[38;5;${ink};48;5;${heat[step]}m`;
}
