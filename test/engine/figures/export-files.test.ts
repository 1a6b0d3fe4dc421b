import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeFigures } from "../../../source/engine/figures/export-files.ts";
import type { Figure } from "../../../source/engine/figure.ts";
import { runNamed } from "../../../source/engine/workbench/runs/run-colours.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-figures-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const table = (title: string): Figure => ({ kind: "table", title, columns: [], rows: [], notes: [] });
const bars = (title: string): Figure => ({ kind: "bars", title, unit: "%", bars: [], notes: [] });

async function written(figures: readonly Figure[], labels: readonly string[]): Promise<readonly string[]> {
  const runOf = (title: string) => runNamed(title, labels);
  const about = { warnings: [], colourOf: () => undefined, runOf };
  return (await writeFigures({ figures, ...about }, "errors", folder, "md")).map((path) => basename(path));
}

test("figures of one run are named after the run, and also after the kind of figure if the run has several figures", async () => {
  const of = (run: string) => [bars(`Errors: ${run}`), table(`Share of tasks by kind: ${run} [1]`)];
  expect(await written([...of("flat"), ...of("hier: 3")], ["flat", "hier: 3"])).toEqual([
    "errors-flat-bars.md",
    "errors-flat-table.md",
    "errors-hier-3-bars.md",
    "errors-hier-3-table.md",
  ]);
  expect(await written([bars("Map: flat"), bars("Map: flat/")], ["flat", "flat/"])).toEqual([
    "errors-flat.md",
    "errors-flat-.md",
  ]);
});

test("identical file names get a number, and figures of several runs get the number of their run", async () => {
  expect(await written([bars("Map: a b"), bars("Map: a/b")], ["a b", "a/b"])).toEqual([
    "errors-a-b.md",
    "errors-a-b~2.md",
  ]);
  expect(await written([bars("Success by run"), table("Scores")], ["flat"])).toEqual(["errors-1.md", "errors-2.md"]);
  expect(await written([table("Scores")], ["flat"])).toEqual(["errors.md"]);
});

test("a drawing of a table has the name of its table, and changes no other name", async () => {
  const drawn = (title: string): Figure => ({ ...bars(title), drawsTable: true });
  expect(await written([table("Scores"), drawn("Success by level")], ["flat"])).toEqual([
    "errors.md",
    "errors-bars.md",
  ]);
  const several = [table("Rates"), drawn("Rates by run"), table("Rules: flat"), table("Rules: hier: 3")];
  expect(await written(several, ["flat", "hier: 3"])).toEqual([
    "errors-1.md",
    "errors-1-bars.md",
    "errors-flat.md",
    "errors-hier-3.md",
  ]);
});
