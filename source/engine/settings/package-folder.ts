/** Where this package is installed: samples, the welcome session and the version are found from here. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

type Package = { readonly folder: string; readonly version: string; readonly files: readonly string[] };
let found: Package | undefined;

/** Above this file, whether it runs from source/ or from dist/. Read once: it may be gone later, while the program is open. */
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

/** The folder of Planwright's package.json. */
export function packageFolder(): string {
  return ownPackage().folder;
}

/** Version of this package, as in package.json. */
export function packageVersion(): string {
  return ownPackage().version;
}

/** The sessions that come with this package, by the names they are opened by. */
export function packageSessions(): readonly string[] {
  return ownPackage().files.flatMap((file) => /^sessions\/([^/]+)\/session\.md$/.exec(file)?.[1] ?? []);
}

/** The sample tasks that come with a suite. */
export function sampleFolder(suite: string): string {
  return join(packageFolder(), "suites", suite, "sample");
}

/** The sample of any suite: those of the user's own say where it lies. */
export function sampleOf(suite: { readonly name: string; readonly sampleFolder?: string }): string {
  return suite.sampleFolder ?? sampleFolder(suite.name);
}
