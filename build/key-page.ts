/** `node build/key-page.ts`: writes the key table of the program into its page of the documentation. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keySummary } from "../source/terminal/input/keys.ts";

export const keyPage = join(import.meta.dirname, "..", "documentation", "keys.md");
const between = /(<!-- keys: [^\n]*-->\n)[\s\S]*?(<!-- \/keys -->)/;

/** Returns the page with the current keys. Throws if it lacks the two marks around them. */
export function withKeys(page: string): string {
  if (!between.test(page)) throw new Error("Expected the page to hold `<!-- keys: ... -->` and `<!-- /keys -->`");
  return page.replace(between, (_, before: string, after: string) => `${before}\n${keySummary()}\n${after}`);
}

if (import.meta.main) writeFileSync(keyPage, withKeys(readFileSync(keyPage, "utf8")));
