/** Resolves paths in documents or data of other people, which must not lead out of their folder. */
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Problem } from "../problem.ts";

/**
 * Returns the whole path of a file in the first of these folders that contains it, otherwise in the first folder. `folders` map
 * to their names for messages. Throws `Problem` if the path leads out of all of them, by itself or through a link.
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

/** Throws `Problem` if links on the way to a path, or the file itself, lead out of a folder. A missing file causes no error. */
export function mustStayIn(folder: string, path: string): void {
  const out = leadsOut(folder, path);
  if (out !== undefined)
    throw new Problem(
      "tool",
      `${path} is a link that leads out of ${folder}, to ${out}: replace the link with the file`,
    );
}

/** Checks all links in a folder and below it in the same way. */
export function linksMustStay(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isSymbolicLink()) mustStayIn(folder, join(entry.parentPath, entry.name));
}

/**
 * Returns the target of a link on the way to a path that leads out of the folder or to a missing file; undefined if all links
 * stay inside.
 */
export function leadsOut(folder: string, path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // Writing to a dangling link would create its target.
  if (!existsSync(path)) return found.isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;
  const real = realpathSync(path);
  return contains(realpathSync(folder), real) ? undefined : real;
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
