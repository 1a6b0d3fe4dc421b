/** Colours as what a terminal is sent for them: the codes between `ESC [` and `m`. */
import {
  code256,
  type Ground,
  heatAt,
  heatStep,
  inkOn,
  type Colours,
  type Rgb,
  type Tone,
} from "../../engine/figures/palette.ts";

export type Inks = {
  readonly tones: Readonly<Record<Tone, string>>;
  series(number: number): string;
  /** Ink and ground of a place from 0 to 1 on the scale. */
  heat(place: number): string;
};

export function paletteInks(palette: Colours, depth: 256 | "true"): Inks {
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
export function terminalInks(ground: Ground): Inks {
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
