/** Errors and scores in words. */
import type { ErrorKind } from "../../benchmark.ts";
import { printable } from "../../text/printable.ts";
import type { Mistake } from "../../types.ts";
import { noMistake } from "./verdict.ts";

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
