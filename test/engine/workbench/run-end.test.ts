/** A run that ends reports unfinished tasks and lists its rows in order. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { junitReport } from "../../../source/commands/exchange/junit.ts";
import { execute } from "../../../source/commands/session/run.ts";
import { openTasks } from "../../../source/engine/log/rows/task-counts.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import { Problem } from "../../../source/engine/problem.ts";
import type { Row } from "../../../source/engine/types.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import type { RunState } from "../../../source/engine/workbench/workbench.ts";
import { score } from "../log/made-log.ts";
import { cellNamed, runsOf } from "./temporary-session.ts";
import { tinyScore, type Behaviour, tinySessions } from "./tiny-suite.ts";

const { sessions, suite, behaviour } = tinySessions();

const cell = (settings = "", name = "main") =>
  `\`\`\`run ${name}\nsuite: tiny\nmodel: builtin/oracle\n${settings}\n\`\`\`\n\n`;
const open = (text?: string) => sessions.open(text, { suites: [suite] });

type How = { readonly cells?: readonly string[]; readonly rescore?: boolean; readonly json?: boolean };

async function headless(workbench: SessionWorkbench, how: How = {}) {
  const said = { out: "", err: "" };
  const context = {
    stdout: (text: string) => void (said.out += text),
    stderr: (text: string) => void (said.err += text),
    signal: new AbortController().signal,
    suites: [suite],
    analyses: [],
  };
  const status = await execute(workbench, context, { cells: undefined, json: false, width: 100, ascii: true, ...how });
  return { ...said, status };
}

/** Scores like the suite, except for one task, which is aborted as if it had been stopped. */
const cutting =
  (cut: string): Behaviour["score"] =>
  (task, ...rest) => {
    if (task.id === cut) throw new Problem("stopped", "Cut");
    return tinyScore(task, ...rest);
  };

describe("the exit status of a run", () => {
  it("is 1 if a task ended with neither a score nor a failure, although the run ended", async () => {
    behaviour.score = cutting("t7");
    const workbench = await open(cell());
    const { status, out, err } = await headless(workbench);
    expect(status).toBe(1);
    expect(out).toContain("partial; 11 right, 0 wrong, 0 failed, 1 stopped of 12");
    expect(err).toContain("partial, 11 of 12, 11 right, 0 wrong, 0 failed, 1 stopped");
    behaviour.score = tinyScore;
    expect((await headless(workbench)).status).toBe(0);
  });

  it("is 1 if another program stopped the run while its command continued", async () => {
    const begun = Promise.withResolvers<void>();
    behaviour.score = (...given) => {
      begun.resolve();
      return tinyScore(...given);
    };
    const workbench = await open(cell());
    const running = headless(workbench);
    await begun.promise;
    workbench.stop(cellNamed(workbench, "main"));
    expect((await running).status).toBe(1);
    expect(runsOf(workbench, "main")[0]!.status).toBe("partial");
  });

  it("is 0 if a limit of the run excluded the remaining tasks, also in a read-only session", async () => {
    const workbench = await open(cell("budget: { run: { steps: 5 } }"));
    const { status } = await headless(workbench);
    const [run] = runsOf(workbench, "main");
    expect(run).toMatchObject({ status: "partial", leftOutBy: "budget", counts: { failed: 0 } });
    expect(openTasks(run!.counts)).toBeGreaterThan(0);
    expect(status).toBe(0);
    expect(junitReport(workbench, [], undefined)).toMatch(/<testsuites name="session"[^>]* errors="0"/);
    const reader = await open();
    expect(reader.readOnly).toBeDefined();
    expect((await headless(reader)).status).toBe(0);
  });

  it("is 1 if tasks are missing that no limit excluded, and the CI report lists the missing tasks", async () => {
    behaviour.score = cutting("t7");
    const workbench = await open(cell("budget: { run: { steps: 50 } }"));
    expect((await headless(workbench)).status).toBe(1);
    expect(runsOf(workbench, "main")[0]!.leftOutBy).toBeUndefined();
    const report = junitReport(workbench, [], undefined);
    expect(report).toContain('<property name="stopped" value="1"/>');
    expect(report).toMatch(
      /<testcase [^>]*name="whole run">.*<error type="partial" message="11 of 12 tasks are answered"/,
    );
  });

  it("is 0 for ended tasks without a score, and for cells that were not requested", async () => {
    behaviour.score = async () => ({ value: undefined, metrics: {}, checks: [], errors: [] });
    const workbench = await open(cell() + cell("temperature: 1", "other"));
    const { status, err } = await headless(workbench, { cells: ["main"] });
    expect(status).toBe(0);
    expect(err).toContain("done, 12 of 12, 0 right, 0 wrong, 0 failed, 12 unscored");
    expect(runsOf(workbench, "other")[0]).toMatchObject({ status: "ready", counts: { waiting: 12 } });
  });

  it("is 0 if every task with a score is scored again, even if other tasks have no score", async () => {
    behaviour.score = cutting("t7");
    const workbench = await open(cell());
    await headless(workbench);
    expect((await headless(workbench, { rescore: true })).status).toBe(0);
  });
});

