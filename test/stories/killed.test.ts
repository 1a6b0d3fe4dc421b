import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readLog } from "../../source/engine/log/file/log-reader.ts";
import { mostInMemory, RowTable } from "../../source/engine/log/rows/rows.ts";
import { isStored, rowsOfBlock, storedRows } from "../../source/engine/log/rows/stored-rows.ts";
import { RunStore } from "../../source/engine/log/run-store.ts";
import type { Event } from "../../source/engine/types.ts";
import { wholeOf } from "../../source/engine/work/whole-of.ts";
import { builtProgram } from "../built-program.ts";
import { until } from "../until.ts";
import { heldModels } from "../held-models.ts";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-killed-"));
  mkdirSync(join(folder, "sessions", "night"), { recursive: true });
  const cell = "suite: appbench\nsplit: all\ndata: sample\nprompting: flat\nmodel: held/oracle\n";
  writeFileSync(join(folder, "sessions", "night", "session.md"), `# Over night\n\n\`\`\`run main\n${cell}\`\`\`\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

function events(): Event[] {
  const runs = join(folder, "sessions", "night", "runs");
  const [run] = readdirSync(runs);
  const text = readFileSync(join(runs, run!, "events.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith('{"type":"content"'))
    .map((line) => JSON.parse(line) as Event);
}

const tasksOf = (type: Event["type"]) =>
  events().flatMap((event) => (event.type === type && "task" in event ? [event.task] : []));

/** Runs the notebook without a screen, killed once `isEnough` of its log; resolves to the signal or the status with which it ended. */
async function execute(isEnough?: (log: number) => boolean): Promise<NodeJS.Signals | number | null> {
  const session = join(folder, "sessions", "night");
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
  const child = spawn(process.execPath, [builtProgram(), "run", session], { stdio: "ignore", env });
  const runs = join(session, "runs");
  const log = () => readdirSync(runs).reduce((sum, run) => sum + sizeOf(join(runs, run, "events.jsonl")), 0);
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once("exit", (status, signal) => resolve(signal ?? status)),
  );
  if (isEnough === undefined) return ended;
  await until(() => expect(child.exitCode !== null || (existsSync(runs) && isEnough(log()))).toBe(true));
  child.kill("SIGKILL");
  return ended;
}
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

describe("a power failure during a run", () => {
  test("loses no task of a run whose rows are on disk, and each task is scored once", async () => {
    const questions = mostInMemory + 8 * rowsOfBlock;
    const session = join(folder, "sessions", "night");
    const lines = Array.from({ length: questions }, (_, index) => `What is ${index}?,${index}\n`);
    writeFileSync(join(session, "questions.csv"), `question,answer\n${lines.join("")}`);
    const cell = "suite: own\nfrom: questions.csv\nmodel: builtin/oracle\n";
    writeFileSync(join(session, "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
    const rows = () => sizeOf(join(session, "runs", readdirSync(join(session, "runs"))[0]!, storedRows));
    // Rows may be written before the log's last lines.
    const isEnough = (log: number) => log > 0 && rows() > 0 && tasksOf("scored").length > mostInMemory;
    expect(await execute(isEnough)).toBe("SIGKILL");
    const before = tasksOf("scored");
    expect(before.length).toBeGreaterThan(mostInMemory);
    expect(before.length).toBeLessThan(questions);

    expect(await execute()).toBe(0);
    const scored = tasksOf("scored");
    expect(scored.slice(0, before.length)).toEqual(before);
    expect([scored.length, new Set(scored).size]).toEqual([questions, questions]);
    const again = tasksOf("started").length - questions;
    expect(again).toBeLessThanOrEqual(16);
    // The files next to the log agree with the log alone.
    const [run] = readdirSync(join(session, "runs"));
    const prices = () => ({ input: 0, output: 0 });
    const { table } = new RunStore(join(session, "runs", run!), { prices });
    const { right, rows: count } = table.sums();
    expect([right, count, table.rows().every(isStored)]).toEqual([questions, questions, true]);
    const folded = new RowTable(prices);
    readLog(join(session, "runs", run!, "events.jsonl"), (event) => folded.take(event));
    expect(table.rows().map(wholeOf)).toEqual(folded.rows());
  });

  test("loses no task after a restart, scores each task once, and repeats few requests", async () => {
    await using models = await heldModels(folder);
    const first = showProgram({ args: ["night"], folder });
    await first.waitFor(/\b0\/31/);
    first.type("jr");
    models.reply(14);
    await first.waitFor(/\b14\/31/);
    // Results on the screen are on disk one frame later.
    await until(() => expect(tasksOf("scored")).toHaveLength(14));
    first.kill("SIGKILL");
    await first.ended;

    const second = showProgram({ args: ["night"], folder });
    await second.waitFor(/partly done/);
    models.reply();
    second.type("jr");
    await second.waitFor(/✓ done .*31\/31/s);
    second.type("q");
    expect(await second.ended).toBe(0);

    const scored = tasksOf("scored");
    expect(scored).toHaveLength(31);
    expect(new Set(scored).size).toBe(31);
    const again = tasksOf("started").length - 31;
    expect(again).toBeGreaterThanOrEqual(0);
    expect(again).toBeLessThanOrEqual(4);
    expect(second.written()).toContain("\u001b[?1049l");
    expect(second.screen()).toContain("31 right, 0 wrong, 0 failed of 31");
  });
});
