/** A run whose session is taken over, removed or renamed while it executes, or whose own folder is. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestClock } from "../work/test-clock.ts";
import { until } from "../../until.ts";
import { cellNamed, runsOf } from "./temporary-session.ts";
import { tinyScore, tinySessions } from "./tiny-suite.ts";

const { sessions, suite, behaviour } = tinySessions();

/** Starts a run that waits in its fourth task until the test releases it. */
async function standing() {
  const clock = openTestClock();
  const session = await sessions.open("```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n", {
    suites: [suite],
    clock,
  });
  const cell = cellNamed(session, "main");
  const state = () => runsOf(session, "main")[0]!;
  const log = join(sessions.path, "runs", state().run, "events.jsonl");
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let scored = 0;
  behaviour.score = async (...given) => {
    scored += 1;
    if (scored === 4) await released;
    return tinyScore(...given);
  };
  session.setConcurrency(cell, 1);
  const running = session.run(cell);
  await until(() => expect(scored).toBe(4));
  // Events so far are on disk.
  await until(() => expect(readFileSync(log, "utf8").match(/"scored"/g)).toHaveLength(3));
  return { session, clock, cell, state, log, running, release, scored: () => scored };
}

describe("a session whose folder changes while it runs", () => {
  test("stops writing when another program takes over the folder, and names the new holder", async () => {
    const { session, clock, cell, state, log, running, release, scored } = await standing();
    const lock = join(sessions.path, "session.lock");
    const text = readFileSync(lock, "utf8");
    writeFileSync(lock, "7 8 far-away another-boot pid:[1] 0123456789ab\n");
    const before = readFileSync(log, "utf8");
    await clock.advance(1000);
    expect(state().status).toBe("stopping");
    release();
    await running;
    const words = "was taken by another Planwright (process 7 on far-away): nothing more is written here";
    expect(state()).toMatchObject({ status: "failed", message: expect.stringContaining(words) });
    expect(scored()).toBe(4);
    expect(session.readOnly).toContain(words);
    expect(() => session.save()).toThrow(words);
    await expect(session.run(cell)).rejects.toThrow(words);
    await session.close();
    expect(readFileSync(log, "utf8")).toBe(before);
    expect(readFileSync(lock, "utf8")).toContain("far-away");
    writeFileSync(lock, text);
  });

  test("stops its run within a second if the folder is removed, and does not create it again", async () => {
    const { session, clock, state, running, release, scored } = await standing();
    rmSync(sessions.path, { recursive: true });
    await clock.advance(1000);
    expect(state().status).toBe("stopping");
    release();
    await running;
    expect(state()).toMatchObject({
      status: "failed",
      message: expect.stringContaining("was removed while it was open"),
    });
    expect(scored()).toBe(4);
    expect(session.readOnly).toContain("was removed");
    await session.close();
    expect(existsSync(sessions.path)).toBe(false);
  });

  test("completes its run if the folder is renamed, and reports that the previous path is missing", async () => {
    const { session, clock, cell, state, log, running, release } = await standing();
    const moved = `${sessions.path}-moved`;
    renameSync(sessions.path, moved);
    await clock.advance(1000);
    expect(state().status).toBe("running");
    release();
    await running;
    expect(state()).toMatchObject({ status: "done", message: undefined, counts: { right: 12 } });
    expect(readFileSync(log.replace(sessions.path, moved), "utf8").trimEnd().split("\n").at(-1)).toContain('"done"');
    session.edit(cell, "suite: tiny\nmodel: builtin/oracle\nlimit: 3\n");
    expect(() => session.save()).toThrow("was moved away or renamed while it was open");
    expect(session.dirty).toBe(true);
    // Another session may exist there by now.
    mkdirSync(sessions.path);
    expect(() => session.save()).toThrow("was moved away or renamed while it was open");
    await session.close();
    expect(existsSync(join(sessions.path, "session.md"))).toBe(false);
  });
});

describe("a run whose folder is removed while it runs", () => {
  const gone =
    "The log of the run was removed from disk; results are kept until the notebook is closed, and r executes the run again";

  test("stops with the reason, and is executed again at the next start", async () => {
    const { session, clock, cell, state, log, running, release } = await standing();
    rmSync(join(sessions.path, "runs"), { recursive: true });
    await clock.advance(1000);
    release();
    await running;
    expect(state()).toMatchObject({
      status: "failed",
      message: `${log} was removed, so this run can no longer be saved`,
    });
    expect(state().warnings).toContain(gone);
    await session.run(cell);
    expect(state()).toMatchObject({ status: "done", message: undefined, counts: { right: 12 } });
    expect(state().warnings).not.toContain(gone);
    expect(readFileSync(log, "utf8").match(/"scored"/g)).toHaveLength(12);
    await session.close();
    const again = await sessions.open(undefined, { suites: [suite] });
    expect(runsOf(again, "main")[0]).toMatchObject({ status: "done", counts: { right: 12 } });
    expect(runsOf(again, "main")[0]!.warnings.join()).not.toContain("log");
  });

  test("keeps its results on the screen, reports the missing folder, and recovers when the folder is back", async () => {
    const { session, clock, cell, state, log, running, release } = await standing();
    release();
    await running;
    const [folder, away] = [dirname(log), `${sessions.path}-away`];
    const [task] = session.board(state().run);
    const ref = { run: state().run, task: task!.task };
    renameSync(folder, away);
    await clock.advance(1000);
    expect(state()).toMatchObject({ status: "done", counts: { right: 12 } });
    expect(state().warnings).toContain(gone);
    await expect(session.trajectory(ref)).rejects.toThrow("The log of the run was removed from disk");
    await session.rescore(cell);
    expect(state()).toMatchObject({ status: "failed", message: "The log of the run was removed from disk" });
    expect(existsSync(folder)).toBe(false);
    renameSync(away, folder);
    await clock.advance(1000);
    expect(state().warnings).not.toContain(gone);
    expect(await session.trajectory(ref)).toMatchObject({ task: ref.task });
  });
});
