/** Lines with a valid checksum, or without one, but with invalid content: every reader skips and reports them. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { mutated } from "../mutated-json.ts";
import { shownRun } from "../shown-run.ts";
import { temporaryFolder, typed } from "./typed.ts";

const folder = temporaryFolder();

/** A session with a run of each of these cells. */
async function session(
  ...cells: readonly string[]
): Promise<{ readonly path: string; readonly runs: readonly string[] }> {
  const path = folder("mine");
  mkdirSync(path);
  const fences = cells.map((cell, index) => `\`\`\`run cell${index}\n${cell}\n\`\`\`\n`);
  const figures = analyses.map((name) => `\`\`\`analysis ${name}\npane: ${name}\n\`\`\`\n`);
  writeFileSync(join(path, "session.md"), [...fences, ...figures].join("\n"));
  expect((await typed("run", path)).status).toBe(0);
  return { path, runs: readdirSync(join(path, "runs")).map((run) => join(path, "runs", run)) };
}

const appbench = "suite: appbench\nmodel: builtin/slips?rate=0.5\nlimit: 4";
const searching = "suite: toolbench\ndata: sample\nstrategy: dfsdt\nmodel: builtin/slips?rate=0.3\nlimit: 2";
/** Everything that can be shown of these runs. */
const analyses = ["overview", "profile", "errors", "cost", "efficiency", "tool-use", "structure"];
const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
const taskOf = (line: string) => (JSON.parse(line) as { readonly task?: unknown } | null)?.task;

/** Every command that reads runs ends with an error message, not with a stack trace. */
async function mustBeRead(path: string): Promise<void> {
  for (const args of [
    ["check"],
    ["export", "--rows", "csv,jsonl", "--messages", "--format", "csv,svg,inspect,atif,training"],
    ["export", "--report", join(path, "report.html")],
    ["runs"],
  ]) {
    const [command, ...flags] = args as [string, ...string[]];
    const { status, err } = await typed(command, path, ...flags);
    expect(err).not.toMatch(/^ +at /m);
    expect(status).toBeLessThanOrEqual(1);
  }
}

const remove = (run: string, ...files: readonly string[]) =>
  files.forEach((file) => rmSync(join(run, file), { force: true }));

describe("a log entry that no version writes, with a valid checksum", () => {
  test("is skipped in a log, and leaves the rows of other tasks unchanged", async () => {
    const { path, runs } = await session(appbench, searching);
    const random = randomFrom("lines");
    for (const run of runs) {
      const log = join(run, "events.jsonl");
      const before = linesOf(log);
      const whole = new Map(shownRun(run).rows.map((row) => [row.task, row]));
      for (let round = 0; round < 12; round++) {
        const lines = [...before];
        const touched = new Set<unknown>();
        for (let count = 0; count < 15; count++) {
          const at = 1 + Math.floor(random() * (lines.length - 1));
          lines[at] = mutated(before[at]!, random);
          touched.add(taskOf(before[at]!)).add(taskOf(lines[at]));
        }
        writeFileSync(log, `${lines.join("\n")}\n`);
        remove(run, "events.index", "rows.jsonl");
        const others = shownRun(run).rows.filter(({ task }) => !touched.has(task));
        expect(others).toEqual(others.map(({ task }) => whole.get(task)));
        if (round % 4 === 0) await mustBeRead(path);
      }
    }
  });

  test("is skipped if it replaces a run's settings", async () => {
    const { path, runs } = await session(appbench);
    const random = randomFrom("settings");
    const log = join(runs[0]!, "events.jsonl");
    const [first, ...rest] = linesOf(log);
    for (let round = 0; round < 30; round++) {
      writeFileSync(log, `${[mutated(first!, random), ...rest].join("\n")}\n`);
      remove(runs[0]!, "events.index", "rows.jsonl");
      shownRun(runs[0]!);
      if (round % 6 === 0) await mustBeRead(path);
    }
  });

  test.each(["rows.jsonl", "events.index"])("is skipped in %s", async (file) => {
    const { path, runs } = await session(appbench);
    const random = randomFrom(file);
    const before = linesOf(join(runs[0]!, file));
    const { rows } = shownRun(runs[0]!);
    for (let round = 0; round < 60; round++) {
      const at = Math.floor(random() * before.length);
      const text = mutated(before[at]!.slice(9), random);
      const line = `${crc32(text).toString(16).padStart(8, "0")} ${text}`;
      writeFileSync(join(runs[0]!, file), `${before.with(at, line).join("\n")}\n`);
      expect(shownRun(runs[0]!).rows).toHaveLength(rows.length);
      if (round % 12 === 0) await mustBeRead(path);
    }
  });
});

test("an invalid score counts as damage: check reports it, and every reader skips it", async () => {
  const { path, runs } = await session(appbench);
  const log = join(runs[0]!, "events.jsonl");
  const { rows } = shownRun(runs[0]!);
  const lines = linesOf(log);
  const seq = lines.length;
  const task = rows[0]!.task;
  writeFileSync(log, `${[...lines, JSON.stringify({ seq, at: 1, type: "scored", task })].join("\n")}\n`);
  remove(runs[0]!, "events.index", "rows.jsonl");
  expect(shownRun(runs[0]!)).toMatchObject({ rows });
  expect(await typed("check", path)).toMatchObject({
    status: 1,
    out: expect.stringContaining("1 line of the log could not be read"),
  });
  expect(await typed("export", path, "--rows", "csv")).toMatchObject({ status: 0 });
  const [header, ...written] = linesOf(join(path, "exports", "rows.csv"));
  expect([header!.includes("task"), written.length]).toEqual([true, rows.length]);
});

test("an event with too high a number does not prevent later events from counting", async () => {
  const { path, runs } = await session(appbench);
  const log = join(runs[0]!, "events.jsonl");
  const { rows } = shownRun(runs[0]!);
  writeFileSync(log, readFileSync(log, "utf8").replace(/"seq":2,/, '"seq":900000000000000,'));
  remove(runs[0]!, "events.index", "rows.jsonl");
  expect(shownRun(runs[0]!)).toMatchObject({ rows });
  expect((await typed("run", path)).status).toBe(0);
  expect(await typed("check", path)).toMatchObject({ status: 1, out: expect.stringContaining("are missing") });
});
