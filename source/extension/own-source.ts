/** The code of a user's file and of the files it imports by path, exactly as it is executed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import * as module from "node:module";
import { dirname, extname, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ExtensionProblem } from "./definition.ts";

export type OwnSource = {
  /** The real path of the file itself. */
  readonly entry: string;
  /** Texts without types, at unchanged lines, by the file's address. */
  readonly texts: ReadonlyMap<string, string>;
  /** The texts without the blanks that removed types leave, so that a change of types does not change the hash. */
  readonly code: ReadonlyMap<string, string>;
  /** The folder of the notebook that names it, outside of which no file may be loaded; absent for `--with`. */
  readonly inside?: string;
};

/** Extensions of files to read; Node loads all other imports. */
const endings = [".ts", ".mts", ".mjs", ".js", ".json"];

/**
 * Reads a file and all files that it imports by path, including dynamic imports. Throws `ExtensionProblem` if a file is missing,
 * not a module, or has a syntax error.
 */
export function readOwnSource(path: string): OwnSource {
  return sourceOf(ownEntry(path, "--with"), (file) => readFileSync(file, "utf8"));
}

/** Returns the real path of a file of code that `field` names. Throws `ExtensionProblem`. */
export function ownEntry(path: string, field: string): string {
  const whole = resolve(path);
  if (!isFile(whole)) throw new ExtensionProblem(`Expected a file for \`${field}\` at ${whole}, found none`);
  if (!/\.(ts|mts|mjs)$/.test(whole))
    throw new ExtensionProblem(`Expected a .ts, .mts or .mjs file for \`${field}\`, got ${whole}`);
  return realpathSync(whole);
}

/** `read` returns the text of a file by its real path. Throws `ExtensionProblem` for a syntax error, and the errors of `read`. */
export function sourceOf(entry: string, read: (file: string) => string): OwnSource {
  const texts = new Map<string, string>();
  const code = new Map<string, string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const url = pathToFileURL(file).href;
    if (texts.has(url)) continue;
    const written = read(file);
    const text = withoutTypes(written, file);
    texts.set(url, text);
    code.set(url, withoutGaps(written, text));
    open.push(...importedFiles(text, file));
  }
  return { entry, texts, code };
}

/** Returns a hash of the executed code, independent of types and of the files' location. */
export function hashOfSource({ entry, code }: OwnSource): string {
  const hash = createHash("sha256");
  const named = [...code].map(([url, text]) => [
    relative(dirname(entry), fileURLToPath(url)).replaceAll("\\", "/"),
    text,
  ]);
  for (const [name, text] of named.toSorted(([one], [other]) => (one! < other! ? -1 : 1)))
    hash.update(`${name}\0${text}\0`);
  return hash.digest("hex").slice(0, 16);
}

/** Returns `PATH:LINE` of the first matching line; undefined if no line matches. */
export function placeIn({ texts }: OwnSource, fits: (line: string) => boolean): string | undefined {
  for (const [url, text] of texts) {
    const index = text.split("\n").findIndex(fits);
    if (index >= 0) return `${fileURLToPath(url)}:${index + 1}`;
  }
  return undefined;
}

/** Returns JavaScript with unchanged lines and columns. Throws `ExtensionProblem`. */
export function withoutTypes(text: string, file: string): string {
  if (!/\.m?ts$/.test(file)) return text;
  try {
    return withoutWarning(() => module.stripTypeScriptTypes(text));
  } catch (error) {
    throw new ExtensionProblem(`${file}:${lineOf(error)}: ${(error as Error).message}`);
  }
}

/** Returns `PATH:LINE` of the first syntax error; undefined if there is none. */
export function brokenPlace({ texts }: OwnSource): string | undefined {
  for (const [url, text] of texts) {
    const path = fileURLToPath(url);
    const line = path.endsWith(".json") ? undefined : brokenLine(text);
    if (line !== undefined) return `${path}:${line}`;
  }
  return undefined;
}

function brokenLine(text: string): number | undefined {
  try {
    withoutWarning(() => module.stripTypeScriptTypes(text));
    return undefined;
  } catch (error) {
    return lineOf(error);
  }
}

/** Returns the line in which Node found the error. */
const lineOf = (error: unknown): number => Number(/^:(\d+)/.exec((error as Error).stack ?? "")?.[1] ?? 1);

/** Removes the gaps that removed types leave: blanks in place of a type, and empty lines in place of lines with types only. */
function withoutGaps(written: string, text: string): string {
  if (written === text || written.length !== text.length) return text;
  const marked = [...text.matchAll(/\s/g)].filter(({ index }) => /\S/.test(written[index]!));
  let result = "";
  let from = 0;
  for (const { index } of marked) {
    result += `${text.slice(from, index)}\0`;
    from = index + 1;
  }
  return `${result}${text.slice(from)}`
    .replaceAll(/\0(?:\s*\0)*/g, "\0")
    .replaceAll(/(^|\n\n)[^\S\n]*\0[^\S\n]*\n\n/g, "$1")
    .replaceAll(/^[^\S\n]*\0[^\S\n]*\n/gm, "")
    .replaceAll(/(?<![^\S\n])[^\S\n]+\0(?=[^\w$])/g, "")
    .replaceAll(/(?<=\s)\0[^\S\n]+/g, "")
    .replaceAll("\0", "");
}

/** Suppresses Node's warning about an experimental feature, which would be printed over the screen. */
function withoutWarning<Value>(work: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns the real paths of the files that a file imports by path. */
export const importedFiles = (text: string, file: string): readonly string[] =>
  extname(file) === ".json"
    ? []
    : importedPaths(text, file)
        .filter(isFile)
        .map((each) => realpathSync(each));

/** Returns the paths in `import` and `export ... from`, including those of missing files. */
function importedPaths(text: string, file: string): readonly string[] {
  const found = text.matchAll(/\b(?:from|import)\s*(?:\(\s*)?["'](\.{1,2}\/[^"'\n]+|file:[^"'\n]+|\/[^"'\n]+)["']/g);
  return [...found].flatMap(([, name]) => {
    const url = new URL(name!, pathToFileURL(file));
    const path = fileURLToPath(url);
    return endings.includes(extname(path)) ? [path] : [];
  });
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();
