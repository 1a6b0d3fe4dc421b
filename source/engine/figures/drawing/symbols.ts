/** Marks used on every screen, with their ASCII forms. */
import { width } from "../../text/printable.ts";

export type Symbols = Readonly<
  Record<
    | "right"
    | "wrong"
    | "failed"
    | "unscored"
    | "waiting"
    | "stopped"
    | "running"
    | "pointer"
    | "here"
    | "bullet"
    | "full"
    | "half"
    | "empty"
    | "rule"
    | "bar"
    | "whisker"
    | "ceiling"
    | "floor"
    | "under"
    | "times"
    | "reported"
    | "faint"
    | "best"
    | "second"
    | "more"
    | "up"
    | "down"
    | "left"
    | "right2"
    | "dot"
    | "unsaved",
    string
  >
> & { readonly spinner: readonly string[] };

const drawn: Symbols = {
  right: "✓",
  wrong: "✗",
  failed: "!",
  unscored: "?",
  waiting: "·",
  stopped: "■",
  running: "▸",
  pointer: "▸",
  here: "▌",
  bullet: "•",
  full: "█",
  half: "▌",
  empty: "░",
  rule: "─",
  bar: "│",
  whisker: "┄",
  ceiling: "┊",
  floor: "╎",
  under: "▔",
  times: "×",
  reported: "†",
  faint: "~",
  best: "*",
  second: "_",
  more: "…",
  up: "↑",
  down: "↓",
  left: "←",
  right2: "→",
  dot: "·",
  unsaved: "●",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};
const typed: Symbols = {
  right: "+",
  wrong: "x",
  failed: "!",
  unscored: "?",
  waiting: ".",
  stopped: "/",
  running: ">",
  pointer: ">",
  here: "|",
  bullet: "*",
  full: "#",
  half: "=",
  empty: ".",
  rule: "-",
  bar: "|",
  whisker: "-",
  ceiling: ":",
  floor: ".",
  under: "^",
  times: "x",
  reported: "^",
  faint: "~",
  best: "*",
  second: "_",
  more: "...",
  up: "^",
  down: "v",
  left: "<",
  right2: ">",
  dot: "-",
  unsaved: "*",
  spinner: ["|", "/", "-", "\\"],
};

export const symbolsOf = (ascii: boolean): Symbols => (ascii ? typed : drawn);

/** Converts text to ASCII of the same width: known signs become their nearest equivalent, others `?`. */
export function toAscii(text: string): string {
  if (ascii.test(text)) return text;
  return text.replace(/\P{ASCII}/gu, (character) => plainer[character] ?? "?".repeat(width(character)));
}

const ascii = /^\p{ASCII}*$/u;
const plainer: Readonly<Record<string, string>> = {
  // Marks a cut; a full stop would end the sentence.
  "…": "~",
  "–": "-",
  "—": "-",
  "×": "x",
  "·": ".",
  "•": "*",
  "†": "^",
  "±": "+",
  "≥": ">",
  "≤": "<",
  "≈": "~",
  "→": ">",
  "←": "<",
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "␛": "^",
  "↵": "/",
  "−": "-",
  "✓": "+",
  "✗": "x",
  "■": "/",
};
