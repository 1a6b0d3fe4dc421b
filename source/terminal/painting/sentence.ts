/** Turns rows of the screen into sentences for a screen reader, without what is only drawn. */
import type { Frame } from "./surface.ts";

export type Sentence = {
  readonly text: string;
  /** The position of the cursor in it; absent if the cursor is elsewhere. */
  readonly cursor?: number;
};

/** Frames, bars, plots and spinners: box drawing, blocks and Braille patterns, with the other signs of bars. */
const drawn = /[·!]*[\u2500-\u259f\u2800-\u28ff]+[\u2500-\u259f\u2800-\u28ff·!]*|(?<!\S)[·!]{6,}(?!\S)/g;
/** A mark that the words after it repeat. */
const repeated = /[✓✗▸·!?■] (?=\d+ [a-z]+|done\b|following\b)/g;
/** The marks of tasks in a list, which only their place distinguishes from other signs. */
const listed = /^( ▸ | {3})([·?!■]) (?=\S)/;
const words: Readonly<Record<string, string>> = { "·": "waiting", "?": "unscored", "!": "failed", "■": "stopped" };
/** The cursor in a text, before the character it is on. */
const cursor = /▏(?=[^\s\u2500-\u259f])/g;
const pointer = "▸";
/** A place without a value. */
const nothing = "·";
/** Words and typed text, but not the underline of a title. */
const speakable = /^(?!={3,}$).*[\p{L}\p{N}\x21-\x7e]/u;

/** Returns the sentences of the rows, in order; rows without words are omitted. */
export function sentences(frame: Frame): readonly Sentence[] {
  const said: Sentence[] = [];
  let inSelected = false;
  /** The cursor is on something that is only drawn, so the sentence below describes it. */
  let isMarked = false;
  for (const pieces of frame) {
    const row = [...pieces]
      .sort((one, other) => one.column - other.column)
      .map(({ text }) => text)
      .join("  ");
    const isHere = row.startsWith("▌");
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
    .replace(/^( *▸)? {2,}▸ /, "$1  running ")
    .replace(/^( *▸) ▸ /, "$1 running ")
    .replace(listed, (_, before: string, mark: string) => `${before}${words[mark]} `);
  const spoken = marked
    .replaceAll(cursor, "|")
    .replaceAll("▏", "")
    .replaceAll(/ ?✓ ?/g, " right ")
    .replaceAll(/ ?✗ ?/g, " wrong ")
    .replace(drawn, "  ")
    .replaceAll(/▸ */g, pointer)
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
