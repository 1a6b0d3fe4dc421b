/** `limit`, `filter` and limits of the whole run only choose tasks: no task is requested twice, and each cell shows its own. */
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { says, scriptedServer, type Answer, type ScriptedServer } from "../models/scripted-server.ts";
import { Problem } from "../../../source/engine/problem.ts";
import { partOf } from "../../../source/engine/workbench/runs/run-colours.ts";
import { savedBefore } from "./saved-before.ts";
import { analysisOf, cellNamed, runsOf } from "./temporary-session.ts";
import { tinyScore, tinySessions } from "./tiny-suite.ts";
import { until } from "../../until.ts";

const { sessions, suite, behaviour } = tinySessions();

const lab = (url: string) => ({ name: "lab", baseUrl: url, concurrency: 1, idleTimeout: 5, identify: false });
const cell = (settings: string, name = "main") =>
  `\`\`\`run ${name}\nsuite: tiny\nmodel: lab/planner\n${settings}\n\`\`\`\n\n`;
const open = (text: string | undefined, { url }: ScriptedServer) =>
  sessions.open(text, { suites: [suite], settings: { endpoints: [lab(url)] } });
/** The planner replies `0`, which is right for the first task; the judge scores everything at half. */
const planner: Answer = (response, seen) => says(seen.body["model"] === "planner" ? "0" : "0.5")(response, seen);
const asked = ({ seen }: ScriptedServer, model: string) => seen.filter(({ body }) => body["model"] === model).length;
const run = async (workbench: SessionWorkbench, name = "main") => {
  await workbench.run(cellNamed(workbench, name));
  return runsOf(workbench, name)[0]!;
};
const logOf = (id: string) => join(sessions.path, "runs", id, "events.jsonl");

