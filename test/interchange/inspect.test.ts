import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../commands/typed.ts";
import { exportedSession, linesOf } from "./exported-session.ts";

const at = temporaryFolder();

/** A Python that has `inspect_ai`, `pandas` and `pyarrow`. */
const python = process.env["PLANWRIGHT_INSPECT"];

test.skipIf(python === undefined)(
  "Inspect AI and pandas read every exported run, with its values, epochs and tokens",
  async () => {
    await exportedSession(at("s"), "--rows", "csv,jsonl", "--format", "inspect");
    const script = fileURLToPath(new URL("read_inspect.py", import.meta.url));
    const said = execFileSync(python!, [script, at("s", "exports")], { encoding: "utf8" });
    // Each run is written twice, as JSON and as an archive.
    expect(said.trim().split("\n").at(-1)).toBe(
      `18 logs, ${2 * linesOf(at("s", "exports", "rows.jsonl")).length} samples`,
    );
  },
);
