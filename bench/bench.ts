/**
 * `npm run bench [NAME...] [--write] [--large | --largest]`: all measurements, or the named ones. Prints numbers and ratios within one run;
 * judges nothing. `--write` puts the lines with something beside them, and what was left out, into the table of documentation/speed.md; `--large`
 * measures also what takes ten minutes, `--largest` what takes half an hour. One that fails does not keep the others from being
 * measured: the exit status is 1 then, and its lines there stay.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, LeftOut, Measurement } from "./measurement.ts";
import { lineText, withChosenLines, withTable } from "./table.ts";

const given = process.argv.slice(2);
const write = given.includes("--write");
const most = given.includes("--largest") ? "largest" : given.includes("--large") ? "large" : "usual";
const wanted = given.filter((name) => !["--write", "--large", "--largest"].includes(name));
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3))
  .filter((name) => /^export (const|async function) bench\b/m.test(readFileSync(pathOf(name), "utf8")))
  .sort();
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`Expected some of ${names.join(", ")}, got \`${unknown}\``);

const results = new Map<string, readonly (Measurement | LeftOut)[]>();
const failed: string[] = [];
for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  console.log(`\n${name}`);
  try {
    const { bench } = (await import(pathOf(name))) as { bench: Bench };
    const lines: (Measurement | LeftOut)[] = [];
    for await (const line of await bench({ most })) {
      console.log(`  ${lineText(line)}`);
      lines.push(line);
    }
    results.set(name, lines);
  } catch (error) {
    console.error(error);
    failed.push(name);
  }
}
if (write) {
  const [page, readme] = ["documentation/speed.md", "README.md"].map((path) => join(import.meta.dirname, "..", path));
  const written = withTable(readFileSync(page!, "utf8"), results, names);
  writeFileSync(page!, written);
  writeFileSync(readme!, withChosenLines(readFileSync(readme!, "utf8"), written));
}
if (failed.length > 0) console.error(`\nNot measured, for an error: ${failed.join(", ")}`);
process.exit(failed.length > 0 ? 1 : 0);

function pathOf(name: string): string {
  return join(import.meta.dirname, `${name}.ts`);
}
