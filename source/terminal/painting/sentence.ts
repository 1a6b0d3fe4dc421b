/** Rows of the screen as a screen reader is to speak them: words, without what is only drawn. */
import type { Frame } from "./surface.ts";

export type Sentence = {
  readonly text: string;
  /** Where the cursor is in it; absent where it is elsewhere. */
  readonly cursor?: number;
};

/** Frames, bars, plots and spinners: box drawing, blocks and Braille patterns. */
const drawn = /[\u2500-\u259f\u2800-\u28ff]+/g;
/** A mark that only repeats what the words behind it say. */
const repeated = /[✓✗▸·!?] (?=\d+ [a-z]+|done\b)/g;
const pointer = "▸";
const speakable = /[\p{L}\p{N}]/u;

/** What the rows say, from the first to the last; rows that say nothing are left out. */
export function sentences(frame: Frame): readonly Sentence[] {
  const said: Sentence[] = [];
  let inSelected = false;
  for (const pieces of frame) {
    const row = [...pieces]
      .sort((one, other) => one.column - other.column)
      .map(({ text }) => text)
      .join("  ");
    const isSelected = row.startsWith("▌");
    const spoken = sentence(row, isSelected, isSelected && !inSelected);
    if (spoken !== undefined) said.push(spoken);
    inSelected = isSelected && (inSelected || spoken !== undefined);
  }
  return said;
}

/** `isFirst` where the selected rows begin. */
function sentence(row: string, isSelected: boolean, isFirst: boolean): Sentence | undefined {
  const marked = row
    .replace(repeated, "")
    // In a list the pointer comes first, and the mark of a task that runs behind it.
    .replace(/^( *▸)? {2,}▸ /, "$1  running ")
    .replace(/^( *▸) ▸ /, "$1 running ");
  const words = marked
    .replaceAll(/ ?✓ ?/g, " right ")
    .replaceAll(/ ?✗ ?/g, " wrong ")
    .replace(drawn, "  ")
    .replaceAll(/▸ */g, pointer)
    .split(/ {2,}/)
    .map((part) => part.trim())
    .filter((part) => speakable.test(part))
    .join(", ");
  if (words === "") return undefined;
  const at = words.indexOf(pointer);
  const text = words.replaceAll(pointer, "selected ");
  if (at >= 0) return { text, cursor: at };
  return isSelected ? { text: isFirst ? `selected ${text}` : text, cursor: 0 } : { text };
}