/** Saves a run whose tasks began in this order. */
async function begunAs(order: readonly string[]): Promise<string> {
  const workbench = await open(cell());
  const [{ run, spec }] = runsOf(workbench, "main") as [RunState];
  await workbench.close();
  const store = new RunStore(join(sessions.path, "runs", run));
  const log = store.open();
  log.append({ type: "run-started", run, spec, total: order.length, warnings: [] });
  for (const task of order) log.append({ type: "started", task, facets: {}, question: "" });
  for (const task of order.toReversed()) score(log, task);
  log.append({ type: "run-ended", reason: "done" });
  store.close();
  return run;
}

const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
const backwards = ["x9", ...ids.toReversed(), "x10"];
const rowsIn = (text: string) => text.trim().split("\n");

describe("the order of a run's rows", () => {
  it("follows the data, and tasks that the data no longer contain come last, ordered by id", async () => {
    const run = await begunAs(backwards);
    const workbench = await open();
    const listed = [...ids, "x10", "x9"];
    const { out } = await headless(workbench, { json: true });
    const printed = JSON.parse(out) as { cells: { runs: { rows: Row[]; total: number }[] }[] };
    const [json] = printed.cells.flatMap(({ runs = [] }) => runs);
    expect(json!.rows.map(({ task }) => task)).toEqual(listed);
    expect(json!.total).toBe(14);
    expect(workbench.rows(run)).toBe(workbench.rows(run));
    expect(workbench.board(run).map(({ task }) => task)).toEqual(listed);
    const main = [cellNamed(workbench, "main")];
    const written = async (format: "rows.jsonl" | "rows.csv") => {
      const [path] = await workbench.exportRuns(main, format);
      return readFileSync(path!, "utf8");
    };
    const lines = rowsIn(await written("rows.jsonl")).map((line) => (JSON.parse(line) as Row).task);
    expect(lines).toEqual(listed);
    const table = rowsIn(await written("rows.csv")).slice(1);
    expect(table.map((line) => listed.find((task) => line.includes(`,${task},`)))).toEqual(listed);
    const [file] = await workbench.exportRuns(main, "rows.parquet");
    const bytes = (await parquetReadObjects({ file: await asyncBufferFromFile(file!) })) as unknown as Row[];
    expect(bytes.map(({ task }) => task)).toEqual(listed);
  });

  it("follows the start of tasks until the data are loaded", async () => {
    await begunAs(backwards);
    suite.open = () => Promise.reject(new Error("no data"));
    const workbench = await open();
    await workbench.counted();
    const rows = (await workbench.exportedRuns([cellNamed(workbench, "main")])).flatMap((each) => each.rows);
    expect(rows.map(({ task }) => task)).toEqual(backwards);
  });

  it("does not change when a task is executed again", async () => {
    const run = await begunAs(backwards);
    const workbench = await open();
    await workbench.counted();
    await workbench.run(cellNamed(workbench, "main"), [{ run, task: "t5" }]);
    expect(workbench.rows(run).map(({ task }) => task)).toEqual([...ids, "x10", "x9"]);
  });
});
