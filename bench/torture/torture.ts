/** `npm run torture [-- PART...] [--short | --long] [--seed N]`: attacks the built program, and prints one table. */
import { parseArgs } from "node:util";
import type { Line, Part, Size } from "./part.ts";

const parts: Readonly<Record<string, () => Promise<Part>>> = {
  kills: async () => (await import("./kills.ts")).kills,
  outages: async () => (await import("./outages.ts")).outages,
  namespaces: async () => (await import("./namespaces.ts")).namespaces,
  workers: async () => (await import("./workers.ts")).workers,
  leaving: async () => (await import("./leaving.ts")).leaving,
  holders: async () => (await import("./holders.ts")).holders,
  poison: async () => (await import("./poison.ts")).poison,
  doors: async () => (await import("./doors.ts")).doors,
  "full-disk": async () => (await import("./full-disk.ts")).fullDisk,
  soak: async () => (await import("./soak.ts")).soak,
  "ways-out": async () => (await import("./ways-out.ts")).waysOut,
  fuzz: async () => (await import("./fuzz.ts")).fuzz,
  "hostile-text": async () => (await import("./hostile-text.ts")).hostileText,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean" }, long: { type: "boolean" }, seed: { type: "string" } },
});
const size: Size = values.long === true ? "long" : values.short === true ? "short" : "whole";
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed)) throw new Error(`Expected \`--seed\` to be a whole number, got \`${values.seed}\``);
const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) throw new Error(`Expected one of ${Object.keys(parts).join(", ")}, got \`${unknown}\``);

const rows: string[] = [];
let broken = 0;
console.log(`seed ${seed}`);
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const began = performance.now();
  const part = await parts[name]!();
  try {
    for await (const line of part({ seed, size })) report(name, line);
  } catch (error) {
    report(name, { what: "the part itself", tries: 1, broken: [(error as Error).stack ?? String(error)] });
  }
  console.error(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
console.log(["", "| part | what | tries | result |", "| --- | --- | --: | --- |", ...rows].join("\n"));
process.exit(broken > 0 ? 1 : 0);

function report(part: string, { what, tries, broken: wrong, note, skipped }: Line): void {
  broken += wrong.length;
  for (const sentence of wrong) console.error(`BROKEN ${part}, ${what}: ${sentence}`);
  const result =
    skipped === undefined ? (wrong.length === 0 ? "kept" : `${wrong.length} BROKEN`) : `skipped: ${skipped}`;
  const row = `| ${part} | ${what} | ${tries} | ${result}${note === undefined ? "" : `; ${note}`} |`;
  console.error(row);
  rows.push(row);
}
