/** The code of a file of the user's own: its text and that of what it imports by a path, as it will be executed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import * as module from "node:module";
import { dirname, extname, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ExtensionProblem } from "./definition.ts";

export type OwnSource = {
  /** The real path of the file itself. */
  readonly entry: string;
  /** Texts without types, line for line as they are written, by the file's address. */
  readonly texts: ReadonlyMap<string, string>;
  /** The same without the blanks that types leave behind, so that other types give the same. */
  readonly code: ReadonlyMap<string, string>;
};

/** Endings of files that are read; whatever else is imported is left to Node. */
const endings = [".ts", ".mts", ".mjs", ".js", ".json"];

/**
 * Reads a file and all it imports by paths, those imported later too. Throws `ExtensionProblem` where it is not there, is no
 * module, or has a mistake in its syntax.
 */
export function readOwnSource(path: string): OwnSource {
  const whole = resolve(path);
  if (!isFile(whole)) throw new ExtensionProblem(`Expected a file for \`--with\` at ${whole}, found none`);
  if (!/\.(ts|mts|mjs)$/.test(whole))
    throw new ExtensionProblem(`Expected a .ts, .mts or .mjs file for \`--with\`, got ${whole}`);
  const entry = realpathSync(whole);
  const texts = new Map<string, string>();
  const code = new Map<string, string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const url = pathToFileURL(file).href;
    if (texts.has(url)) continue;
    const written = readFileSync(file, "utf8");
    const text = withoutTypes(written, file);
    texts.set(url, text);
    code.set(url, withoutGaps(written, text));
    if (extname(file) !== ".json")
      open.push(
        ...importedPaths(text, file)
          .filter(isFile)
          .map((each) => realpathSync(each)),
      );
  }
  return { entry, texts, code };
}

/** Changes with every text that is executed, and with no types; where the files lie makes no difference. */
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

/** `PATH:LINE` of the first line in one of the files that fits; undefined where none does. */
export function placeIn({ texts }: OwnSource, fits: (line: string) => boolean): string | undefined {
  for (const [url, text] of texts) {
    const index = text.split("\n").findIndex(fits);
    if (index >= 0) return `${fileURLToPath(url)}:${index + 1}`;
  }
  return undefined;
}

/** JavaScript of the same lines and columns. Throws `ExtensionProblem`. */
export function withoutTypes(text: string, file: string): string {
  if (!/\.m?ts$/.test(file)) return text;
  try {
    return withoutWarning(() => module.stripTypeScriptTypes(text));
  } catch (error) {
    throw new ExtensionProblem(`${file}:${lineOf(error)}: ${(error as Error).message}`);
  }
}

/** `PATH:LINE` where one of the files is no JavaScript; undefined where all are. */
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

/** Where Node found that a text is not what it is to be. */
function lineOf(error: unknown): number {
  return Number(/^:(\d+)/.exec((error as Error).stack ?? "")?.[1] ?? 1);
}

/**
 * A text as if it had been written without the types that were taken out of it: they leave blanks in their place, and lines that
 * held nothing else leave empty ones.
 */
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
    .replaceAll(/[^\S\n]+\0(?=[^\w$])/g, "")
    .replaceAll(/(?<=\s)\0[^\S\n]+/g, "")
    .replaceAll("\0", "");
}

/** Node says at its first use that it may change; that would be printed over the screen. */
function withoutWarning<Value>(work: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Paths in `import` and `export ... from`, whether or not a file is there. */
function importedPaths(text: string, file: string): readonly string[] {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+|file:[^"'\n]+|\/[^"'\n]+)["']/g);
  return [...found].flatMap(([, name]) => {
    const url = new URL(name!, pathToFileURL(file));
    const path = fileURLToPath(url);
    return endings.includes(extname(path)) ? [path] : [];
  });
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
