/** Paths that come with a document or with data somebody else made: they must not lead out of the folder they belong to. */
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Problem } from "../problem.ts";

/**
 * The whole path of a file in one of these folders, the first that has it; where none does, as it would be in the first. `folders`
 * are given with their names for messages. Throws `Problem` where the path leads out of all of them, by itself or over a link.
 */
export function pathInside(path: string, folders: ReadonlyMap<string, string>): string {
  const within = [...folders.keys()].flatMap((folder) => {
    const whole = resolve(folder, path);
    return contains(resolve(folder), whole) ? [{ folder, whole }] : [];
  });
  const [first] = within;
  if (first === undefined)
    throw new Problem("parse", `Expected a path inside ${[...folders.values()].join(" or ")}, got \`${path}\``);
  const found = within.find(({ whole }) => existsSync(whole)) ?? first;
  mustStayIn(found.folder, found.whole);
  return found.whole;
}

/** Throws `Problem` where links on the way to a path, or the file itself, lead out of a folder. What is not there leads nowhere. */
export function mustStayIn(folder: string, path: string): void {
  const out = leadsOut(folder, path);
  if (out !== undefined)
    throw new Problem("tool", `${path} is a link that leads out of ${folder}, to ${out}: put the file itself there`);
}

/** The same for all links in a folder and below it, which must stay in it. */
export function linksMustStay(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isSymbolicLink()) mustStayIn(folder, join(entry.parentPath, entry.name));
}

/** Where links on the way to a path lead to outside of a folder, or to nothing; undefined where they stay in it. */
export function leadsOut(folder: string, path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // Writing to a link that leads to nothing would make the file there.
  if (!existsSync(path)) return found.isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;
  const real = realpathSync(path);
  return contains(realpathSync(folder), real) ? undefined : real;
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
