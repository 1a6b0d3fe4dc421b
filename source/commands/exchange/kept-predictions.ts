/** Copies answers of another program into the session, because a document names no file outside its folder. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileName } from "../../engine/figures/file-name.ts";
import { mustStayIn } from "../../engine/files/inside.ts";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { lineBytes, releaseBytes } from "../../engine/work/release-bytes.ts";
import { replaceFileAsItComes } from "../../engine/files/replace-file.ts";

/**
 * Copies a file into the session's `predictions`, unless it is already in the session, and returns its path in the session. The
 * same file always gets the same name; different files with one name get different names. `named` returns the name of the copy.
 */
export async function keepBeside(
  session: string,
  file: string,
  named: (file: string) => string = basename,
): Promise<string> {
  const whole = resolve(file);
  const way = relative(session, whole);
  if (!way.startsWith("..") && resolve(session, way) === whole) return way.split(sep).join("/");
  return keep(session, hashOf(whole).digest("hex"), named(whole), createReadStream(whole));
}

/** Yields the lines of a text without their line ends; callers may read them several times. */
export type Lines = () => AsyncIterable<string> | Iterable<string>;

/**
 * Writes a string into the session's `predictions` and returns its path in the session. The same text always gets the same name,
 * which contains `hash`.
 */
export async function keepText(session: string, name: string, lines: Lines, hash?: string): Promise<string> {
  const bytes = async function* () {
    for await (const line of lines()) {
      const written = lineBytes(line);
      yield written;
      releaseBytes(written);
    }
  };
  return keep(session, hash ?? (await hashOfLines(lines)), name, bytes());
}

export async function hashOfLines(lines: Lines): Promise<string> {
  const hash = hashOf("");
  for await (const line of lines()) hash.update(line).update("\n");
  return hash.digest("hex");
}

const hashOf = (text: string) => createHash("sha256").update(text);

/** Maximum number of characters of a name after its hash. The end of the name is kept because it describes the contents. */
const longest = 70;

/** `hash`: hash of the value that the name identifies. */
async function keep(session: string, hash: string, name: string, contents: AsyncIterable<Uint8Array>): Promise<string> {
  const path = `predictions/${hash.slice(0, 8)}-${fileName(name.slice(-longest))}`;
  const target = join(session, path);
  mustStayIn(session, dirname(target));
  makeFolder(dirname(target));
  await replaceFileAsItComes(target, contents);
  return path;
}
