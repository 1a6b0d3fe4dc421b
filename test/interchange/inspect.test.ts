import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Row } from "../../source/engine/types.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { exportedSession, linesOf, runsOf, withoutRun } from "./exported-session.ts";

const at = temporaryFolder();

/** A Python that has `inspect_ai`, `pandas` and `pyarrow`. */
const python = process.env["PLANWRIGHT_INSPECT"];

test.skipIf(python === undefined)(
  "Inspect AI and pandas read every exported run, with its values, epochs and tokens; written again by Inspect it comes back with the same rows",
  async () => {
    await exportedSession(at("s"), "--rows", "csv,jsonl", "--format", "inspect");
    const script = fileURLToPath(new URL("read_inspect.py", import.meta.url));
    mkdirSync(at("again"));
    const said = execFileSync(python!, [script, at("s", "exports"), at("again")], { encoding: "utf8" });
    // Each run is written twice, as JSON and as an archive.
    expect(said.trim().split("\n").at(-1)).toBe(
      `18 logs, ${2 * linesOf(at("s", "exports", "rows.jsonl")).length} samples`,
    );
    const logs = readdirSync(at("again")).map((name) => at("again", name));
    expect((await typed("import", "inspect", ...logs, "--into", at("back"))).status).toBe(0);
    const [before, after] = [await runsOf(at("s")), await runsOf(at("back"))];
    // Inspect sorts samples by their ids.
    const sorted = (rows: readonly Row[]) =>
      rows.map(withoutRun).toSorted((one, other) => (one.task < other.task ? -1 : 1));
    for (const { run, rows } of before)
      expect(sorted(after.find(({ label }) => label.includes(run))!.rows)).toEqual(sorted(rows));
  },
);
