/** Describes errors and scores, and locates the text of a mistake in a trajectory. */
import type { ErrorKind } from "../../benchmark.ts";
import { printable } from "../../text/printable.ts";
import type { Mistake } from "../../types.ts";
import { noMistake } from "./verdict.ts";
import type { Entry } from "../trajectory.ts";

type Kinds = { readonly errorKinds: readonly ErrorKind[] };

/**
 * Describes an error: `Wrong place (value-space): town, expected 'Delft', got 'Utrecht'`. The kind's name is added if it differs
 * from the title.
 */
export function mistakeText(mistake: Mistake, { errorKinds }: Kinds): string {
  const { kind } = mistake;
  const title = kindTitle(kind, errorKinds);
  const name = plain(kind) === plain(title) || kind === noMistake ? title : `${title} (${kind})`;
  const about = mistakeAbout(mistake);
  return about === "" ? printable(name) : `${printable(name)}: ${about}`;
}

const plain = (name: string) => name.toLowerCase().replaceAll("-", " ");

/** Describes the details of an error: `town, expected 'Delft', got 'Utrecht'`; may be empty. */
export function mistakeAbout({ key, expected, got, note }: Mistake): string {
  const parts: string[] = [];
  if (key !== undefined) parts.push(key);
  if (expected !== undefined) parts.push(`expected ${expected || "nothing"}`);
  if (got !== undefined) parts.push(`got ${got || "nothing"}`);
  if (note !== undefined) parts.push(note);
  return printable(parts.join(", "));
}

/** Describes a manual correction: `was Wrong value, by ada: the town has two names`; undefined if there is no correction. */
export function overruledText({ override }: Mistake, { errorKinds }: Kinds): string | undefined {
  if (override === undefined) return undefined;
  return printable(`changed from ${kindTitle(override.was, errorKinds)} by ${override.source}: ${override.reason}`);
}

/** Returns the title of a kind, or its name if the suite does not (or no longer) have the kind. */
export function kindTitle(kind: string, errorKinds: readonly ErrorKind[]): string {
  if (kind === noMistake) return "No mistake";
  return errorKinds.find(({ name }) => name === kind)?.title ?? kind;
}

/** Formats a score from 0 to 1. */
export function scoreText(value: number | undefined): string {
  if (value === undefined) return "no score";
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

/** A range within an entry, in the reply text, or in one of its calls as the model wrote it. */
export type WordsPlace = {
  readonly entry: number;
  /** Number of the call, from 0; absent for the reply text. */
  readonly call?: number;
  /** Start of the range. Start and end are absent if the mistake concerns the whole reply, such as a missing call. */
  readonly from?: number;
  readonly to?: number;
};

/** Maximum number of characters between an argument's name and its value. */
const near = 60;

/**
 * Locates each mistake in the last reply that contains its `got` text, preferring text close to its key; without such text, in
 * the last reply. Undefined if no model was called. Scorers report the text that they got but not its position, so this is an
 * estimate of the position.
 */
export function mistakePlaces(entries: readonly Entry[], mistakes: readonly Mistake[]): (WordsPlace | undefined)[] {
  const texts = entries.flatMap((entry, index): ReplyText[] =>
    entry.kind === "turn" && entry.role !== "judge"
      ? [{ entry: index, text: entry.text }, ...entry.calls.map(({ text }, call) => ({ entry: index, call, text }))]
      : [],
  );
  const last = texts.findLast(({ text }) => text !== "") ?? texts.at(-1);
  return mistakes.map((mistake) => {
    const found = placeOfWords(texts.toReversed(), mistake);
    if (found !== undefined || last === undefined) return found;
    return { entry: last.entry, ...(last.call !== undefined && { call: last.call }) };
  });
}

/** Returns the text of this entry at a range; undefined if the range is the whole reply. */
export function wordsAt(entry: Entry, { call, from, to }: WordsPlace): string | undefined {
  if (entry.kind !== "turn" || from === undefined) return undefined;
  const text = call === undefined ? entry.text : (entry.calls[call]?.text ?? "");
  return text.slice(from, to);
}

/** Maximum length of texts that occur in every reply, and therefore must be close to their key. */
const short = 3;

type ReplyText = { readonly entry: number; readonly call?: number; readonly text: string };

function placeOfWords(texts: readonly ReplyText[], mistake: Mistake): WordsPlace | undefined {
  const { key } = mistake;
  for (const isNear of key === undefined ? [false] : [true, false])
    for (const words of wordsOf(mistake))
      for (const { text, ...place } of texts) {
        if (!isNear && words.length < short) continue;
        const from = isNear ? besideKey(text, words, key!) : text.lastIndexOf(words);
        if (from >= 0) return { ...place, from, to: from + words.length };
      }
  return undefined;
}

/** Returns the scorer's text, also without remarks in brackets and without quotation marks. */
function wordsOf({ got = "" }: Mistake): readonly string[] {
  const bare = got.endsWith(")") && got.includes(" (") ? got.slice(0, got.lastIndexOf(" (")) : got;
  const unquoted = /^(["']).*\1$/s.test(bare) ? bare.slice(1, -1) : bare;
  return [...new Set([got, bare, unquoted])].filter((words) => words !== "");
}

/** Returns the position of these words if they closely follow the key; otherwise a negative number. */
function besideKey(text: string, words: string, key: string): number {
  let at = text.indexOf(words);
  while (at >= 0 && !text.slice(Math.max(0, at - near), at).includes(key)) at = text.indexOf(words, at + words.length);
  return at;
}
