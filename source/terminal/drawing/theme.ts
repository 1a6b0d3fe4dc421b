/** Colours, and symbols that carry the same meaning without them. */
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

type Inks = {
  readonly tones: Readonly<Record<Tone, string>>;
  series(number: number): string;
  /** Ink and ground of a place from 0 to 1 on the scale. */
  heat(place: number): string;
};

function paletteInks(palette: Colours, depth: 256 | "true"): Inks {
  const code = (layer: 38 | 48, colour: Rgb) =>
    depth === 256 ? `${layer};5;${code256(colour)}` : `${layer};2;${colour.join(";")}`;
  const { series, tones } = palette;
  return {
    tones: Object.fromEntries(Object.entries(tones).map(([tone, colour]) => [tone, code(38, colour)])) as Inks["tones"],
    series: (number) => code(38, series[number % series.length]!),
    heat(place) {
      const fill = depth === 256 ? heatStep(palette, place) : heatAt(palette, place);
      return `${code(38, inkOn(fill))};${code(48, fill)}`;
    },
  };
}

/**
 * The 16 colours of the terminal, which it draws as its user has set them: bright ones on dark ground, the others on light. Black
 * and white are never named: on some grounds they are grey.
 */
function terminalInks(ground: Ground): Inks {
  const dark = ground === "dark";
  const ink = (number: number) => String((dark ? 90 : 30) + number);
  const [red, green, yellow, blue, magenta, cyan] = [ink(1), ink(2), ink(3), ink(4), ink(5), ink(6)];
  const series = dark ? [cyan, yellow, magenta, green, blue, red] : [blue, red, magenta, green, cyan];
  // Written in the colour of the ground on one of the inks: as readable as that ink is. No two of the 16 need be.
  const heat = ["", `7;${dark ? blue : cyan}`, `7;${dark ? cyan : blue}`, "7"];
  return {
    // Yellow cannot be read on white.
    tones: {
      good: green,
      bad: red,
      warn: dark ? yellow : magenta,
      accent: dark ? cyan : blue,
      reported: magenta,
      faint: "2",
    },
    series: (number) => series[number % series.length]!,
    heat: (place) => heat[Math.min(heat.length - 1, Math.max(0, Math.floor(place * heat.length)))]!,
  };
}
