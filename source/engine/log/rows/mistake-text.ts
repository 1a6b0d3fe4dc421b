/** Errors and scores in words, and the place in a trajectory that has the words of a mistake. */
import type { ErrorKind } from "../../benchmark.ts";
import { printable } from "../../text/printable.ts";
import type { Mistake } from "../../types.ts";
import { noMistake } from "./verdict.ts";
import type { Entry } from "../trajectory.ts";

type Kinds = { readonly errorKinds: readonly ErrorKind[] };

/** An error as text: `Wrong place (value-space): town, expected 'Delft', got 'Utrecht'`; its name where that says more than its title. */
export function mistakeText(mistake: Mistake, { errorKinds }: Kinds): string {
  const { kind } = mistake;
  const title = kindTitle(kind, errorKinds);
  const name = plain(kind) === plain(title) || kind === noMistake ? title : `${title} (${kind})`;
  const about = mistakeAbout(mistake);
  return about === "" ? printable(name) : `${printable(name)}: ${about}`;
}

const plain = (name: string) => name.toLowerCase().replaceAll("-", " ");

/** What it is about: `town, expected 'Delft', got 'Utrecht'`; may be empty. */
export function mistakeAbout({ key, expected, got, note }: Mistake): string {
  const parts: string[] = [];
  if (key !== undefined) parts.push(key);
  if (expected !== undefined) parts.push(`expected ${expected}`);
  if (got !== undefined) parts.push(`got ${got}`);
  if (note !== undefined) parts.push(note);
  return printable(parts.join(", "));
}

/** A manual correction as text: `was Wrong value, by ada: the town has two names`; undefined where there is none. */
export function overruledText({ override }: Mistake, { errorKinds }: Kinds): string | undefined {
  if (override === undefined) return undefined;
  return printable(`was ${kindTitle(override.was, errorKinds)}, by ${override.source}: ${override.reason}`);
}

/** Its title; its name where the suite does not have it (any more). */
export function kindTitle(kind: string, errorKinds: readonly ErrorKind[]): string {
  if (kind === noMistake) return "No mistake";
  return errorKinds.find(({ name }) => name === kind)?.title ?? kind;
}

/** A score from 0 to 1 as people read it. */
export function scoreText(value: number | undefined): string {
  if (value === undefined) return "no score";
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

/** Part of a text of an entry: of the reply itself, or of one of its calls as the model wrote it. */
export type WordsPlace = {
  readonly entry: number;
  /** Number of the call, from 0; absent: the text of the reply. */
  readonly call?: number;
  /** From where to where; both absent where the mistake is of the whole reply, such as a call that is missing. */
  readonly from?: number;
  readonly to?: number;
};

/** How far before its value an argument's name is looked for. */
const near = 60;

/**
 * The place of each mistake: the last reply of the model that has the words it got, where they stand beside its key if anywhere;
 * without such words the last reply. Undefined where no model was asked. Scorers say what they got, not where: these are the words
 * a reader would look for.
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

/** The words of this entry at a place; undefined where the place is the whole reply. */
export function wordsAt(entry: Entry, { call, from, to }: WordsPlace): string | undefined {
  if (entry.kind !== "turn" || from === undefined) return undefined;
  const text = call === undefined ? entry.text : (entry.calls[call]?.text ?? "");
  return text.slice(from, to);
}

/** Words this short stand in every reply: without their key beside them they lead nowhere. */
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

/** As the scorer has it, without what it says of it in brackets, and without quotation marks. */
function wordsOf({ got = "" }: Mistake): readonly string[] {
  const bare = got.endsWith(")") && got.includes(" (") ? got.slice(0, got.lastIndexOf(" (")) : got;
  const unquoted = /^(["']).*\1$/s.test(bare) ? bare.slice(1, -1) : bare;
  return [...new Set([got, bare, unquoted])].filter((words) => words !== "");
}

/** Where these words follow the key closely; -1 where they do not. */
function besideKey(text: string, words: string, key: string): number {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length))
    if (text.slice(Math.max(0, at - near), at).includes(key)) return at;
  return -1;
}
