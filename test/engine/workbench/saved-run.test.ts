import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { farewell } from "../../../source/commands/session/interruption.ts";
import { RowFile } from "../../../source/engine/log/rows/row-file.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import type { RunFormat } from "../../../source/engine/workbench/workbench.ts";
import { until } from "../../until.ts";
import { writeRun } from "../log/made-log.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();
afterEach(() => void vi.restoreAllMocks());

const { suite } = tinySuite();
const text = "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n\n```analysis groups\npane: difficulty\n```\n";

/** Saves and closes a session with a run of this many tasks. */
async function saved(tasks: number, words?: string): Promise<string> {
  const session = await sessions.open(text, { suites: [suite] });
  const folder = join(sessions.path, "runs", runsOf(session, "main")[0]!.run);
  await session.close();
  const store = new RunStore(folder, { prices: () => ({ input: 0, output: 0 }) });
  writeRun(store, tasks, words);
  store.close();
  return folder;
}

describe("a saved run of a session", () => {
  test("shows its counts before its rows are read, and its figures once the rows are read", async () => {
    await saved(1200);
    const all = vi.spyOn(RowFile.prototype, "rows");
    const again = await sessions.open(undefined, { suites: [suite] });
    expect(runsOf(again, "main")[0]).toMatchObject({ status: "done", counts: { right: 1200 } });
    expect(analysisOf(again, "groups")).toMatchObject({ missing: "Loading results", figures: [] });
    expect(again.board(runsOf(again, "main")[0]!.run)).toEqual([]);
    await again.settled();
    again.refresh();
    expect(analysisOf(again, "groups").figures).not.toEqual([]);
    expect(again.rows(runsOf(again, "main")[0]!.run)).toHaveLength(1200);
    expect(all).not.toHaveBeenCalled();
  });

  test("reads its many rows in another thread, even if two runs are compared or the run continues first", async () => {
    await saved(1200);
    const all = vi.spyOn(RowFile.prototype, "rows");
    const again = await sessions.open(text.split("```analysis")[0], { suites: [suite] });
    const { run } = runsOf(again, "main")[0]!;
    expect(again.hasRows("none")).toBe(true);
    expect([again.hasRows(run), again.board(run)]).toEqual([false, []]);
    await new Promise((resolve) => setImmediate(resolve));
    // Opening a run does not read its rows.
    expect(again.hasRows(run)).toBe(false);
    again.prepare();
    await until(() => expect(again.hasRows(run)).toBe(true));
    expect(again.rows(run)).toHaveLength(1200);
    await again.close();
    const third = await sessions.open(undefined, { suites: [suite] });
    await third.run(cellNamed(third, "main"));
    expect(third.rows(run)).toHaveLength(1200);
    expect(all).not.toHaveBeenCalled();
  });

  test("is listed before its long log is read, and starts only after that", async () => {
    const folder = await saved(400, "a reply ".repeat(500));
    for (const name of ["rows.jsonl", "events.index"]) rmSync(join(folder, name));
    const again = await sessions.open(undefined, { suites: [suite], drafts: true });
    const state = () => (again.refresh(), runsOf(again, "main")[0]!);
    expect(state()).toMatchObject({ status: "reading", preparing: "reading the log: 0 %", counts: { right: 0 } });
    expect(analysisOf(again, "groups").figures).toEqual([]);
    const answers = again.exportRuns([cellNamed(again, "main")], "rows.jsonl");
    await again.run(cellNamed(again, "main"));
    // Everything was already loaded, so no request was repeated.
    expect(state()).toMatchObject({ status: "done", preparing: undefined, calls: 400, counts: { right: 400 } });
    expect(
      readFileSync((await answers)[0]!, "utf8")
        .trim()
        .split("\n"),
    ).toHaveLength(400);
  });

  test("does not delay the closing of the notebook, and is not reported as stopped while its log is being read", async () => {
    const folder = await saved(400, "a reply ".repeat(500));
    for (const name of ["rows.jsonl", "events.index"]) rmSync(join(folder, name));
    const again = await sessions.open(undefined, { suites: [suite], drafts: true });
    expect(await farewell(again)).toMatch(/\n  main: .*: the log of this run has not been read yet\n$/);
    expect(runsOf(again, "main")[0]!.status).toBe("reading");
  });

  test("exports one of its trajectories as a document", async () => {
    await saved(3);
    const again = await sessions.open(undefined, { suites: [suite] });
    const cell = cellNamed(again, "main");
    const { run } = runsOf(again, "main")[0]!;
    const [path, ...others] = await again.exportRuns([cell], "atif", { only: { run, task: "t1" } });
    expect(others).toEqual([]);
    expect(JSON.parse(readFileSync(path!, "utf8"))).toMatchObject({ trajectory_id: `${run}/t1` });
    expect(await again.exportRuns([cell], "atif", { only: { run: "another", task: "t1" } })).toEqual([]);
    // All conversations of a run are exported to a folder.
    expect(await again.exportRuns([cell], "atif")).toEqual([dirname(path!)]);
  });

  test("is exported under its cell's name next to the runs of other cells", async () => {
    await saved(3);
    const again = await sessions.open(undefined, { suites: [suite] });
    const cell = cellNamed(again, "main");
    const names = async (format: RunFormat) =>
      (await again.exportRuns([cell], format, { name: "main run" })).map((path) => basename(path));
    expect(await names("rows.csv")).toEqual(["main-run-rows.csv", "main-run-rows.notes.txt"]);
    expect(await names("messages")).toEqual(["main-run-messages.jsonl"]);
    expect((await again.exportRuns([cell], "rows.jsonl")).map((path) => basename(path))).toEqual(["rows.jsonl"]);
  });

  test.each(["rows.csv", "messages", "training", "inspect", "atif"] as const)(
    "keeps the previous export if exporting as %s is interrupted",
    async (format) => {
      await saved(3);
      const again = await sessions.open(undefined, { suites: [suite] });
      const cell = cellNamed(again, "main");
      const [first] = await again.exportRuns([cell], format);
      const folder = join(sessions.path, "exports");
      const there = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
      const before = there();
      const signal = AbortSignal.abort();
      await expect(again.exportRuns([cell], format, { signal })).rejects.toBe(signal.reason);
      expect(there()).toEqual(before);
      expect(existsSync(first!)).toBe(true);
    },
  );

  test("shows a warning for a changed log once the whole log was checked", async () => {
    const folder = await saved(400, "a reply ".repeat(500));
    const log = join(folder, "events.jsonl");
    writeFileSync(log, readFileSync(log, "utf8").replace("t90: a reply", "t90: a lie,,"));
    const again = await sessions.open(undefined, { suites: [suite] });
    const warning = "1 block of the log changed after writing";
    expect(runsOf(again, "main")[0]!.warnings).not.toContain(warning);
    again.prepare();
    await until(() => {
      again.refresh();
      expect(runsOf(again, "main")[0]!.warnings).toContain(warning);
    });
    expect(runsOf(again, "main")[0]).toMatchObject({ status: "done", counts: { right: 400 } });
  });

  test("is read if another program holds the session, and nothing is written next to its log", async () => {
    const folder = await saved(3);
    for (const name of ["rows.jsonl", "events.index"]) rmSync(join(folder, name));
    const first = await sessions.open(undefined, { suites: [suite] });
    const second = await sessions.open(undefined, { suites: [suite] });
    expect(second.readOnly).toBeDefined();
    expect(runsOf(second, "main")[0]).toMatchObject({ status: "done", counts: { right: 3 } });
    expect(() => readFileSync(join(folder, "rows.jsonl"))).toThrow("ENOENT");
    expect(runsOf(first, "main")[0]).toMatchObject({ status: "done", counts: { right: 3 } });
    expect(readFileSync(join(folder, "rows.jsonl"), "utf8")).toContain('"count":3');
  });
});