describe("cells that choose different tasks of one run", () => {
  test("form one run: the second cell requests only the remaining tasks, and each cell counts its own tasks", async () => {
    await using server = await scriptedServer(planner);
    const analysis = "```analysis groups\npane: difficulty\nof: [all]\n```\n";
    const workbench = await open(`${cell("limit: 4", "few")}${cell("", "all")}${analysis}`, server);
    const few = await run(workbench, "few");
    await workbench.counted();
    const started = { run: few.run, total: 12, counts: { waiting: 8 } };
    expect(runsOf(workbench, "all")[0]).toMatchObject({ status: "partial", ...started });
    const all = await run(workbench, "all");

    expect(asked(server, "planner")).toBe(12);
    expect(all).toMatchObject({ run: few.run, status: "done", calls: 12, counts: { right: 1, wrong: 11 } });
    expect(all.taken).toBeUndefined();
    expect(runsOf(workbench, "few")[0]).toEqual(few);
    expect(few).toMatchObject({ status: "done", total: 4, calls: 4 });
    expect(readdirSync(join(sessions.path, "runs"))).toEqual([few.run]);
    expect(workbench.strayRuns.list()).toEqual([]);
    const warnings = [...all.warnings, ...analysisOf(workbench, "groups").warnings];
    expect(warnings.join()).not.toContain("taken from");
    expect([few, all].map((each) => workbench.rows(partOf(each)).length)).toEqual([4, 12]);
  });

  test("show the same rows after the session is reopened, even without its data", async () => {
    await using server = await scriptedServer(planner);
    const text = cell("limit: 4", "few") + cell("filter: {parity: odd}", "odd") + cell("", "all");
    const before = await open(text, server);
    await run(before, "few");
    await run(before, "odd");
    const shown = (workbench: SessionWorkbench) =>
      ["few", "odd"].map((name) =>
        runsOf(workbench, name).map(({ counts, total, status, calls }) => [counts, total, status, calls]),
      );
    const was = shown(before);
    await before.close();
    const again = await open(undefined, server);
    await again.counted();
    expect(shown(again)).toEqual(was);
    await again.close();
    const loads = suite.open;
    Object.assign(suite, { open: () => Promise.reject(new Problem("tool", "no data")) });
    const without = await open(undefined, server);
    await without.counted();
    expect(shown(without)).toEqual(was);
    expect(runsOf(without, "all")).toMatchObject([{ status: "ready" }]);
    Object.assign(suite, { open: loads });
  });

  test("end separately: a limit of the whole run excludes only tasks of the cell that reached it", async () => {
    await using server = await scriptedServer(planner);
    const text =
      cell("budget: {run: {steps: 3}}", "short") + cell("limit: 5", "few") + cell("budget: {run: {steps: 10}}", "more");
    const workbench = await open(text, server);
    const short = await run(workbench, "short");
    expect(short).toMatchObject({ status: "partial", leftOutBy: "budget", calls: 3, total: 12 });
    const few = await run(workbench, "few");
    expect(few).toMatchObject({ run: short.run, status: "done", total: 5, calls: 5 });
    expect(few.leftOutBy).toBeUndefined();
    // The tasks that the first cells executed count.
    const more = await run(workbench, "more");
    expect(more).toMatchObject({ run: short.run, leftOutBy: "budget", calls: 10 });
    expect(asked(server, "planner")).toBe(10);
    expect(runsOf(workbench, "short")[0]).toMatchObject({ leftOutBy: "budget" });
  });

  test("forecast only the remaining tasks", async () => {
    await using server = await scriptedServer(planner);
    const workbench = await open(cell("limit: 4\njudge: lab/judge"), server);
    const { run: few } = await run(workbench);
    const { tasks, warnings } = await workbench.forecast("suite: tiny\nmodel: lab/planner\njudge: lab/judge\n");
    expect(tasks).toBe(12);
    expect(warnings).toContain(
      `4 answers reused from run ${few} (other choice of tasks, judge lab/judge), not requested again`,
    );
  });

  test("request neither answers nor verdicts twice, with a lower limit and with a filter", async () => {
    await using server = await scriptedServer(planner);
    const judge = "judge: lab/judge\n";
    const [even, odd] = ["filter: {parity: even}\n", "filter: {parity: odd}\nlimit: 2\n"];
    const workbench = await open(cell(judge, "all") + cell(judge + even, "even") + cell(judge + odd, "odd"), server);
    expect(await run(workbench, "even")).toMatchObject({ calls: 12, counts: { wrong: 6 } });
    expect(await run(workbench, "all")).toMatchObject({ calls: 24, counts: { wrong: 12 } });
    expect(await run(workbench, "odd")).toMatchObject({ calls: 4, status: "done", total: 2, counts: { wrong: 2 } });
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([12, 12]);
  });

  test("ask a new judge about another judge's answers, and send the first judge no further request", async () => {
    await using server = await scriptedServer(planner);
    const text =
      cell("limit: 4", "few") +
      cell("judge: lab/judge\nlimit: 4", "judged") +
      cell("judge: lab/judge", "all") +
      cell("judge: {model: lab/judge, temperature: 0.5}", "other");
    const workbench = await open(text, server);
    await run(workbench, "few");
    await run(workbench, "judged");
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([4, 4]);
    await run(workbench, "all");
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([12, 12]);
    await run(workbench, "other");
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([12, 24]);
  });

  test("reuse the reply of a task that was stopped before its judge replied", async () => {
    let holds = true;
    await using server = await scriptedServer((response, seen) => {
      if (seen.body["model"] === "planner" || !holds) planner(response, seen);
    });
    const judge = "judge: lab/judge";
    const workbench = await open(cell(`${judge}\nlimit: 1`, "few") + cell(judge, "all"), server);
    const few = run(workbench, "few");
    await until(() => expect(asked(server, "judge")).toBe(1));
    workbench.stop(cellNamed(workbench, "few"));
    expect((await few).counts).toMatchObject({ stopped: 1 });
    holds = false;
    expect(await run(workbench, "all")).toMatchObject({ status: "done", counts: { wrong: 12 } });
    expect(asked(server, "planner")).toBe(12);
  });
});

