/** The installed package, which contains samples, the welcome session and the version. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

type Package = { readonly folder: string; readonly version: string; readonly files: readonly string[] };
let found: Package | undefined;

/**
 * Searches for the package above this file, which runs from source/ or from dist/. Read once, because the package may be removed
 * while the program is open.
 */
function ownPackage(): Package {
  for (let folder = dirname(fileURLToPath(import.meta.url)); found === undefined; folder = dirname(folder)) {
    const candidate = join(folder, "package.json");
    const text = existsSync(candidate) ? readFileSync(candidate, "utf8") : "";
    if (text.includes('"name": "planwright"')) found = { ...(JSON.parse(text) as Omit<Package, "folder">), folder };
    else if (folder === dirname(folder))
      throw new Error("Expected Planwright's package.json in a folder above this program, found none");
  }
  return found;
}

/** Returns the folder of Planwright's package.json. */
export const packageFolder = (): string => ownPackage().folder;

/** Returns the version of this package, as in package.json. */
export const packageVersion = (): string => ownPackage().version;

/** Returns the sessions in this package, by the names by which they are opened. */
export const packageSessions = (): readonly string[] =>
  ownPackage().files.flatMap((file) => /^sessions\/([^/]+)\/session\.md$/.exec(file)?.[1] ?? []);

/** Returns the folder of the sample tasks that come with a suite. */
export const sampleFolder = (suite: string): string => join(packageFolder(), "suites", suite, "sample");

/** Returns the sample folder of any suite; suites of the user's name it themselves. */
export const sampleOf = (suite: { readonly name: string; readonly sampleFolder?: string }): string =>
  suite.sampleFolder ?? sampleFolder(suite.name);
