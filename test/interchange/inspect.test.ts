import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { type ExportedRow, exportedRuns, rowsOf, withoutPlace } from "./exported-session.ts";

const at = temporaryFolder();

/** A Python that has `inspect_ai`, `pandas` and `pyarrow`. */
const python = process.env["PLANWRIGHT_INSPECT"];

test.skipIf(python === undefined)(
  "Inspect AI and pandas read every exported run, with its values, epochs and tokens; written again by Inspect it comes back with the same rows",
  async () => {
    await exportedRuns(at("s"), "--rows", "csv,jsonl", "--format", "inspect");
    const script = fileURLToPath(new URL("read_inspect.py", import.meta.url));
    mkdirSync(at("again"));
    const said = execFileSync(python!, [script, at("s", "exports"), at("again")], { encoding: "utf8" });
    const before = rowsOf(at("s"));
    // Each run is written twice, as JSON and as an archive.
    const logs = 2 * new Set(before.map(({ run }) => run)).size;
    expect(said.trim().split("\n").at(-1)).toBe(`${logs} logs, ${2 * before.length} samples`);
    const again = readdirSync(at("again")).map((name) => at("again", name));
    expect((await typed("import", "inspect", ...again, "--into", at("back"))).status).toBe(0);
    await typed("export", at("back"), "--rows", "jsonl");
    const after = rowsOf(at("back"));
    // Inspect sorts samples by their ids.
    const sorted = (rows: readonly ExportedRow[]) =>
      rows.map(withoutPlace).toSorted((one, other) => (one.task < other.task ? -1 : 1));
    for (const [run, rows] of Map.groupBy(before, (row) => row.run))
      expect(sorted(after.filter(({ label }) => label.includes(run)))).toEqual(sorted(rows));
  },
);
