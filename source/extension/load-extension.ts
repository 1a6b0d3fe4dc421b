/** Loads the definition in a file of the user's or of a notebook. */
import { pathToFileURL } from "node:url";
import { placeIn as placeInFiles } from "../engine/work/own-files.ts";
import { checkDefinition, placeOfWord } from "./check-definition.ts";
import { type Extension, ExtensionProblem } from "./definition.ts";
import { serveModules } from "./module-hooks.ts";
import { brokenPlace, hashOfSource, type OwnSource, placeIn, readOwnSource } from "./own-source.ts";

/**
 * Executes a file, or content that was read from a file. Throws `ExtensionProblem` for every mistake in it: one sentence with
 * file and line.
 */
export async function loadExtension(file: string | OwnSource): Promise<Extension> {
  const source = typeof file === "string" ? readOwnSource(file) : file;
  serveModules(source);
  let exported: { readonly default?: unknown };
  try {
    exported = (await import(pathToFileURL(source.entry).href)) as typeof exported;
  } catch (error) {
    if (error instanceof ExtensionProblem) throw error;
    throw new ExtensionProblem(`${placeOf(error, source)}: ${sentence(error)}`);
  }
  const place: Extension["place"] = (fits) =>
    (fits && placeIn(source, fits)) ?? placeIn(source, (line) => /\bdefault\b/.test(line)) ?? `${source.entry}:1`;
  const definition = checkDefinition(exported.default, place);
  for (const suite of definition.suites ?? [])
    await suite.ready?.().catch((error: unknown) => {
      const where = placeOfWord(place, suite.name);
      throw new ExtensionProblem(`${where}: Could not load the tasks of \`${suite.name}\`: ${sentence(error)}`);
    });
  return { path: source.entry, definition, hash: hashOfSource(source), place };
}

/** Returns the place in the user's files that caused an error. */
function placeOf(error: unknown, source: OwnSource): string {
  const place = placeInFiles(error, (url) => source.texts.has(url));
  if (place !== undefined) return place;
  // Node does not report the line of a syntax error.
  if (error instanceof SyntaxError) return brokenPlace(source) ?? `${source.entry}:1`;
  const { message = "" } = error instanceof Error ? error : {};
  // Node names a missing module by its path, and the import ends with the same name.
  const name = /^Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1]?.split(/[\\/]/).at(-1);
  const found = name && placeIn(source, (line) => [`${name}"`, `${name}'`].some((end) => line.includes(end)));
  return found || `${source.entry}:1`;
}

const sentence = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
