/** From `--with FILE` to what the file defines. */
import { pathToFileURL } from "node:url";
import { placeIn as placeInFiles } from "../engine/work/own-files.ts";
import { checkDefinition, placeOfWord } from "./check-definition.ts";
import { type Extension, ExtensionProblem } from "./definition.ts";
import { serveModules } from "./module-hooks.ts";
import { brokenPlace, hashOfSource, type OwnSource, placeIn, readOwnSource } from "./own-source.ts";

/** Executes the file. Throws `ExtensionProblem`, in one sentence with file and line, for every mistake in it. */
export async function loadExtension(path: string): Promise<Extension> {
  const source = readOwnSource(path);
  serveModules(source.texts);
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
      throw new ExtensionProblem(`${where}: The tasks of \`${suite.name}\` cannot be had: ${sentence(error)}`);
    });
  return { path: source.entry, definition, hash: hashOfSource(source), place };
}

/** Where in the user's files an error is from. */
function placeOf(error: unknown, source: OwnSource): string {
  const place = placeInFiles(error, (url) => source.texts.has(url));
  if (place !== undefined) return place;
  // Node keeps to itself in which line of JavaScript the mistake is.
  if (error instanceof SyntaxError) return brokenPlace(source) ?? `${source.entry}:1`;
  const { message = "" } = error instanceof Error ? error : {};
  // A module that is not there is named by its path; the import ends with the same name.
  const name = /^Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1]?.split(/[\\/]/).at(-1);
  const found = name && placeIn(source, (line) => [`${name}"`, `${name}'`].some((end) => line.includes(end)));
  return found || `${source.entry}:1`;
}

function sentence(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
}
