/** Answers made elsewhere, beside the session they were scored into: a document names no file outside of its folder. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileName } from "../engine/figures/file-name.ts";
import { mustStayIn } from "../engine/files/inside.ts";
import { makeFolder } from "../engine/files/make-folder.ts";
import { replaceFile } from "../engine/files/replace-file.ts";

/**
 * Copies a file into the session's `predictions`, unless it lies in the session already; gives its path there. The same file always
 * gets the same name, files of one name in several folders get several. `named` gives the name of the copy.
 */
export function keepBeside(session: string, file: string, named: (file: string) => string = basename): string {
  const whole = resolve(file);
  const way = relative(session, whole);
  if (!way.startsWith("..") && resolve(session, way) === whole) return way.split(sep).join("/");
  return keep(session, whole, named(whole), readFileSync(whole));
}

/** Writes a text into the session's `predictions`; gives its path there. The same text always gets the same name. */
export function keepText(session: string, name: string, text: string): string {
  return keep(session, text, name, text);
}

/** Most letters of a name behind its hash; what it ends with says what it is. */
const longest = 70;

/** `of`: what the name is to tell apart. */
function keep(session: string, of: string, name: string, contents: string | Uint8Array): string {
  const hash = createHash("sha256").update(of).digest("hex").slice(0, 8);
  const path = `predictions/${hash}-${fileName(name.slice(-longest))}`;
  const target = join(session, path);
  mustStayIn(session, dirname(target));
  makeFolder(dirname(target));
  replaceFile(target, contents);
  return path;
}
