/**
 * Colours of runs, values and states on dark and light backgrounds. Each is legible on its background (contrast at least 4.5:1,
 * WCAG 2.1). The six colours of runs of each shade, and those of right and wrong, stay distinct with the common colour
 * blindnesses, and so do the two shades of a hue, which a test verifies. Terminals with 256 colours have a list of their own:
 * colours of their 6 x 6 x 6 cube with about half the saturation cannot be told apart.
 */

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];
export type Ground = "dark" | "light";

export type Colours = {
  /** One colour per run or line of a plot: six hues, then the same hues in another shade. */
  readonly series: readonly Rgb[];
  /** The same of the 256 colours. Those with contrast on light ground are too few for a second shade. */
  readonly cube: readonly Rgb[];
  /** From low to high values, ordered by lightness too. */
  readonly heat: readonly Rgb[];
  /** The same scale from the 256 colours, close to the background, for values of few tasks. */
  readonly mutedCube: readonly Rgb[];
  readonly tones: Readonly<Record<Tone, Rgb>>;
};

export type Tone = "good" | "bad" | "warn" | "accent" | "reported" | "faint";

const rgb = (hex: number): Rgb => [hex >> 16, (hex >> 8) & 255, hex & 255];

export const palettes: Readonly<Record<Ground, Colours>> = {
  dark: {
    series: [
      0x5aa5c6, 0xedc9d7, 0xcdb432, 0x88e787, 0xda887a, 0xbbb5f3, 0x9cd4ed, 0xdc81a4, 0xead66d, 0xc5f1c4, 0xf0a89d,
      0x9d95ea,
    ].map(rgb),
    cube: [
      0xafffff, 0xffafd7, 0xffff87, 0x87d75f, 0xd78787, 0xaf87ff, 0xafd7ff, 0xd787af, 0xafaf00, 0x00ff00, 0xffafaf,
      0xafafff,
    ].map(rgb),
    heat: [0x5f005f, 0x5f0087, 0x5f5f87, 0x5f8787, 0x5faf87, 0x87af87, 0xafd787, 0xd7ff87].map(rgb),
    mutedCube: [0x00005f, 0x5f005f, 0x005f5f, 0x5f5f00].map(rgb),
    tones: {
      good: rgb(0x5fd700),
      bad: rgb(0xff8787),
      warn: rgb(0xffd75f),
      accent: rgb(0x5fd7ff),
      reported: rgb(0xd7afff),
      faint: rgb(0xafafaf),
    },
  },
  light: {
    series: [
      0x2063b6, 0xb91c83, 0x57155e, 0x1a5040, 0x8c5a1d, 0x2c3210, 0x1d3757, 0x360d28, 0x852e8e, 0x1f745b, 0x4c3214,
      0x4c5811,
    ].map(rgb),
    cube: [0x005faf, 0xaf005f, 0x5f0087, 0x005f00, 0x5f0000, 0x8700ff].map(rgb),
    heat: [0xd7ffff, 0xafd7ff, 0x87d7ff, 0x5fafff, 0x0087d7, 0x005faf, 0x00005f].map(rgb),
    mutedCube: [0xffffff, 0xd7ffff, 0xd7d7ff, 0xafafd7].map(rgb),
    tones: {
      good: rgb(0x005f00),
      bad: rgb(0xaf0000),
      warn: rgb(0x875f00),
      accent: rgb(0x005f87),
      reported: rgb(0x8700af),
      faint: rgb(0x5f5f5f),
    },
  },
};

/** The number of hues of `series`: a run's number is its hue, plus this for the other shade. */
export const hues = 6;

export const black: Rgb = [0, 0, 0];
export const white: Rgb = [255, 255, 255];

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.1, relative luminance). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns black or white, whichever is more legible on this colour. */
export const inkOn = (fill: Rgb): Rgb => (contrast(fill, white) > contrast(fill, black) ? white : black);

/** Returns the colour at a position from 0 to 1. Black or white is legible on any of them (see `inkOn`). */
export function heatAt({ heat }: Colours, place: number): Rgb {
  const at = Math.min(1, Math.max(0, place)) * (heat.length - 1);
  const [from, to] = [heat[Math.floor(at)]!, heat[Math.ceil(at)]!];
  return mixed(from, to, at % 1);
}

/** Returns the colour at this share of the way from one colour to the other. */
export function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const between = (part: 0 | 1 | 2) => Math.round(from[part] + (to[part] - from[part]) * share);
  return [between(0), between(1), between(2)];
}

/** Returns the nearest of the scale's own colours. */
export const heatStep = (scale: readonly Rgb[], place: number): Rgb =>
  scale[Math.min(scale.length - 1, Math.max(0, Math.floor(place * scale.length)))]!;

/** Returns the number of a colour of the cube among the 256 of a terminal. */
export function code256(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => levels.indexOf(part)) as [number, number, number];
  return 16 + 36 * red + 6 * green + blue;
}
const levels: readonly number[] = [0, 95, 135, 175, 215, 255];

/** Returns the colour in the notation of SVG and HTML. */
export const hexOf = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
