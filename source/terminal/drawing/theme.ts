/** Colours, and symbols that carry the same meaning without colour. */
import type { Line, Span, Style } from "../../engine/figures/drawing/line.ts";
import { type Symbols, symbolsOf, toAscii } from "../../engine/figures/drawing/symbols.ts";
import {
  type Ground,
  palettes,
  code256,
  heatAt,
  heatStep,
  inkOn,
  type Colours,
  type Rgb,
  type Tone,
} from "../../engine/figures/palette.ts";
import { printable } from "../../engine/text/printable.ts";

export type Theme = {
  readonly colour: boolean;
  readonly ascii: boolean;
  readonly symbols: Symbols;
  /**
   * Returns a line as a string, with colour sequences if colour is on. Everything on a screen passes through here, and
   * control characters are removed even if a caller forgot to.
   */
  paint(line: Line): string;
};

/** The number of colours of a terminal: its own 16, 256, or true colour. */
export type Depth = 16 | 256 | "true";

const reset = "\x1b[0m";

/** `ground` and `depth` describe the terminal; the defaults are dark and 256. */
export function openTheme(options: {
  readonly colour: boolean;
  readonly ascii: boolean;
  readonly ground?: Ground | undefined;
  readonly depth?: Depth | undefined;
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
  const own = place !== undefined ? inks.heat(place) : number !== undefined ? inks.series(number) : inks.styles[style];
  if (selected !== true) return own;
  // An inverse cell is shown normally under the cursor.
  return place !== undefined && own.startsWith("7")
    ? own.slice("7;".length)
    : ["7", own].filter((code) => code !== "").join(";");
}

function styleCodes(tones: Readonly<Record<Tone, string>>): Inks["styles"] {
  const { accent, faint } = tones;
  return { ...tones, plain: "", strong: "1", title: "1", underlined: "4", selected: "7", code: accent, rule: faint };
}

type Inks = {
  readonly styles: Readonly<Record<Style, string>>;
  series(number: number): string;
  /** Foreground and background of a position from 0 to 1 on the scale. */
  heat(place: number): string;
};

function paletteInks(palette: Colours, depth: 256 | "true"): Inks {
  const code = (layer: 38 | 48, colour: Rgb) =>
    depth === 256 ? `${layer};5;${code256(colour)}` : `${layer};2;${colour.join(";")}`;
  const { series, tones } = palette;
  return {
    styles: styleCodes(
      Object.fromEntries(Object.entries(tones).map(([tone, colour]) => [tone, code(38, colour)])) as Record<
        Tone,
        string
      >,
    ),
    series: (number) => code(38, series[number % series.length]!),
    heat(place) {
      const fill = depth === 256 ? heatStep(palette, place) : heatAt(palette, place);
      return `${code(38, inkOn(fill))};${code(48, fill)}`;
    },
  };
}

/**
 * The terminal's own 16 colours, as its user configured them: bright ones on a dark background, the others on a light
 * one. Black and white are never used because they are grey on some backgrounds.
 */
function terminalInks(ground: Ground): Inks {
  const dark = ground === "dark";
  const ink = (number: number) => String((dark ? 90 : 30) + number);
  const [red, green, yellow, blue, magenta, cyan] = [ink(1), ink(2), ink(3), ink(4), ink(5), ink(6)];
  const series = dark ? [cyan, yellow, magenta, green, blue, red] : [blue, red, magenta, green, cyan];
  // Inverse text is as readable as its ink; no other pair of the 16 colours is guaranteed to be.
  const heat = ["", `7;${dark ? blue : cyan}`, `7;${dark ? cyan : blue}`, "7"];
  return {
    // Yellow is unreadable on white.
    styles: styleCodes({
      good: green,
      bad: red,
      warn: dark ? yellow : magenta,
      accent: dark ? cyan : blue,
      reported: magenta,
      faint: "2",
    }),
    series: (number) => series[number % series.length]!,
    heat: (place) => heat[Math.min(heat.length - 1, Math.max(0, Math.floor(place * heat.length)))]!,
  };
}
