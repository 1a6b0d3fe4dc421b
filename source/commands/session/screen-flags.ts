/** The flags of all commands that open a notebook on the screen. */
import { ArgumentProblem, type Arguments, type Flags } from "../shell/arguments.ts";

const grounds = ["dark", "light"] as const;
const depths = { "16": 16, "256": 256, true: "true" } as const;
const depthWords = ["16", "256", "true"] as const;
const themeWords: readonly string[] = [...grounds, ...depthWords];

/** Descriptions by name. */
export const screenFlagTexts = {
  ascii: "uses ASCII characters only; the default if the locale is not UTF-8, and on the Linux console",
  "screen-reader":
    "prints changes as sentences, line by line, for screen readers; never redraws; the default if TERM is dumb",
  "no-alternate-screen": "leaves the last screen in the scrollback of the terminal",
  mouse:
    "enables the mouse wheel and clicks, like `mouse: true` in the settings; selecting text in the terminal then requires Shift",
  "take-over":
    "takes over the session from a program that is alive but has not answered for a minute; that program then stops writing",
  theme: "dark or light; 16, 256 or true colours; or both, as in light,16. By default the terminal is queried",
} as const;

export const screenFlags: Flags = {
  ascii: "nothing",
  "screen-reader": "nothing",
  "no-alternate-screen": "nothing",
  mouse: "nothing",
  "take-over": "nothing",
  theme: { words: themeWords, several: true },
} satisfies Readonly<Record<keyof typeof screenFlagTexts, Flags[string]>>;

/** Requested options of the screen. */
export type ScreenLook = {
  readonly ascii: boolean;
  readonly screenReader: boolean;
  readonly alternateScreen: boolean;
  /** False means that the settings decide. */
  readonly mouse: boolean;
  /** If absent, the background that the terminal reports. */
  readonly ground?: (typeof grounds)[number];
  readonly depth?: (typeof depths)[(typeof depthWords)[number]];
};

/** Throws `ArgumentProblem`. */
export function screenLook({ flag, text }: Arguments): ScreenLook {
  const words = text("theme")?.split(",") ?? [];
  const wrong = words.find((word) => !themeWords.includes(word));
  const [ground, twoGrounds] = grounds.filter((word) => words.includes(word));
  const [depth, twoDepths] = depthWords.filter((word) => words.includes(word));
  if (wrong !== undefined || twoGrounds !== undefined || twoDepths !== undefined)
    throw new ArgumentProblem(
      `Expected \`--theme\` to be one of ${grounds.join(", ")}, one of ${depthWords.join(", ")}, or one of each, got \`${words.join(",")}\``,
    );
  return {
    ascii: flag("ascii"),
    screenReader: flag("screen-reader"),
    alternateScreen: !flag("no-alternate-screen"),
    mouse: flag("mouse"),
    ...(ground !== undefined && { ground }),
    ...(depth !== undefined && { depth: depths[depth] }),
  };
}
