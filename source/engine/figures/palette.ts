/**
 * The colours of runs, values and states, on dark and on light ground. Each can be read on its ground (contrast of at least 4.5 to
 * 1, WCAG 2.1); those of runs, and of right and wrong, can be told apart with any of the common colour-blindnesses; a test works this
 * out. All are of the 6 x 6 x 6 colours that terminals with 256 have.
 */

/** Red, green, blue from 0 to 255. */
export type Rgb = readonly [number, number, number];
export type Ground = "dark" | "light";

export type Colours = {
  /** One a run, or a line of a plot. */
  readonly series: readonly Rgb[];
  /** From low to high values: the order is one of lightness too. */
  readonly heat: readonly Rgb[];
  readonly tones: Readonly<Record<Tone, Rgb>>;
};

export type Tone = "good" | "bad" | "warn" | "accent" | "reported" | "faint";

const rgb = (hex: number): Rgb => [hex >> 16, (hex >> 8) & 255, hex & 255];

export const palettes: Readonly<Record<Ground, Colours>> = {
  dark: {
    series: [0x00ffff, 0xff5fd7, 0xffff00, 0x5faf00, 0xffaf87, 0x00afff].map(rgb),
    heat: [0x5f005f, 0x5f0087, 0x5f5f87, 0x5f8787, 0x5faf87, 0x87af87, 0xafd787, 0xd7ff87].map(rgb),
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
    series: [0x005faf, 0xaf005f, 0x5f0087, 0x005f00, 0x5f0000, 0x8700ff].map(rgb),
    heat: [0xd7ffff, 0xafd7ff, 0x87d7ff, 0x5fafff, 0x0087d7, 0x005faf, 0x00005f].map(rgb),
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

export const black: Rgb = [0, 0, 0];
export const white: Rgb = [255, 255, 255];

/** How well one colour can be read on another: from 1 to 21 (WCAG 2.1, relative luminance). */
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

/** Black or white, whichever can be read better on this. */
export function inkOn(fill: Rgb): Rgb {
  return contrast(fill, white) > contrast(fill, black) ? white : black;
}

/** The colour of a place from 0 to 1 on the scale. Black or white can be read on any (see `inkOn`). */
export function heatAt({ heat }: Colours, place: number): Rgb {
  const at = Math.min(1, Math.max(0, place)) * (heat.length - 1);
  const [from, to] = [heat[Math.floor(at)]!, heat[Math.ceil(at)]!];
  const between = (part: 0 | 1 | 2) => Math.round(from[part] + (to[part] - from[part]) * (at % 1));
  return [between(0), between(1), between(2)];
}

/** The same among as many steps as the scale has colours. */
export function heatStep({ heat }: Colours, place: number): Rgb {
  return heat[Math.min(heat.length - 1, Math.max(0, Math.floor(place * heat.length)))]!;
}

/** The number of a colour of these palettes among the 256 of a terminal. */
export function code256(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => levels.indexOf(part)) as [number, number, number];
  return 16 + 36 * red + 6 * green + blue;
}
const levels: readonly number[] = [0, 95, 135, 175, 215, 255];

/** As SVG and HTML write it. */
export function hexOf(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