describe("cells of one run that run at the same time", () => {
  /** Releases held replies until the promise has settled. */
  async function flowing<T>(letGo: () => void, wanted: Promise<T>): Promise<T> {
    let isOver = false;
    const over = wanted.finally(() => (isOver = true));
    await until(() => {
      letGo();
      expect(isOver).toBe(true);
    });
    return over;
  }

  /** A planner whose replies wait until they are released. */
  async function heldPlanner() {
    const waiting: (() => void)[] = [];
    const server = await scriptedServer((response, seen) => {
      waiting.push(() => planner(response, seen));
    });
    return { server, waiting, letGo: () => waiting.splice(0).forEach((reply) => reply()) };
  }
  const openWide = (text: string, { url }: ScriptedServer, concurrency = 12) =>
    sessions.open(text, { suites: [suite], settings: { endpoints: [{ ...lab(url), concurrency }] } });
  const lively = (server: ScriptedServer, count: number) => until(() => expect(asked(server, "planner")).toBe(count));

  test("request each task once: the second cell adds its tasks to the tasks that wait", async () => {
    const { server, letGo } = await heldPlanner();
    await using _ = server;
    const workbench = await openWide(cell("limit: 4", "few") + cell("", "all"), server);
    const few = run(workbench, "few");
    await lively(server, 4);
    const all = run(workbench, "all");
    await lively(server, 12);
    expect(runsOf(workbench, "all")).toMatchObject([{ status: "running", counts: { running: 12 } }]);
    expect(runsOf(workbench, "few")).toMatchObject([{ status: "running", counts: { running: 4 } }]);
    await flowing(letGo, all);
    expect(await few).toMatchObject({ status: "done", total: 4 });
    expect(await all).toMatchObject({ status: "done", total: 12, calls: 12 });
    expect(asked(server, "planner")).toBe(12);
    const log = readFileSync(logOf((await all).run), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; joins?: true });
    expect(log.filter(({ type }) => type === "run-started").map(({ joins }) => joins)).toEqual([undefined, true]);
  });

  test("stop separately: a running task continues for the cell that still waits for it", async () => {
    const { server, letGo } = await heldPlanner();
    await using _ = server;
    const text = cell("limit: 4", "few") + cell("budget: {run: {steps: 100}}", "all");
    const workbench = await openWide(text, server);
    const few = run(workbench, "few");
    await lively(server, 4);
    const all = run(workbench, "all");
    await lively(server, 12);
    workbench.stop(cellNamed(workbench, "few"));
    expect((await few).status).toBe("partial");
    expect(await flowing(letGo, all)).toMatchObject({ status: "done", calls: 12, counts: { right: 1, wrong: 11 } });
    // The request in flight was neither aborted nor sent again.
    expect(asked(server, "planner")).toBe(12);
    expect(runsOf(workbench, "few")).toMatchObject([{ status: "done", total: 4, calls: 4 }]);
  });

  test("stop tasks that no other cell waits for", async () => {
    const { server, letGo } = await heldPlanner();
    await using _ = server;
    const workbench = await openWide(
      cell("filter: {parity: even}", "even") + cell("filter: {parity: odd}", "odd"),
      server,
    );
    const even = run(workbench, "even");
    await lively(server, 6);
    const odd = run(workbench, "odd");
    await lively(server, 12);
    workbench.stop(cellNamed(workbench, "even"));
    expect(await even).toMatchObject({ status: "partial", counts: { stopped: 6 } });
    expect(await flowing(letGo, odd)).toMatchObject({ status: "done", total: 6 });
    expect(asked(server, "planner")).toBe(12);
  });

  test("count other cells' requests for their tasks towards a limit of the run", async () => {
    const { server, letGo } = await heldPlanner();
    await using _ = server;
    const workbench = await openWide(cell("", "all") + cell("budget: {run: {steps: 3}}", "short"), server, 2);
    const all = run(workbench, "all");
    await lively(server, 2);
    const short = run(workbench, "short");
    expect(await short).toMatchObject({ leftOutBy: "budget", counts: { running: 3 } });
    expect(await flowing(letGo, all)).toMatchObject({ status: "done", calls: 12 });
    expect(asked(server, "planner")).toBe(12);
  });

  test("run one after another if their answers are scored differently", async () => {
    const { server, letGo } = await heldPlanner();
    await using _ = server;
    const workbench = await openWide(cell("", "plain") + cell("judge: lab/judge", "judged"), server);
    const plain = run(workbench, "plain");
    await lively(server, 12);
    const judged = run(workbench, "judged");
    await until(() =>
      expect(runsOf(workbench, "judged")).toMatchObject([
        { status: "loading", preparing: "waits for a cell that requests the same answers" },
      ]),
    );
    await flowing(letGo, Promise.all([plain, judged]));
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([12, 12]);
  });
});

test("a corrected error applies to every scoring that reports the error, a corrected score only to its own scoring", async () => {
  await using server = await scriptedServer(planner);
  const error = { kind: "off" };
  behaviour.score = async (...of) => ({ ...(await tinyScore(...of)), errors: [error] });
  const workbench = await open(cell("", "plain") + cell("judge: lab/judge", "judged"), server);
  const [plain, judged] = [await run(workbench, "plain"), await run(workbench, "judged")];
  expect(judged.run.startsWith(`${plain.run}.`)).toBe(true);
  expect(judged.scoring).not.toBe(plain.scoring);
  const rowOf = ({ run: id }: typeof plain, task: string) => workbench.rows(id).find((row) => row.task === task)!;
  await workbench.correct({ run: plain.run, task: "t3" }, error, "no-mistake", "seen");
  expect([plain, judged].map((each) => rowOf(each, "t3").score!.errors)).toEqual([[], []]);
  expect(rowOf(judged, "t4").score!.errors).toEqual([error]);
  await workbench.correctScore({ run: plain.run, task: "t5" }, 1, "right in other words");
  expect([plain, judged].map((each) => rowOf(each, "t5").score!.value)).toEqual([1, 0.5]);
});

