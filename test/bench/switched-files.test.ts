import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { chooseMutants } from "../../bench/mutants/switched-files.ts";

const files = ["source/engine/log/rows.ts", "source/engine/log/rows/verdict.ts", "source/engine/statistics/mean.ts"];

let folder: string;
/** A tree of files with one possible mutant each, and one file that determines no numbers. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-tree-"));
  for (const file of [...files, "source/look/colours.ts"]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "export const least = 3;\n");
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

it("draws mutants of all files that determine numbers, or only of named files, or below named folders", () => {
  const drawn = (among?: Parameters<typeof chooseMutants>[3]) =>
    chooseMutants(folder, Infinity, "seed", among).map(({ file }) => file);
  expect(drawn()).toEqual(files);
  expect(drawn({ files: new Set([files[2]!, "source/look/colours.ts"]) })).toEqual([files[2]]);
  expect(drawn({ below: ["source/engine/log/"] })).toEqual([files[0], files[1]]);
  expect(drawn({ below: ["source/engine/log/rows", "source/engine/statistics"] })).toEqual([files[1], files[2]]);
  expect(drawn({ below: ["source/engine/log/rows.ts"] })).toEqual([files[0]]);
  expect(drawn({ below: ["source/engine"], files: new Set([files[0]!]) })).toEqual([files[0]]);
  expect(drawn({ below: ["source/look"] })).toEqual([]);
});
