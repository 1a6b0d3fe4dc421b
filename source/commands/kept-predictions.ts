/** Answers made elsewhere, beside the session they were scored into: a document names no file outside of its folder. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileName } from "../engine/figures/export-files.ts";
import { mustStayIn } from "../engine/files/inside.ts";
import { makeFolder } from "../engine/files/make-folder.ts";
import { replaceFile } from "../engine/files/replace-file.ts";

/**
 * Copies a file into the session's `predictions`, unless it lies in the session already; gives its path there. The same file always
 * gets the same name, files of one name in several folders get several.
 */
export function keepBeside(session: string, file: string): string {
  const whole = resolve(file);
  const way = relative(session, whole);
  if (!way.startsWith("..") && resolve(session, way) === whole) return way.split(sep).join("/");
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  const path = `predictions/${hash}-${fileName(basename(whole))}`;
  const target = join(session, path);
  mustStayIn(session, dirname(target));
  makeFolder(dirname(target));
  replaceFile(target, readFileSync(whole));
  return path;
}
