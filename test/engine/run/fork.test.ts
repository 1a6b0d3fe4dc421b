import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { SessionFolder } from "../../../source/engine/session/session-folder.ts";
import { openSettings } from "../../../source/engine/settings/settings.ts";
import type { Turn } from "../../../source/engine/log/trajectory.ts";
import { forkedStart, savedAttempts, type SavedRequest } from "../../../source/engine/run/saved-replies.ts";
import { appbench } from "../../../suites/appbench/index.ts";

let folder: string;
let loaded: SessionWorkbench;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "planwright-fork-"));
  const session = new SessionFolder(join(folder, "session"));
  session.write("```run main\nsuite: appbench\nsplit: mm\nmodel: builtin/slips?garbage=1\n```\n");
  loaded = new SessionWorkbench({
    folder: session,
    suites: [appbench],
    analyses: [],
    settings: await openSettings(join(folder, "settings")),
  });
  await loaded.run(loaded.cells()[0]!.id);
});
afterEach(async () => {
  await loaded.close();
  rmSync(folder, { recursive: true });
});

const runs = (cell: string) => {
  const state = loaded.state(cell);
  return state.kind === "run" ? state : undefined;
};
const textOf = ({ reply }: SavedRequest) =>
  reply.chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
const turns = async (run: string, task: string) =>
  (await loaded.trajectory({ run, task }))!.entries.filter((entry): entry is Turn => entry.kind === "turn");

describe("forking a trajectory", () => {
  test("reuses the saved replies before the chosen request, sends this and later requests again, and executes only this task", async () => {
    const main = runs(loaded.cells()[0]!.id)!.runs[0]!.run;
    const row = loaded.rows(main)[0]!;
    expect(row.score?.value).toBe(0);
    const cell = loaded.fork({ run: main, task: row.task }, 1, {
      model: "builtin/oracle",
      message: "Plan this instead.",
    });
    expect(runs(cell)).toMatchObject({
      problems: [],
      runs: [{ spec: { model: "builtin/oracle", fork: { request: 1 } } }],
    });
    await loaded.run(cell);
    loaded.refresh();
    const forked = runs(cell)!.runs[0]!;
    expect(forked).toMatchObject({ status: "done", total: 1, counts: { right: 1 } });
    const [before, after] = [await turns(main, row.task), await turns(forked.run, row.task)];
    const { model, text, tokens } = before[0]!;
    expect(after[0]).toMatchObject({ model, text, tokens, saved: before[0]!.to - before[0]!.from });
    expect(after[1]).toMatchObject({ model: "builtin/oracle" });
    expect(after[1]!.messages.at(-1)).toEqual({ role: "user", content: "Plan this instead." });
    const { counted, spent } = loaded.rows(forked.run)[0]!;
    expect([counted.calls, spent.calls]).toEqual([2, 1]);
    expect(counted.tokens.input - spent.tokens.input).toBe(tokens!.input);
    expect(forked.calls).toBe(1);
  });

  test("fails if the saved trajectory has no such request", async () => {
    const main = runs(loaded.cells()[0]!.id)!.runs[0]!.run;
    const cell = loaded.fork({ run: main, task: loaded.rows(main)[0]!.task }, 7, {});
    await loaded.run(cell);
    loaded.refresh();
    expect(runs(cell)!.runs[0]).toMatchObject({ status: "failed" });
    expect(runs(cell)!.runs[0]!.message).toContain("to have a request 7");
  });

  test("an invalid fork is a problem of its cell", () => {
    const cell = loaded.insert(
      "run",
      undefined,
      "suite: appbench\nmodel: builtin/oracle\nfork: {run: ../../etc, task: x}\n",
    );
    expect(runs(cell)!.problems[0]!.message).toContain("Expected `fork` to hold `run`, `task` and `request`");
  });

  test("continues the attempt at which it was made, even after the original was run again", async () => {
    const original = loaded.cells()[0]!.id;
    const { run: main } = runs(original)!.runs[0]!;
    const { task } = loaded.rows(main)[0]!;
    const [left] = await turns(main, task);
    const cell = loaded.fork({ run: main, task }, 1, { model: "builtin/oracle" });
    const fork = runs(cell)!.runs[0]!.spec.fork!;
    expect(fork).toMatchObject({ run: main, task, request: 1, attempt: expect.stringMatching(/^[0-9a-f]{16}$/) });
    const log = join(folder, "session", "runs", main, "events.jsonl");
    await loaded.run(original, [{ run: main, task }]);
    await loaded.close();
    // As if the model had replied differently this time.
    const lines = readFileSync(log, "utf8").split("\n");
    const again = lines.findLastIndex((line) => line.includes('"type":"started"'));
    const changed = lines.map((line, at) => (at > again ? line.replaceAll(/"text":"[^"]/g, '"text":"~') : line));
    writeFileSync(log, changed.join("\n"));
    for (const name of ["events.index", "rows.jsonl"]) rmSync(join(dirname(log), name), { force: true });
    const session = savedAttempts(join(folder, "session"));
    expect(textOf(forkedStart(fork, session).requests[0]!)).toBe(left!.text);
    const { attempt: _, ...older } = fork;
    expect(textOf(forkedStart(older, session).requests[0]!)).not.toBe(left!.text);
    expect(() => forkedStart({ ...fork, attempt: "0".repeat(16) }, session)).toThrow(
      /to have a request 1 after the requests of attempt/,
    );
  });

  test("keeps the run's own prompts with the same texts, and saves long prompts as files", async () => {
    const long = `Plan with care.\n${"Think of every step. ".repeat(20)}\n{{apis}}\n`;
    const cell = loaded.insert(
      "run",
      undefined,
      `suite: appbench\nsplit: mm\nlimit: 1\nmodel: builtin/slips?garbage=1\nprompts: {plan: ${JSON.stringify(long)}}\n`,
    );
    await loaded.run(cell);
    loaded.refresh();
    const { run, spec } = runs(cell)!.runs[0]!;
    expect(spec.prompts).toEqual({ plan: long });
    const fork = loaded.fork({ run, task: loaded.rows(run)[0]!.task }, 1, { model: "builtin/oracle" });
    expect(runs(fork)).toMatchObject({ problems: [], runs: [{ spec: { prompts: { plan: long } } }] });
    const { source } = loaded.cells().find(({ id }) => id === fork)!;
    expect(source).toMatch(/prompts: \{plan: "forks\/prompt-plan-[0-9a-f]{8}\.txt"\}/);
    expect(source.length).toBeLessThan(500);
  });
});
