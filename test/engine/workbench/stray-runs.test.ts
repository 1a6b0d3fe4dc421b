import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

const text = "```run main\nsuite: appbench\nmodel: builtin/oracle\nlimit: 2\n```\n";
const whyNot = (workbench: SessionWorkbench) => workbench.strayRuns.list().map(({ needed }) => needed);

/** Opens a session with results whose cell is then deleted; the document is not saved. */
async function withDeletedCell(): Promise<{ readonly workbench: SessionWorkbench; readonly run: string }> {
  const workbench = await sessions.open(text);
  await workbench.run(cellNamed(workbench, "main"));
  const { run } = runsOf(workbench, "main")[0]!;
  workbench.remove(cellNamed(workbench, "main"));
  return { workbench, run };
}

test("the run of a deleted cell is a stray run, which can be removed once the session is saved", async () => {
  const { workbench, run } = await withDeletedCell();
  expect(whyNot(workbench)).toEqual([expect.stringContaining("Save the session first")]);
  await expect(workbench.strayRuns.remove(run)).rejects.toThrow("Save the session first");
  workbench.save();
  expect(whyNot(workbench)).toEqual([undefined]);
  await workbench.strayRuns.remove(run);
  expect(workbench.strayRuns.list()).toEqual([]);
  expect(existsSync(join(sessions.path, "runs", run))).toBe(false);

  // Undo restores the cell; its run executes again, and is on disk again.
  workbench.undo();
  expect(runsOf(workbench, "main")).toMatchObject([{ status: "ready", counts: { right: 0 } }]);
  await workbench.run(cellNamed(workbench, "main"));
  expect(runsOf(workbench, "main")).toMatchObject([{ run, status: "done", counts: { right: 2 } }]);
  expect(existsSync(join(sessions.path, "runs", run, "events.jsonl"))).toBe(true);
});

test("a stray run that the user keeps shows its results again, below the chosen cell", async () => {
  const { workbench, run } = await withDeletedCell();
  const id = workbench.strayRuns.keep(run, undefined);
  await workbench.counted();
  // All tasks of the run are requested now, because the deleted cell's choice of tasks was not part of it.
  expect(workbench.state(id)).toMatchObject({ kind: "run", runs: [{ run, status: "partial", counts: { right: 2 } }] });
  expect(workbench.strayRuns.list()).toEqual([]);
});

test("a stray run is not removed while it has forks, whether the notebook contains them or they are stray runs, too", async () => {
  const workbench = await sessions.open(text);
  await workbench.run(cellNamed(workbench, "main"));
  const { run } = runsOf(workbench, "main")[0]!;
  const { task } = workbench.rows(run)[0]!;
  const fork = workbench.fork({ run, task }, 0, { model: "builtin/slips" });
  await workbench.run(fork);
  workbench.remove(cellNamed(workbench, "main"));
  workbench.save();
  expect(whyNot(workbench)).toEqual([expect.stringMatching(/^Run \w{16} is a fork of this run$/)]);
  workbench.remove(fork);
  workbench.save();
  const strays = workbench.strayRuns.list();
  expect(strays).toHaveLength(2);
  const [forked] = strays.filter((stray) => stray.run !== run);
  expect(strays.find((stray) => stray.run === run)?.needed).toBe(`Run ${forked!.run} is a fork of this run`);
  await workbench.strayRuns.remove(forked!.run);
  expect(whyNot(workbench)).toEqual([undefined]);
});

test("a stray run is not removed if it differs from a run of the notebook only in its judge", async () => {
  const { workbench, run } = await withDeletedCell();
  workbench.insert(
    "run",
    undefined,
    "suite: appbench\nmodel: builtin/oracle\nlimit: 2\njudge: builtin/judge\n",
    "judged",
  );
  workbench.save();
  const strays = workbench.strayRuns.list();
  expect(strays.map((stray) => stray.run)).toEqual([run]);
  expect(strays[0]?.needed).toContain("or in how answers are scored");
});

test("stray runs are not removed if `runs` is a link to a folder", async () => {
  const { workbench, run } = await withDeletedCell();
  workbench.save();
  await workbench.close();
  const elsewhere = join(sessions.folder, "elsewhere");
  mkdirSync(elsewhere);
  renameSync(join(sessions.path, "runs"), join(elsewhere, "runs"));
  symlinkSync(join(elsewhere, "runs"), join(sessions.path, "runs"));
  const again = await sessions.open();
  expect(whyNot(again)).toEqual([expect.stringContaining("`runs` is a link to another folder")]);
  await expect(again.strayRuns.remove(run)).rejects.toThrow("is a link");
  expect(existsSync(join(elsewhere, "runs", run, "events.jsonl"))).toBe(true);
});

test.each([
  "",
  "no JSON\n",
  '{"seq":0,"at":0,"type":"run-started"}\n',
  '{"at":1e300,"type":"run-started","spec":{}}\n',
])("a log that starts with %j belongs to an unknown stray run", async (log) => {
  const workbench = await sessions.open(text);
  mkdirSync(join(sessions.path, "runs", "strange"), { recursive: true });
  writeFileSync(join(sessions.path, "runs", "strange", "events.jsonl"), log);
  expect(workbench.strayRuns.list()).toEqual([{ run: "strange", at: undefined, source: undefined, needed: undefined }]);
  expect(() => workbench.strayRuns.keep("strange", undefined)).toThrow("the results stay on disk");
});
