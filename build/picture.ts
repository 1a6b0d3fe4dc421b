/**
 * `npm run picture`: builds the program and draws all pictures of the documents. `npm run picture -- --count` draws nothing: it
 * prints, for each picture of a screen, its name, its words, the share of its cells with a character in them, and the most columns beside each
 * other that are empty from top to bottom.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { signs } from "../source/look/signs.ts";
import { pictureText } from "./screen-svg.ts";

const screens = "documentation/screens";

type PictureCount = { readonly words: number; readonly inked: number; readonly empty: number };

/**
 * Counts words of two letters at least, the share of cells that are not blank, and columns beside each other that have nothing but
 * borders between the first and the last two rows. The name ends in the size of the screen.
 */
export function pictureCount(name: string, svg: string): PictureCount {
  const [, columns, rows] = /-(\d+)x(\d+)(?:-light)?$/.exec(name) ?? [];
  if (columns === undefined) throw new Error(`Expected a name that ends in the size of the screen, got ${name}`);
  const text = pictureText(svg);
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  const inked = text.replaceAll(/\s/g, "").length / (Number(columns) * Number(rows));
  return { words, inked, empty: emptyColumns(text.split("\n").slice(1, -2), Number(columns)) };
}

function emptyColumns(lines: readonly string[], columns: number): number {
  const isEmpty = (column: number) => lines.every((line) => [" ", signs.bar, undefined].includes(line[column]));
  let [most, now] = [0, 0];
  for (let column = 0; column < columns; column++) {
    now = isEmpty(column) ? now + 1 : 0;
    most = Math.max(most, now);
  }
  return most;
}

function count(): void {
  for (const file of readdirSync(screens).toSorted()) {
    const name = file.replace(/\.svg$/, "");
    const { words, inked, empty } = pictureCount(name, readFileSync(join(screens, file), "utf8"));
    process.stdout.write(
      `${name.padEnd(24)} ${String(words).padStart(4)} words ${(inked * 100).toFixed(1).padStart(5)} % inked ${String(empty).padStart(3)} columns empty\n`,
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
