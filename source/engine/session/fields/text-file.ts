/** Texts of a cell that may be in files of the notebook: `fork: {reply: forks/a.txt}`. */
import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathInside } from "../../files/inside.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { Problem } from "../../problem.ts";
import { stampOf } from "../../work/file-stamp.ts";

/** Maximum number of bytes of a text file, because its text becomes part of the run's settings. */
const longest = 200_000;

/** Returns whether a text names a file: one word that ends in `.md` or `.txt`. */
export const namesFile = (text: string): boolean => /^\S+\.(?:md|txt)$/i.test(text);

/** Returns the text of a file in this folder. Throws `Problem` if it is missing, too long, not a text, or outside the folder. */
export function readTextFile(file: string, folder: string): string {
  const path = pathInside(file, new Map([[folder, "the folder of the notebook"]]));
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new Problem("parse", `Expected a file \`${file}\` in the folder of the notebook, found none`);
  if (found.size > longest)
    throw new Problem("parse", `Expected \`${file}\` to have at most ${longest / 1000} kB, found ${found.size} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    throw new Problem("parse", `Expected \`${file}\` to be UTF-8 text (${(error as Error).message})`);
  }
}

/** Returns a name for a text that no file in this folder has: `plan.md`, or `plan-2.md`. */
export function freeTextFile(stem: string, folder: string): string {
  const plain = stem.replaceAll(/[^\w.-]/g, "-").replace(/^\.+/, "");
  for (let number = 1; ; number++) {
    const file = `${plain}${number === 1 ? "" : `-${number}`}.md`;
    if (lstatSync(join(folder, file), { throwIfNoEntry: false }) === undefined) return file;
  }
}

/** Writes a text into a file of this folder, with a line break at its end. Throws `Problem` if the file would be outside. */
export function writeTextFile(file: string, folder: string, text: string): void {
  const path = pathInside(file, new Map([[folder, "the folder of the notebook"]]));
  replaceFile(path, text.endsWith("\n") ? text : `${text}\n`);
}

/** The files that one cell names, to notice when their texts change. */
export class CellTexts {
  readonly #folder: string;
  readonly #stamps = new Map<string, string | undefined>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws as `readTextFile`. */
  readonly read = (file: string): string => {
    this.#stamps.set(file, this.#stampOf(file));
    return readTextFile(file, this.#folder);
  };

  /** True if a file was changed, added or removed since it was read. */
  get haveChanged(): boolean {
    return [...this.#stamps].some(([file, stamp]) => this.#stampOf(file) !== stamp);
  }

  #stampOf(file: string): string | undefined {
    return stampOf(join(this.#folder, file));
  }
}
