/** `npm run bench [NAME...]`: all measurements, or the named ones. Prints numbers and ratios; judges nothing. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Measurement } from "./measurement.ts";

const aside = ["bench", "measurement", "child-program", "bare-loop", "first-version"];
const wanted = process.argv.slice(2);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3))
  .filter((name) => !aside.includes(name));

for (const name of wanted.length > 0 ? wanted : names) {
  if (!names.includes(name)) throw new Error(`Expected one of ${names.join(", ")}, got \`${name}\``);
  const module = (await import(join(import.meta.dirname, `${name}.ts`))) as {
    bench?: () => Promise<readonly Measurement[]>;
  };
  if (module.bench === undefined) continue;
  console.log(`\n${name}`);
  for (const { name: what, value, unit } of await module.bench())
    console.log(`  ${what}: ${Number(value.toPrecision(4))} ${unit}`);
}
process.exit(0);
