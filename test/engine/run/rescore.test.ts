/** Scoring saved answers again while other things happen, and its reports. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { appbench } from "../../../suites/appbench/index.ts";
import { cellNamed, runsOf } from "../workbench/temporary-session.ts";
import { tinyScore, tinySessions } from "../workbench/tiny-suite.ts";

const { sessions, suite, behaviour } = tinySessions();

const open = (settings?: string) =>
  sessions.open(settings && `\`\`\`run main\nsuite: tiny\nmodel: builtin/oracle\n${settings}\n\`\`\`\n`, {
    suites: [suite],
  });
const scoresIn = (run: string) =>
  readFileSync(join(sessions.path, "runs", run, "events.jsonl"), "utf8").match(/"type":"scored"/g)!.length;

test("scoring again does not write to a session after the session is closed", async () => {
  const loaded = await open("trial: [1, 2]");
  await loaded.run(cellNamed(loaded, "main"));
  const begun = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  behaviour.score = async (...given) => {
    begun.resolve();
    await closing.promise;
    return tinyScore(...given);
  };
  const scoring = loaded.rescore(cellNamed(loaded, "main"));
  await begun.promise;
  const ended = loaded.close();
  closing.resolve();
  await ended;
  const closed = runsOf(loaded, "main").map(({ run }) => scoresIn(run));
  await scoring;
  expect(runsOf(loaded, "main").map(({ run }) => scoresIn(run))).toEqual(closed);
  expect(closed[1]).toBe(12);
});

test("scoring again can be stopped, keeps the screen responsive, and reports its progress", async () => {
  const loaded = await open("trial: [1, 2]");
  await loaded.run(cellNamed(loaded, "main"));
  let now = 0;
  let scored = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  // Each score takes longer than the event loop may be blocked.
  behaviour.score = async (...given) => {
    now += 30;
    scored += 1;
    // A key press would do this, as soon as the event loop runs.
    if (scored === 3) setImmediate(() => loaded.stop(cellNamed(loaded, "main")));
    return tinyScore(...given);
  };
  const scoring = loaded.rescore(cellNamed(loaded, "main"));
  await scoring;
  const [first, second] = runsOf(loaded, "main");
  expect(scoresIn(first!.run)).toBeGreaterThanOrEqual(12 + 3);
  expect(scoresIn(first!.run)).toBeLessThan(24);
  expect(first!.message).toMatch(/^Stopped: \d+ tasks keep their old score$/);
  expect(scoresIn(second!.run)).toBe(12);
  await loaded.rescore(cellNamed(loaded, "main"));
  expect(runsOf(loaded, "main").map(({ message }) => message)).toEqual([undefined, undefined]);
});

test("a correction of a task that has no score in this run is reported", async () => {
  Object.assign(suite, { errorKinds: [{ name: "value", title: "Wrong value" }] });
  const loaded = await open("limit: 0");
  await loaded.run(cellNamed(loaded, "main"));
  const { run } = runsOf(loaded, "main")[0]!;
  const annotation = { kind: "value", source: "ada", reason: "so" };
  writeFileSync(join(sessions.path, "runs", run, "overrides.json"), JSON.stringify([{ task: "t99", ...annotation }]));
  await loaded.rescore(cellNamed(loaded, "main"));
  expect(runsOf(loaded, "main")[0]!.message).toBe("overrides.json names tasks that have no score here: t99");
});

test("answers that are no longer in the file of a run are removed from the run", async () => {
  const file = join(sessions.path, "answers.jsonl");
  const text = "```run main\nsuite: appbench\npredictions: answers.jsonl\n```\n";
  const loaded = await sessions.open(text, { suites: [appbench] });
  const answers = (...tasks: string[]) =>
    writeFileSync(file, tasks.map((task) => `${JSON.stringify({ task, output: "I cannot do this." })}\n`).join(""));
  answers("ss-001", "ss-002");
  await loaded.run(cellNamed(loaded, "main"));
  const { run } = runsOf(loaded, "main")[0]!;
  expect(loaded.rows(run).map(({ task }) => task)).toEqual(["ss-001", "ss-002"]);
  answers("ss-002");
  await loaded.rescore(cellNamed(loaded, "main"));
  expect(loaded.rows(run).map(({ task }) => task)).toEqual(["ss-002"]);
  expect(runsOf(loaded, "main")[0]).toMatchObject({ total: 1, status: "done" });
  await loaded.close();
  const again = await sessions.open(undefined, { suites: [appbench] });
  runsOf(again, "main");
  expect(again.rows(run).map(({ task }) => task)).toEqual(["ss-002"]);
});
