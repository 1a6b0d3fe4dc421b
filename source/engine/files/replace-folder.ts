/**
 * Replaces a folder as a whole and keeps the user's own files. At every moment all of them are in the folder or next to it in
 * `NAME.moved-away`: `mendFolder` completes the work of a killed program.
 */
import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, realpathSync, renameSync, rmSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { Problem } from "../problem.ts";
import { makeFolder } from "./make-folder.ts";
import { whyUnwritten, replaceFile } from "./replace-file.ts";
import { mustStayIn } from "./inside.ts";

/**
 * Returns the destination of entries that only the old folder has, and the entries among them (as paths below the old folder)
 * that must not be mixed with new entries. It is called again when an interrupted replacement is completed, so its inputs must
 * not change.
 */
export type Kept = (old: string, now: string) => { readonly into: string; readonly without?: readonly string[] };

const everything: Kept = (_, now) => ({ into: now });

/**
 * Builds a new folder next to the old folder, replaces the old folder by it, moves entries that only the old folder has, and
 * deletes the old folder last. The folder may be a link, whose target is then replaced. If `build` fails, nothing has changed.
 * Resolves to the path of anything that could not be deleted. Throws `Problem` with the name of the folder that cannot be
 * replaced, or the location of entries that could not be moved.
 */
export async function replaceFolder(path: string, build: (folder: string) => Promise<void>, kept: Kept = everything) {
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

/** Completes an interrupted replacement: restores the old folder, or moves its entries to the new folder. */
export function mendFolder(path: string, kept: Kept = everything): void {
  const target = placeOf(path);
  const old = awayOf(target);
  if (existsSync(old)) {
    if (existsSync(target)) settle(target, kept);
    else naming(path, () => renameSync(old, target));
  }
  for (const left of [`${target}.being-built`, ...discarded(target)]) removed(left);
}

/** Returns whether a replacement was interrupted. */
export const isUnfinished = (path: string): boolean => existsSync(awayOf(placeOf(path)));

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

/** Performs the last two steps, moving and deleting, which may be repeated. */
function settle(target: string, kept: Kept): string | undefined {
  const old = awayOf(target);
  const { into, without = [] } = kept(old, target);
  try {
    if (existsSync(into)) carryOver(old, into, (path) => without.includes(relative(old, path)));
    // Moved as a whole, so that a kill in between leaves everything in one place.
    else renameSync(old, into);
  } catch (error) {
    const why = whyUnwritten(error as NodeJS.ErrnoException);
    throw new Problem("tool", `Could not move your files to the new ${target} (${why}); they are still in ${old}`);
  }
  if (!existsSync(old)) return undefined;
  // Renamed first, so that a half-deleted folder is not taken for one that was moved away.
  const gone = `${target}.to-delete-${randomBytes(6).toString("hex")}`;
  naming(old, () => renameSync(old, gone));
  return removed(gone) ? undefined : gone;
}

/** Moves entries that are only in `from` to the same path in `to`; both are on one disk. */
export function carryOver(from: string, to: string, leave: (path: string) => boolean = () => false): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, now] = [join(from, entry.name), join(to, entry.name)];
    if (leave(old)) continue;
    const there = lstatSync(now, { throwIfNoEntry: false });
    if (there === undefined) renameSync(old, now);
    else if (entry.isDirectory() && there.isDirectory()) carryOver(old, now, leave);
  }
}

// A name that nobody gives to a copy.
const awayOf = (target: string) => `${target}.moved-away`;
const placeOf = (path: string) => (existsSync(path) ? realpathSync(path) : path);

function discarded(target: string): readonly string[] {
  const folder = dirname(target);
  const start = `${basename(target)}.to-delete-`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => (name.startsWith(start) ? [join(folder, name)] : []));
}

/** Deletes a path; false if a part cannot be deleted, which the next replacement tries again. */
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
 * Copies the files of a folder, at any depth, without overwriting existing files. Copies the target of a link if the target is in
 * `whole`, a parent folder. Throws `Problem` for a link to a folder, or to a target outside `whole`.
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
