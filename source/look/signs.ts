/**
 * Every sign that is drawn, with its ASCII form. No other file of `source` contains a sign; `documentation/contributing/look.md`
 * describes their meanings.
 */

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
    | "unsaved"
    | "wrongPart"
    | "runningPart"
    | "unscoredPart"
    | "light"
    | "line"
    | "cap"
    | "corner"
    | "caret"
    | "same"
    | "differs"
    | "missing"
    | "extra"
    | "target"
    | "topLeft"
    | "topRight"
    | "bottomLeft"
    | "bottomRight"
    | "pathStart"
    | "pathEnd"
    | "pathUser"
    | "branchDown"
    | "branchUp"
    | "crossing"
    | "either"
    | "capLeft"
    | "reach"
    | "reserved",
    string
  >
> & {
  readonly spinner: readonly string[];
  /** Parts of a cell, from one eighth to seven; in ASCII a whole cell from the half on. */
  readonly eighths: readonly string[];
  /** Of bars: what colours cannot tell apart has another fill. */
  readonly fills: readonly string[];
  /** One sign per line of a plot; the hollow signs are for reported values. */
  readonly points: readonly string[];
  readonly hollowPoints: readonly string[];
};

/** The signs in Unicode, for text that may be converted to ASCII later, or never. */
export const signs: Symbols = {
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
  wrongPart: "▓",
  runningPart: "▒",
  unscoredPart: "░",
  light: "▓",
  line: "─",
  cap: "┤",
  corner: "└",
  caret: "▏",
  same: "=",
  differs: "~",
  missing: "−",
  extra: "+",
  target: "◉",
  topLeft: "╭",
  topRight: "╮",
  bottomLeft: "╰",
  bottomRight: "╯",
  pathStart: "╭",
  pathEnd: "╰",
  pathUser: "├",
  branchDown: "┬",
  branchUp: "┴",
  crossing: "┼",
  either: "⇄",
  capLeft: "├",
  reach: "┃",
  reserved: "\u00a0",
  eighths: ["▏", "▎", "▍", "▌", "▋", "▊", "▉"],
  fills: ["█", "▓", "▒", "░"],
  points: ["●", "▲", "■", "◆", "○", "△", "□", "◇"],
  hollowPoints: ["○", "△", "□", "◇"],
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
  wrongPart: "x",
  runningPart: ">",
  unscoredPart: "?",
  light: "=",
  line: "-",
  cap: "|",
  corner: "+",
  caret: "|",
  same: "=",
  differs: "~",
  missing: "-",
  extra: "+",
  target: "@",
  topLeft: "+",
  topRight: "+",
  bottomLeft: "+",
  bottomRight: "+",
  pathStart: ".",
  pathEnd: "`",
  pathUser: "+",
  branchDown: "+",
  branchUp: "+",
  crossing: "+",
  either: "/",
  capLeft: "|",
  reach: "|",
  reserved: " ",
  eighths: [" ", " ", " ", "=", "=", "=", "="],
  fills: ["#", "=", "%", ":"],
  points: ["o", "x", "+", "*", "#", "%", "&", "$"],
  hollowPoints: ["o", "x", "+", "*", "#", "%", "&", "$"],
  spinner: ["|", "/", "-", "\\"],
};

export const symbolsOf = (ascii: boolean): Symbols => (ascii ? typed : signs);

/** Between facts of one line. */
export const separator = " · ";
/** A value that does not exist, a range, and sizes that are not exact. */
export const dash = "–";
export const approximately = "≈";
export const atMost = "≤";
/** Signs in place of control characters in untrusted text: a line break, a delete, an escape, a change of direction. */
export const standIns = { lineBreak: "↵", delete: "␡", escape: "␛", direction: "⟲" };

/** The nearest ASCII characters of the signs and of signs that models often write. */
export const asciiForms: Readonly<Record<string, string>> = {
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
  "⇄": "/",
};
