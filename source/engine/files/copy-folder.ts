/** Copying folders of files that are not large. */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { replaceFile } from "./replace-file.ts";

/** Copies the files of a folder, at any depth; those that are there already are left as they are. */
export function copyFolder(from: string, to: string): void {
  makeFolder(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (lstatSync(target, { throwIfNoEntry: false }) === undefined) replaceFile(target, readFileSync(source));
  }
}
