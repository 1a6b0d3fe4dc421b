/** Marks used on every screen, and their forms for terminals and pipes that take ASCII alone. */
export type Symbols = Readonly<
  Record<
    | "right"
    | "wrong"
    | "failed"
    | "unjudged"
    | "waiting"
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
    | "times"
    | "printed"
    | "faint"
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
  unjudged: "?",
  waiting: "·",
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
  times: "×",
  printed: "†",
  faint: "~",
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
  unjudged: "?",
  waiting: ".",
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
  times: "x",
  printed: "^",
  faint: "~",
  more: "...",
  up: "^",
  down: "v",
  left: "<",
  right2: ">",
  dot: "-",
  unsaved: "*",
  spinner: ["|", "/", "-", "\\"],
};

export function symbolsOf(ascii: boolean): Symbols {
  return ascii ? typed : drawn;
}

/** A text with the few symbols that notes and labels use put into ASCII; other characters that are not become `?`. */
export function toAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) => plainer[character] ?? "?");
}

const plainer: Readonly<Record<string, string>> = {
  "…": ".",
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
};
