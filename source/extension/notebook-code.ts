/**
 * Code that a notebook names (`with: [variant.ts]` in its front matter). It is read and hashed before the user has allowed it,
 * and exactly the allowed text is executed afterwards, even if the file has changed.
 */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { leadsOut, pathInside } from "../engine/files/inside.ts";
import { ExtensionProblem } from "./definition.ts";
import { importedFiles, type OwnSource, ownEntry, sourceOf } from "./own-source.ts";

/**
 * Maximum number of files that one file imports, and of their characters in total: more would block the screen before the user
 * has agreed.
 */
const most = { files: 200, characters: 4_000_000 };

export type NotebookFile = {
  /** The name in the front matter. */
  readonly name: string;
  readonly entry: string;
  readonly folder: string;
  /** Texts as written, by real path: of the file, and of all files that it imports by path. */
  readonly written: ReadonlyMap<string, string>;
  /** The hash of all names and texts, which the user allows. */
  readonly identity: string;
};

/**
 * Reads a file of the notebook's folder without executing or parsing it. Throws `ExtensionProblem` or `Problem` if the file is
 * missing, is not a module, or leads out of the folder, by itself, by a link or by its imports.
 */
export function readNotebookFile(notebook: string, name: string): NotebookFile {
  if (isAbsolute(name))
    throw new ExtensionProblem(
      `Expected \`with\` to name files relative to the folder of the notebook, got \`${name}\``,
    );
  const folder = realpathSync(notebook);
  const entry = ownEntry(pathInside(name, new Map([[folder, "the folder of the notebook"]])), "with");
  const written = new Map<string, string>();
  const open = [entry];
  let characters = 0;
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (written.has(file)) continue;
    if (leadsOut(folder, file) !== undefined)
      throw new ExtensionProblem(`Expected \`${name}\` to import files inside the notebook's folder, got ${file}`);
    characters += statSync(file).size;
    if (written.size >= most.files || characters > most.characters)
      throw new ExtensionProblem(
        `Expected \`${name}\` to have at most ${most.files} files of ${most.characters / 1e6} MB in total, got more`,
      );
    const text = readFileSync(file, "utf8");
    written.set(file, text);
    open.push(...importedFiles(text, file));
  }
  const named = [...written].map(([file, text]) => [relative(folder, file).replaceAll("\\", "/"), text] as const);
  const sorted = named.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash("sha256")
    .update(JSON.stringify([name, sorted]))
    .digest("hex");
  return { name, entry, folder, written, identity: `code ${hash}` };
}

/** Returns the code as it is executed. Throws `ExtensionProblem` for a syntax error. */
export function sourceOfNotebook({ entry, folder, written }: NotebookFile): OwnSource {
  const read = (file: string) => {
    const text = written.get(file);
    if (text !== undefined) return text;
    throw new ExtensionProblem(`${entry}: Expected a literal path in each import, got one that leads to ${file}`);
  };
  return { ...sourceOf(entry, read), inside: folder };
}
