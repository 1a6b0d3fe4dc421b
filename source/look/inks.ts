/**
 * The escape codes of a terminal's colours and weights: each role of text, run and value as SGR parameters. No other file of `source`
 * names a colour to a terminal.
 */
import {
  black,
  code256,
  type Colours,
  type Ground,
  heatAt,
  heatStep,
  inkOn,
  mixed,
  palettes,
  type Rgb,
  type Tone,
  white,
} from "./palettes.ts";

/** The role of a text, which a palette gives a colour or a weight. */
export type Style =
  | "plain"
  | "strong"
  | "underlined"
  | "italic"
  | "title"
  | "faint"
  | "good"
  | "bad"
  | "warn"
  | "accent"
  | "reported"
  | "code"
  | "rule"
  | "selected";

/** The number of colours of a terminal: its own 16, 256, or true colour. */
export type Depth = 16 | 256 | "true";

export type Inks = {
  readonly styles: Readonly<Record<Style, string>>;
  series(number: number): string;
  /** How many numbers have a colour of their own; further numbers start again from the first. */
  readonly colours: number;
  /** The styles of a pane without the focus, slightly muted; states keep their colours. */
  readonly dimmed: Readonly<Record<Style, string>>;
  /** Foreground and background of a position from 0 to 1 on the scale; at `weight` 0, the colour would equal the background. */
  heat(place: number, weight?: number): string;
};

export const inksOf = (ground: Ground, depth: Depth): Inks =>
  depth === 16 ? terminalInks(ground) : paletteInks(ground, depth);

/** Returns text in these codes; they are reset at its end. */
export const inkedText = (text: string, codes: string): string =>
  codes === "" ? text : `\x1b[${codes}m${text}\x1b[0m`;

// oxlint-disable-next-line no-control-regex -- it is what is looked for
export const inkSequence = () => /\x1b\[([\d;]*)m/y;
/** The end of all inks, and a change to these sequences from others. */
export const noInk = "\x1b[m";
export const inkAfter = (sequences: string): string => `\x1b[;${sequences.slice(2)}`;
/** Underlined, inverse or with a background: visible even on a blank. */
export const showsOnBlank = /[[;](?:4\d?|7)[;m]/;

/** Returns the codes of a text under the cursor: inverse, or unchanged if it is inverse already. */
export function selectedInk(own: string): string {
  if (own.startsWith("7")) return own.slice("7;".length);
  return ["7", own].filter((code) => code !== "").join(";");
}

function styleCodes(tones: Readonly<Record<Tone, string>>): Inks["styles"] {
  // Code has no colour of its own, because the accent belongs to the focus and to keys.
  const weights = { plain: "", code: "", strong: "1", title: "1", italic: "3", underlined: "4", selected: "7" };
  return { ...tones, ...weights, rule: tones.faint };
}

function dimmedCodes(styles: Inks["styles"]): Inks["dimmed"] {
  const { faint } = styles;
  return { ...styles, plain: faint, strong: "", title: "", accent: faint, code: faint };
}

function paletteInks(ground: Ground, depth: 256 | "true"): Inks {
  const palette: Colours = palettes[ground];
  const code = (layer: 38 | 48, colour: Rgb) =>
    depth === 256 ? `${layer};5;${code256(colour)}` : `${layer};2;${colour.join(";")}`;
  const { tones } = palette;
  const series = depth === 256 ? palette.cube : palette.series;
  const styles = styleCodes(
    Object.fromEntries(Object.entries(tones).map(([tone, colour]) => [tone, code(38, colour)])) as Record<Tone, string>,
  );
  return {
    styles,
    dimmed: dimmedCodes(styles),
    series: (number) => code(38, series[number % series.length]!),
    colours: series.length,
    heat(place, weight = 1) {
      const fill =
        depth === 256
          ? heatStep(weight < 1 ? palette.mutedCube : palette.heat, place)
          : mixed(ground === "dark" ? black : white, heatAt(palette, place), weight);
      return `${code(38, inkOn(fill))};${code(48, fill)}`;
    },
  };
}

/**
 * The terminal's own 16 colours, as its user configured them: bright colours on a dark background, the others on a light one.
 * Black and white are never used because they are grey on some backgrounds.
 */
function terminalInks(ground: Ground): Inks {
  const dark = ground === "dark";
  const ink = (number: number) => String((dark ? 90 : 30) + number);
  const [red, green, yellow, blue, magenta, cyan] = [ink(1), ink(2), ink(3), ink(4), ink(5), ink(6)];
  const series = dark ? [cyan, yellow, magenta, green, blue, red] : [blue, red, magenta, green, cyan];
  // Inverse text is as readable as its ink; no other pair of the 16 colours is guaranteed to be.
  const heat = ["", `7;${dark ? blue : cyan}`, `7;${dark ? cyan : blue}`, "7"];
  // Yellow is unreadable on white.
  const warn = dark ? yellow : magenta;
  const accent = dark ? cyan : blue;
  const styles = styleCodes({ good: green, bad: red, warn, accent, reported: magenta, faint: "2" });
  return {
    styles,
    dimmed: dimmedCodes(styles),
    series: (number) => series[number % series.length]!,
    colours: series.length,
    // Their inks cannot be mixed; a value of few tasks has its number alone.
    heat: (place, weight = 1) =>
      weight < 0.5 ? "" : heat[Math.min(heat.length - 1, Math.max(0, Math.floor(place * heat.length)))]!,
  };
}
