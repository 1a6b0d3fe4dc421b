/**
 * `npm run picture`: builds the program and draws all pictures of the documents. `npm run picture -- --count` draws nothing: it
 * prints, for each picture of a screen, its name, its words and the share of its cells with a character in them.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pictureText } from "./screen-svg.ts";

const screens = "documentation/screens";

/** Words of two letters at least, and the share of cells that are not blank. The name ends in the size of the screen. */
export function pictureCount(name: string, svg: string): { readonly words: number; readonly inked: number } {
  const [, columns, rows] = /-(\d+)x(\d+)(?:-light)?$/.exec(name) ?? [];
  if (columns === undefined) throw new Error(`Expected a name that ends in the size of the screen, got ${name}`);
  const text = pictureText(svg);
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  return { words, inked: text.replaceAll(/\s/g, "").length / (Number(columns) * Number(rows)) };
}

function count(): void {
  for (const file of readdirSync(screens).toSorted()) {
    const name = file.replace(/\.svg$/, "");
    const { words, inked } = pictureCount(name, readFileSync(join(screens, file), "utf8"));
    process.stdout.write(
      `${name.padEnd(24)} ${String(words).padStart(4)} words ${(inked * 100).toFixed(1).padStart(5)} % inked\n`,
    );
  }
}

if (import.meta.main) {
  if (process.argv.includes("--count")) count();
  else {
    run("npm", ["run", "-s", "build"]);
    for (const file of ["screen-picture", "screen-pictures", "table-picture"])
      run(process.execPath, [`build/${file}.ts`]);
  }
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
