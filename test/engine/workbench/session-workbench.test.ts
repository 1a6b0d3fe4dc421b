import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { analyses } from "../../../analyses/index.ts";
import { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import { SessionFolder } from "../../../source/engine/session/session-folder.ts";
import { openSettings } from "../../../source/engine/settings/settings.ts";
import type { RunState } from "../../../source/engine/workbench/workbench.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { until } from "../../until.ts";

let folder: string;
const open: SessionWorkbench[] = [];
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-session-"))));
afterEach(async () => {
  for (const workbench of open.splice(0)) await workbench.close();
  rmSync(folder, { recursive: true });
});

async function workbench(text?: string): Promise<SessionWorkbench> {
  const session = new SessionFolder(join(folder, "session"));
  if (text !== undefined) session.write(text);
  const made = new SessionWorkbench({
    folder: session,
    suites: [appbench],
    analyses,
    settings: await openSettings(join(folder, "settings")),
  });
  open.push(made);
  return made;
}

const text = (model: string) =>
  `# A session\n\n\`\`\`run main\nsuite: appbench\nsplit: all\nmodel: ${model}\n\`\`\`\n\n\`\`\`analysis groups\npane: difficulty\nof: [main]\nby: category\n\`\`\`\n`;

function runOf(loaded: SessionWorkbench, index = 0): RunState {
  const cell = loaded.cells().filter(({ kind }) => kind === "run")[index]!;
  const state = loaded.state(cell.id);
  if (state.kind !== "run") throw new Error("not a run cell");
  return state.runs[0]!;
}

describe("a session's workbench", () => {
  test("counts the tasks that a limit allows, before a run and after reopening", async () => {
    const limited = text("builtin/oracle").replace("split: all", "split: all\nlimit: 3\nfilter: {category: MM}");
    const first = await workbench(limited);
    const { tasks } = await first.forecast("suite: appbench\nsplit: mm\nmodel: builtin/oracle\n");
    const cell = first.cells()[1]!.id;
    // Showing the run reads no data.
    expect(runOf(first)).toMatchObject({ total: 0 });
    first.prepare();
    await until(() => expect(runOf(first)).toMatchObject({ total: 3, available: tasks }));
    await first.run(cell);
    await first.close();
    const again = await workbench(limited);
    await again.counted();
    await until(() => expect(runOf(again)).toMatchObject({ status: "done", total: 3, available: tasks }));
  });

  test("runs a run cell and shows its figures, and shows the same figures without a request after it is opened again", async () => {
    const first = await workbench(text("builtin/oracle"));
    expect(runOf(first).status).toBe("ready");
    await first.run(first.cells()[1]!.id);
    first.refresh();
    const ended = runOf(first);
    expect(ended).toMatchObject({ status: "done", readsAnswerKey: true });
    expect(ended.counts.right).toBe(ended.total);
    const figures = (loaded: SessionWorkbench) => {
      const state = loaded.state(loaded.cells()[2]!.id);
      return state.kind === "analysis" ? state.figures : [];
    };
    const shown = figures(first);
    expect(shown.map(({ kind }) => kind)).toEqual(["table", "bars"]);
    await first.close();
    const second = await workbench();
    expect(runOf(second)).toMatchObject({ status: "done", calls: ended.calls, counts: ended.counts });
    expect(figures(second)).toEqual(shown);
  });

  test("gets the same rows from replaying the saved log as from the live run", async () => {
    const live = await workbench(text("builtin/slips?rate=0.6"));
    await live.run(live.cells()[1]!.id);
    const { run } = runOf(live);
    const rows = live.rows(run);
    expect(rows.some(({ score }) => score?.value === 0)).toBe(true);
    const runFolder = join(folder, "session", "runs", run);
    const prices = () => ({ input: 0, output: 0 });
    const { form } = appbench;
    expect(new RunStore(runFolder, { prices, form: form! }).table.rows()).toEqual(rows);
    rmSync(join(runFolder, "rows.jsonl"));
    expect(new RunStore(runFolder, { prices, form: form! }).table.rows()).toEqual(rows);
  });

  test("resumes the unscored tasks of a stopped run, and sends no request twice", async () => {
    const loaded = await workbench(text("builtin/oracle?pace=2"));
    const cell = loaded.cells()[1]!.id;
    const running = loaded.run(cell);
    await until(() => {
      loaded.refresh();
      expect(loaded.rows(runOf(loaded).run).filter(({ state }) => state === "scored").length).toBeGreaterThan(5);
    });
    loaded.stop(cell);
    await running;
    loaded.refresh();
    const half = runOf(loaded);
    expect(half.status).toBe("partial");
    const done = new Map(
      loaded
        .rows(half.run)
        .filter(({ state }) => state === "scored")
        .map((row) => [row.task, row.from]),
    );
    await loaded.run(cell);
    loaded.refresh();
    expect(runOf(loaded)).toMatchObject({ status: "done" });
    for (const row of loaded.rows(half.run)) if (done.has(row.task)) expect(row.from).toBe(done.get(row.task));
  });

  test("shows trajectories, and plans next to the reference, and runs single tasks again", async () => {
    const loaded = await workbench(text("builtin/slips?missing-call=1"));
    await loaded.run(loaded.cells()[1]!.id);
    const { run } = runOf(loaded);
    const wrong = loaded.rows(run).find(({ score }) => score?.errors.some(({ kind }) => kind !== ""))!;
    const trajectory = await loaded.trajectory({ run, task: wrong.task });
    expect(trajectory?.entries.filter(({ kind }) => kind === "turn")).toHaveLength(2);
    expect(trajectory?.score).toEqual(wrong.score);
    const view = await loaded.taskView({ run, task: wrong.task });
    expect(view!.reference.length).toBeGreaterThan(0);
    await loaded.run(loaded.cells()[1]!.id, [{ run, task: wrong.task }]);
    const again = loaded.rows(run).find(({ task }) => task === wrong.task)!;
    expect(again.from).toBeGreaterThan(wrong.from);
    expect(loaded.board(run).every(({ state }) => state === "right" || state === "wrong")).toBe(true);
  });

  test("scores saved answers again without a model", async () => {
    const loaded = await workbench(text("builtin/oracle"));
    const cell = loaded.cells()[1]!.id;
    await loaded.run(cell);
    const before = runOf(loaded);
    await loaded.rescore(cell);
    loaded.refresh();
    expect(runOf(loaded)).toMatchObject({ calls: before.calls, counts: before.counts });
    const log = readFileSync(join(folder, "session", "runs", before.run, "events.jsonl"), "utf8");
    expect(log.match(/"type":"scored"/g)).toHaveLength(before.total * 2);
  });

  test("reports the mistake of an invalid cell, and the other cells work", async () => {
    const loaded = await workbench(
      `\`\`\`run bad\nsuite: appbench\nshots: many\n\`\`\`\n\n${text("builtin/oracle")}\n\`\`\`analysis odd\npane: scale\nof: [nobody]\n\`\`\`\n`,
    );
    const [bad, , good, , odd] = loaded.cells();
    expect(loaded.state(bad!.id)).toMatchObject({ runs: [], problems: [{ line: 2 }, { line: 1 }] });
    await loaded.run(good!.id);
    loaded.refresh();
    expect(runOf(loaded, 1).status).toBe("done");
    expect(loaded.state(odd!.id)).toMatchObject({
      problems: [{ message: "Expected `of` to name run cells of this session (bad, main), got `nobody`" }],
    });
  });

  test("is read-only in a second program on the same session, which reports the reason", async () => {
    const first = await workbench(text("builtin/oracle"));
    const second = await workbench();
    expect(second.readOnly).toContain(`process ${process.pid}`);
    expect(() => second.edit(second.cells()[0]!.id, "x")).toThrow("read-only");
    await expect(second.run(second.cells()[1]!.id)).rejects.toThrow("read-only");
    await first.close();
    const third = await workbench();
    expect(third.readOnly).toBeUndefined();
  });

  test("takes over the lock of a program that has ended", async () => {
    const session = new SessionFolder(join(folder, "session"));
    session.write("# x\n");
    writeFileSync(join(folder, "session", "session.lock"), "999999999");
    expect((await workbench()).readOnly).toBeUndefined();
  });

  test("ends the run with the reason if the endpoint is unreachable, without losing results", async () => {
    const loaded = await workbench(text("builtin/oracle").replace("builtin/oracle", "nowhere/model"));
    await loaded.run(loaded.cells()[1]!.id);
    loaded.refresh();
    expect(runOf(loaded)).toMatchObject({ status: "failed" });
    expect(runOf(loaded).message).toContain("planwright endpoint add nowhere");
  });

  test("reports the cost of an experiment before any request", async () => {
    const loaded = await workbench("# Nothing yet\n");
    const forecast = await loaded.forecast(
      "suite: appbench\nsplit: all\nmodel: builtin/oracle\nprompting: [hierarchical, flat]\nlimit: 10\n",
    );
    expect(forecast).toMatchObject({ runs: 2, tasks: 20, calls: 30, problems: [] });
    expect(forecast.input).toBeGreaterThan(1000);
    expect((await loaded.forecast("suite: appbench\nmodel: builtin/oracle\nlimit: x")).problems).toHaveLength(1);
  });

  test("edits, undoes and saves the document", async () => {
    const loaded = await workbench(text("builtin/oracle"));
    const before = readFileSync(join(folder, "session", "session.md"), "utf8");
    loaded.edit(loaded.cells()[0]!.id, "# Another title");
    expect(loaded).toMatchObject({ title: "Another title", dirty: true });
    expect(loaded.undo()).toBe(true);
    expect(loaded.dirty).toBe(false);
    loaded.redo();
    loaded.save();
    expect(readFileSync(join(folder, "session", "session.md"), "utf8")).toBe(
      before.replace("# A session", "# Another title"),
    );
  });

  test("applies the front matter's current defaults to its run cells, and undoes all changes of an action together", async () => {
    const loaded = await workbench(
      `---\ndefaults:\n  model: builtin/oracle\n  limit: 3\n---\n\n${text("").replace("model: \n", "")}`,
    );
    const own = await workbench();
    expect(own.readOnly).toContain("has this session open");
    const [front, , run] = loaded.cells();
    expect(front).toMatchObject({ kind: "front-matter", source: "defaults:\n  model: builtin/oracle\n  limit: 3\n" });
    expect(runOf(loaded).spec).toMatchObject({ model: "builtin/oracle", limit: 3 });
    const before = runOf(loaded).run;
    expect(await loaded.forecast(run!.source)).toMatchObject({ tasks: 3, problems: [] });
    expect(await loaded.forecast(run!.source, "defaults: {model: builtin/oracle, limit: 2}")).toMatchObject({
      tasks: 2,
    });
    loaded.together(() => {
      loaded.edit(front!.id, "defaults:\n  model: builtin/slips\n");
      loaded.edit(run!.id, `${run!.source}limit: 3\n`);
    });
    expect(runOf(loaded).spec).toMatchObject({ model: "builtin/slips", limit: 3 });
    expect(runOf(loaded).run).not.toBe(before);
    loaded.undo();
    expect(runOf(loaded).run).toBe(before);
    expect(loaded.undo()).toBe(false);
    loaded.edit(front!.id, "defaults: {limit: many}\n");
    expect(loaded.state(run!.id)).toMatchObject({
      problems: [{ message: expect.stringContaining("defaults are invalid") }],
    });
    expect(loaded.state(front!.id)).toMatchObject({ problems: [{ line: 1 }] });
  });

  test("restores changes that a crashed program left unsaved, and can undo the restored changes", async () => {
    const session = new SessionFolder(join(folder, "session"));
    session.write("# Saved");
    writeFileSync(join(folder, "session", "session.md.draft"), "# Not saved");
    const settings = await openSettings(join(folder, "settings"));
    const loaded = new SessionWorkbench({ folder: session, suites: [appbench], analyses, settings, drafts: true });
    open.push(loaded);
    expect(loaded).toMatchObject({ title: "Not saved", dirty: true });
    loaded.undo();
    expect(loaded).toMatchObject({ title: "Saved", dirty: false });
    loaded.redo();
    loaded.save();
    expect(existsSync(join(folder, "session", "session.md.draft"))).toBe(false);
    expect(readFileSync(join(folder, "session", "session.md"), "utf8")).toBe("# Not saved");
  });
});
