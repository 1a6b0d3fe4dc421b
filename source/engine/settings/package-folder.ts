/** Where this package is installed: samples, the welcome session and the version are found from here. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let found: string | undefined;

/** The folder of Planwright's package.json: above this file, whether it runs from source/ or from dist/. */
export function packageFolder(): string {
  if (found !== undefined) return found;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, "package.json");
    if (existsSync(candidate) && readFileSync(candidate, "utf8").includes('"name": "planwright"'))
      return (found = folder);
    if (folder === dirname(folder))
      throw new Error("Expected Planwright's package.json in a folder above this program, found none");
  }
}

/** Version of this package, as in package.json. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as { version: string }).version;
}

/** The sample tasks that come with a suite. */
export function sampleFolder(suite: string): string {
  return join(packageFolder(), "suites", suite, "sample");
}