describe("run folders of earlier versions, in which each choice of tasks was a separate run", () => {
  /** Creates a folder for three tasks, answered by "0", and a later one for six, answered by "1". */
  async function twoFolders(server: ScriptedServer, reply: (text: string) => void): Promise<readonly [string, string]> {
    const text = cell("limit: 3", "first") + cell("limit: 6", "second") + cell("", "all");
    reply("0");
    const before = await open(text, server);
    const first = savedBefore(sessions.path, await run(before, "first"));
    await before.close();
    reply("1");
    const away = join(sessions.folder, "away");
    renameSync(join(sessions.path, "runs", first), away);
    const between = await open(undefined, server);
    const state = await run(between, "second");
    await between.close();
    const second = savedBefore(sessions.path, state);
    renameSync(away, join(sessions.path, "runs", first));
    return [first, second];
  }

  test("show their saved results, and are joined by a cell without a choice, which requests only the remaining tasks", async () => {
    let reply = "";
    await using server = await scriptedServer((response, seen) => says(reply)(response, seen));
    const [first, second] = await twoFolders(server, (text) => (reply = text));
    const logs = [first, second].map((name) => readFileSync(logOf(name), "utf8"));
    const workbench = await open(undefined, server);
    await workbench.counted();
    expect(runsOf(workbench, "first")).toMatchObject([{ run: first, status: "done", total: 3, calls: 3 }]);
    expect(runsOf(workbench, "second")).toMatchObject([{ run: second, status: "done", total: 6, calls: 6 }]);
    const [shown] = runsOf(workbench, "all");
    expect(shown).toMatchObject({ status: "partial", total: 12, counts: { waiting: 6 } });
    expect(shown!.warnings).toContain("3 tasks have several answers in `runs`: the answers of the earliest run count");
    expect(workbench.strayRuns.list()).toEqual([]);
    expect((await answersOf(workbench, shown!.run)).toSorted()).toEqual([..."000111"]);

    reply = "2";
    const all = await run(workbench, "all");
    expect(server.seen).toHaveLength(3 + 6 + 6);
    expect(all).toMatchObject({ status: "done", total: 12 });
    const answers = await answersOf(workbench, all.run);
    expect(answers.toSorted()).toEqual([..."000111222222"]);
    expect([first, second].map((name) => readFileSync(logOf(name), "utf8"))).toEqual(logs);

    // Its own folder now contains the answers of the others.
    const again = await open(undefined, server);
    await again.counted();
    expect(runsOf(again, "all")).toMatchObject([{ run: all.run, status: "done", counts: all.counts }]);
    expect((await answersOf(again, all.run)).toSorted()).toEqual(answers.toSorted());
    expect(server.seen).toHaveLength(15);
  });

  async function answersOf(workbench: SessionWorkbench, id: string): Promise<readonly string[]> {
    const found = workbench.rows(id).map(({ task }) => workbench.trajectory({ run: id, task }));
    return (await Promise.all(found)).map((trajectory) => String(trajectory!.answer));
  }

  test("are continued in place by the cell with that choice", async () => {
    await using server = await scriptedServer(planner);
    const before = await open(cell("limit: 6\nbudget: {run: {steps: 2}}", "few"), server);
    const state = await run(before, "few");
    await before.close();
    const folder = savedBefore(sessions.path, state);
    const workbench = await open(cell("limit: 6\nbudget: {run: {steps: 2}}", "few") + cell("limit: 6", "six"), server);
    await workbench.counted();
    expect(runsOf(workbench, "few")).toMatchObject([{ run: folder, leftOutBy: "budget", calls: 2 }]);
    expect(await run(workbench, "six")).toMatchObject({ status: "done", calls: 4, taken: [{ answers: 2 }] });
    expect(asked(server, "planner")).toBe(6);
    expect(await run(workbench, "few")).toMatchObject({ run: folder, calls: 2 });
    expect(asked(server, "planner")).toBe(6);
  });
});

describe("two runs with different settings", () => {
  test("share no answers if answers build on the answers to earlier tasks", async () => {
    await using server = await scriptedServer(planner);
    const [direct] = suite.strategies;
    Object.assign(suite, { strategies: [{ ...direct!, sequential: () => true }] });
    const workbench = await open(cell("limit: 4", "few") + cell("", "all"), server);
    await run(workbench, "few");
    expect((await run(workbench, "all")).taken).toBeUndefined();
    expect(asked(server, "planner")).toBe(16);
  });

  test("share no answers if their task limits differ", async () => {
    await using server = await scriptedServer(planner);
    const budget = (steps: number) => `budget: {task: {steps: ${steps}}}`;
    const workbench = await open(cell(budget(20), "few") + cell(budget(60), "many"), server);
    const [few, many] = [await run(workbench, "few"), await run(workbench, "many")];
    expect(many.run).not.toBe(few.run);
    expect(asked(server, "planner")).toBe(24);
  });
});
