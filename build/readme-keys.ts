/** `node build/readme-keys.ts`: writes the key table of the program into the README. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keySummary } from "../source/terminal/input/keys.ts";

const path = join(import.meta.dirname, "..", "README.md");
const between = /(<!-- keys: [^\n]*-->\n)[\s\S]*?(<!-- \/keys -->)/;

/** Returns the README with the current keys. Throws if it lacks the two marks around them. */
export function withKeys(readme: string): string {
  if (!between.test(readme)) throw new Error("Expected README.md to hold `<!-- keys: ... -->` and `<!-- /keys -->`");
  return readme.replace(between, (_, before: string, after: string) => `${before}\n${keySummary()}\n${after}`);
}

if (import.meta.main) writeFileSync(path, withKeys(readFileSync(path, "utf8")));
