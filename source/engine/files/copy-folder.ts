/** Copying folders of files that are not large. */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mustStayIn } from "./inside.ts";
import { makeFolder } from "./make-folder.ts";
import { replaceFile } from "./replace-file.ts";

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
