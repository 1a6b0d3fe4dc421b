/**
 * Replacing a folder as a whole, with what people have put into it carried over. At every moment all of that lies in the folder or
 * beside it in `NAME.moved-away`: `mendFolder` completes what a program that was killed has begun.
 */
import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, realpathSync, renameSync, rmSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { Problem } from "../problem.ts";
import { makeFolder } from "./make-folder.ts";
import { whyUnwritten, replaceFile } from "./replace-file.ts";
import { mustStayIn } from "./inside.ts";

/**
 * Where things of the old folder that the new one lacks are to stay, and which of them, by paths below the old one, must not come to
 * lie among new ones. Asked again when an interrupted replacement is completed: what it looks at must still be as it was.
 */
export type Kept = (old: string, now: string) => { readonly into: string; readonly without?: readonly string[] };

const everything: Kept = (_, now) => ({ into: now });

/**
 * Builds a new folder beside the old one, puts it in its place, carries over what only the old one has, and deletes that last. The
 * folder may be a link: what it leads to is replaced. Where `build` fails nothing has changed. Resolves to the path of what could
 * not be deleted. Throws `Problem` naming the folder where it cannot be replaced, or what could not be carried over and lies where.
 */
export async function replaceFolder(
  path: string,
  build: (folder: string) => Promise<void>,
  kept: Kept = everything,
): Promise<string | undefined> {
  mendFolder(path, kept);
  const target = placeOf(path);
  const [staging, old] = [`${target}.being-built`, awayOf(target)];
  try {
    naming(path, () => makeFolder(staging));
    await build(staging);
    swap(path, { target, staging, old });
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    throw error;
  }
  return existsSync(old) ? settle(target, kept) : undefined;
}

/** Completes a replacement that was cut off: the old folder comes back, or what was in it is carried over. */
export function mendFolder(path: string, kept: Kept = everything): void {
  const target = placeOf(path);
  const old = awayOf(target);
  if (existsSync(old)) {
    if (existsSync(target)) settle(target, kept);
    else naming(path, () => renameSync(old, target));
  }
  for (const left of [`${target}.being-built`, ...discarded(target)]) removed(left);
}

/** Whether a replacement was cut off. */
export function isUnfinished(path: string): boolean {
  return existsSync(awayOf(placeOf(path)));
}

type Places = { readonly target: string; readonly staging: string; readonly old: string };

function swap(path: string, { target, staging, old }: Places): void {
  naming(path, () => {
    const before = existsSync(target);
    if (before) renameSync(target, old);
    try {
      renameSync(staging, target);
    } catch (error) {
      if (before) renameSync(old, target);
      throw error;
    }
  });
}

/** The last two steps, which may be done again: carry over, then delete. */
function settle(target: string, kept: Kept): string | undefined {
  const old = awayOf(target);
  const { into, without = [] } = kept(old, target);
  try {
    if (existsSync(into)) carryOver(old, into, (path) => without.includes(relative(old, path)));
    // As a whole, so that a kill in between leaves all of it in one place.
    else renameSync(old, into);
  } catch (error) {
    const why = whyUnwritten(error as NodeJS.ErrnoException);
    throw new Problem("tool", `Could not carry over what you had in ${target} (${why}); it lies in ${old}`);
  }
  if (!existsSync(old)) return undefined;
  // Under another name first: a folder that is half deleted must not be taken for one that was moved away.
  const gone = `${target}.to-delete-${randomBytes(6).toString("hex")}`;
  naming(old, () => renameSync(old, gone));
  return removed(gone) ? undefined : gone;
}

/** Moves what is only in `from` to the same place in `to`, both on one disk. */
export function carryOver(from: string, to: string, leave: (path: string) => boolean = () => false): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, now] = [join(from, entry.name), join(to, entry.name)];
    if (leave(old)) continue;
    const there = lstatSync(now, { throwIfNoEntry: false });
    if (there === undefined) renameSync(old, now);
    else if (entry.isDirectory() && there.isDirectory()) carryOver(old, now, leave);
  }
}

// Names that nobody gives to a copy of their own.
const awayOf = (target: string) => `${target}.moved-away`;
const placeOf = (path: string) => (existsSync(path) ? realpathSync(path) : path);

function discarded(target: string): readonly string[] {
  const folder = dirname(target);
  const start = `${basename(target)}.to-delete-`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => (name.startsWith(start) ? [join(folder, name)] : []));
}

/** False where something in it cannot be deleted, which the next replacement tries again. */
function removed(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

function naming(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new Problem("tool", `Could not replace ${path}: ${whyUnwritten(error as NodeJS.ErrnoException)}`);
  }
}

/**
 * Copies the files of a folder, at any depth; those that are there already are left as they are. What links lead to is copied where
 * it lies in `whole`, a folder above. Throws `Problem` for a link that leads out of that, or to a folder.
 */
export function copyFolder(from: string, to: string, whole: string = from): void {
  makeFolder(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    mustStayIn(whole, source);
    if (entry.isDirectory()) copyFolder(source, target, whole);
    else if (lstatSync(target, { throwIfNoEntry: false }) === undefined) replaceFile(target, readFileSync(source));
  }
}
