/**
 * `npm run bench [NAME...] [--write] [--large]`: all measurements, or the named ones. Prints numbers and ratios within one run;
 * judges nothing. `--write` puts the lines with something beside them into the README's table; `--large` measures also what
 * takes an hour.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, LeftOut, Measurement } from "./measurement.ts";
import { lineText, withTable } from "./table.ts";

const given = process.argv.slice(2);
const write = given.includes("--write");
const large = given.includes("--large");
const wanted = given.filter((name) => name !== "--write" && name !== "--large");
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3))
  .filter((name) => /^export (const|async function) bench\b/m.test(readFileSync(pathOf(name), "utf8")));
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`Expected some of ${names.join(", ")}, got \`${unknown}\``);

const lines: (Measurement | LeftOut)[] = [];
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n${name}`);
  const { bench } = (await import(pathOf(name))) as { bench: Bench };
  const measured = await bench({ large });
  for (const line of measured) console.log(`  ${lineText(line)}`);
  lines.push(...measured);
}
if (write) {
  const readme = join(import.meta.dirname, "..", "README.md");
  writeFileSync(readme, withTable(readFileSync(readme, "utf8"), lines, wanted.length > 0));
}
process.exit(0);

function pathOf(name: string): string {
  return join(import.meta.dirname, `${name}.ts`);
}
