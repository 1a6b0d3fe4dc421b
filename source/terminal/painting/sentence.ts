/** Turns rows of the screen into sentences for a screen reader, without decoration. */
import { signs } from "../../look/signs.ts";
import type { Frame } from "./surface.ts";

export type Sentence = {
  readonly text: string;
  /** The position of the cursor in it; absent if the cursor is elsewhere. */
  readonly cursor?: number;
};

const { right, wrong, running, waiting, unscored, failed, stopped, pointer, here, caret } = signs;
/** Characters of frames, bars, plots and spinners: box drawing, blocks and Braille patterns, with the other signs of bars. */
const boxes = "\\u2500-\\u259f";
const [empty, drawnSign] = [`[${waiting}${failed}]`, `[${boxes}\\u2800-\\u28ff]`];
const drawn = new RegExp(
  `${empty}*${drawnSign}+[${boxes}\\u2800-\\u28ff${waiting}${failed}]*|(?<!\\S)${empty}{6,}(?!\\S)`,
  "g",
);
/** A mark that the words after it repeat. */
const repeated = new RegExp(
  `[${right}${wrong}${running}${waiting}${failed}${unscored}${stopped}] (?=\\d+ [a-z]+|done\\b|following\\b)`,
  "g",
);
/** The marks of tasks in a list, which only their position distinguishes from other signs. */
const listed = new RegExp(`^( ${pointer} | {3})([${waiting}${unscored}${failed}${stopped}]) (?=\\S)`);
const words: Readonly<Record<string, string>> = {
  [waiting]: "waiting",
  [unscored]: "unscored",
  [failed]: "failed",
  [stopped]: "stopped",
};
/** The cursor in a text, before the character it is on. */
const cursor = new RegExp(`${caret}(?=[^\\s${boxes}])`, "g");
/** A place without a value. */
const nothing = waiting;
const [beforeRunning, atRunning] = [
  new RegExp(`^( *${pointer})? {2,}${running} `),
  new RegExp(`^( *${pointer}) ${running} `),
];
const [rightSign, wrongSign] = [new RegExp(` ?${right} ?`, "g"), new RegExp(` ?${wrong} ?`, "g")];
const pointers = new RegExp(`${pointer} *`, "g");
/** Words and typed text, but not the underline of a title. */
const speakable = /^(?!={3,}$).*[\p{L}\p{N}\x21-\x7e]/u;

/** Returns the sentences of the rows, in order; rows without words are omitted. */
export function sentences(frame: Frame): readonly Sentence[] {
  const said: Sentence[] = [];
  let inSelected = false;
  /** True if the cursor is on a row without words, so that the sentence below describes it. */
  let isMarked = false;
  for (const pieces of frame) {
    const row = [...pieces]
      .sort((one, other) => one.column - other.column)
      .map(({ text }) => text)
      .join("  ");
    const isHere = row.startsWith(here);
    const isSelected: boolean = isHere || isMarked;
    const spoken = sentence(row, isSelected, isSelected && !inSelected);
    if (spoken !== undefined) said.push(spoken);
    isMarked = isHere && !inSelected && spoken === undefined && row.slice(1).trim() !== "";
    inSelected = isSelected && (inSelected || spoken !== undefined);
  }
  return said;
}

/** `isFirst` is true for the first of the selected rows. */
function sentence(row: string, isSelected: boolean, isFirst: boolean): Sentence | undefined {
  const marked = row
    .replace(repeated, "")
    // In a list the pointer comes first, followed by the mark of a running task.
    .replace(beforeRunning, "$1  running ")
    .replace(atRunning, "$1 running ")
    .replace(listed, (_, before: string, mark: string) => `${before}${words[mark]} `);
  const spoken = marked
    .replaceAll(cursor, "|")
    .replaceAll(caret, "")
    .replaceAll(rightSign, " right ")
    .replaceAll(wrongSign, " wrong ")
    .replace(drawn, "  ")
    .replaceAll(pointers, pointer)
    .split(/ {2,}/)
    .map((part) => part.trim())
    .map((part) => (part === nothing || part === pointer + nothing ? part.replace(nothing, "none") : part))
    .filter((part) => speakable.test(part))
    .join(", ");
  if (!/[^,\s]/.test(spoken)) return undefined;
  const at = spoken.indexOf(pointer);
  const text = spoken.replaceAll(pointer, "selected ");
  if (at >= 0) return { text, cursor: at };
  return isSelected ? { text: isFirst ? `selected ${text}` : text, cursor: 0 } : { text };
}
