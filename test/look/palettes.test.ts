import { describe, expect, it } from "vitest";
import { code256, contrast, hexOf, hues, inkOn, palettes, type Rgb } from "../../source/look/palettes.ts";

/** Backgrounds of common themes, with the lightest dark one and the darkest light one. */
const grounds = {
  dark: {
    black: [0, 0, 0],
    "Solarized dark": [0x00, 0x2b, 0x36],
    Dracula: [0x28, 0x2a, 0x36],
    "Gruvbox dark, soft": [0x32, 0x30, 0x2f],
    Nord: [0x2e, 0x34, 0x40],
  },
  light: {
    white: [255, 255, 255],
    "Solarized light": [0xfd, 0xf6, 0xe3],
    "Gruvbox light, soft": [0xf2, 0xe5, 0xbc],
  },
} as const satisfies Readonly<Record<keyof typeof palettes, Readonly<Record<string, Rgb>>>>;

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

type Matrix = readonly [Rgb, Rgb, Rgb];

/** Colours as dichromats see them: G. M. Machado et al. 2009, severity 1, in linear RGB. */
const seenWith: Readonly<Record<string, Matrix>> = {
  "normal vision": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const map = ([a, b, c]: Rgb, change: (part: number) => number): Rgb => [change(a), change(b), change(c)];
const times = ([first, second, third]: Matrix, colour: Rgb): Rgb => {
  const sum = (row: Rgb) => row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2];
  return [sum(first), sum(second), sum(third)];
};

/** Oklab (B. Ottosson 2020), in hundredths: a difference of 2 is barely visible. */
const toCones: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const toLab: Matrix = [
  [21.04542553, 79.3617785, -0.40720468],
  [197.79984951, -242.8592205, 45.05937099],
  [2.59040371, 78.27717662, -80.8675766],
];

function lab(colour: Rgb, seen: Matrix): Rgb {
  const light = times(
    seen,
    map(colour, (part) => linear(part / 255)),
  );
  const within = map(light, (part) => Math.min(1, Math.max(0, part)));
  return times(toLab, map(times(toCones, within), Math.cbrt));
}

const distance = (one: Rgb, other: Rgb) => Math.hypot(...one.map((part, index) => part - other[index]!));

/** Hue in degrees, and saturation from 0 to 1 (HSL). */
function hsl(colour: Rgb): { readonly hue: number; readonly saturation: number } {
  const [red, green, blue] = map(colour, (part) => part / 255);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const span = most - least;
  const turn =
    most === red ? (green - blue) / span : most === green ? (blue - red) / span + 2 : (red - green) / span + 4;
  return { hue: (turn * 60 + 360) % 360, saturation: span / (1 - Math.abs(most + least - 1)) };
}

describe.each(["dark", "light"] as const)("the palette on a %s background", (ground) => {
  const { series, cube, heat, tones } = palettes[ground];

  it.each(Object.entries(grounds[ground]))("has a contrast of 4.5 to 1 for text and marks: %s", (_, behind) => {
    for (const colour of [...series, ...cube, ...Object.values(tones)])
      expect(contrast(colour, behind), hexOf(colour)).toBeGreaterThanOrEqual(4.5);
  });

  it("has readable values on every step of the scale, whose lightness is monotonic", () => {
    for (const step of heat) expect(contrast(inkOn(step), step), hexOf(step)).toBeGreaterThanOrEqual(4.5);
    const lightness = heat.map((step) => contrast(step, [0, 0, 0]));
    const rising = lightness.toSorted((one, other) => one - other);
    expect(lightness).toEqual(ground === "dark" ? rising : rising.toReversed());
  });

  const shades = [series.slice(0, hues), series.slice(hues), cube.slice(0, hues), cube.slice(hues)];
  it.each(Object.entries(seenWith))("has six distinguishable runs per shade with %s", (_, matrix) => {
    for (const shade of shades.filter(({ length }) => length > 0)) {
      expect(shade).toHaveLength(hues);
      const seen = shade.map((colour) => lab(colour, matrix));
      for (const [index, one] of seen.entries())
        for (const [further, other] of seen.slice(index + 1).entries())
          expect(
            distance(one, other),
            `${hexOf(shade[index]!)} and ${hexOf(shade[index + 1 + further]!)}`,
          ).toBeGreaterThanOrEqual(8);
    }
  });

  it.each(Object.entries(seenWith))("has two distinguishable shades per hue with %s", (_, matrix) => {
    for (const list of [series, cube])
      for (const [index, other] of list.slice(hues).entries())
        expect(distance(lab(list[index]!, matrix), lab(other, matrix)), hexOf(other)).toBeGreaterThanOrEqual(6);
  });

  it("has runs of about half saturation, and similar hues for both shades", () => {
    const parts = series.map(hsl);
    const mean = parts.reduce((sum, { saturation }) => sum + saturation, 0) / parts.length;
    expect(mean).toBeGreaterThan(0.45);
    expect(mean).toBeLessThan(0.7);
    for (const [index, { hue }] of parts.slice(hues).entries()) {
      const apart = Math.abs(hue - parts[index]!.hue);
      expect(Math.min(apart, 360 - apart), hexOf(series[index]!)).toBeLessThan(15);
    }
  });

  it.each(Object.entries(seenWith))("has distinguishable colours for right and wrong with %s", (_, matrix) => {
    expect(distance(lab(tones.good, matrix), lab(tones.bad, matrix))).toBeGreaterThanOrEqual(7);
  });

  it("uses only the 256 colours of a terminal, except for runs with true colour", () => {
    const codes = [...cube, ...heat, ...Object.values(tones)].map(code256);
    for (const code of codes) expect(code).toBeGreaterThanOrEqual(16);
    expect(codes.every(Number.isInteger)).toBe(true);
  });
});

it("contrast of colours equals that of WCAG", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 10);
  // The example of the recommendation's working group: #777 on white does not reach 4.5.
  expect(contrast([0x77, 0x77, 0x77], [255, 255, 255])).toBeCloseTo(4.48, 2);
});
