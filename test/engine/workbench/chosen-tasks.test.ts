/** `limit` and `filter` only choose tasks: a run reuses the answers of runs that chose other tasks, and asks for the others. */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { says, scriptedServer, type Answer, type ScriptedServer } from "../models/scripted-server.ts";
import { analysisOf, cellNamed, runsOf } from "./temporary-session.ts";
import { tinySessions } from "./tiny-suite.ts";
import { until } from "../../until.ts";

const { sessions, suite } = tinySessions();

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
const valuesOf = (workbench: SessionWorkbench, id: string) =>
  Object.fromEntries(workbench.rows(id).map(({ task, score }) => [task, score?.value]));

describe("a run of more tasks than a saved run", () => {
  test("asks for the others only, and has the counts and figures of a run that asked for all", async () => {
    await using server = await scriptedServer(planner);
    const analysis = "```analysis groups\npane: difficulty\nof: [all]\n```\n";
    const workbench = await open(`${cell("limit: 4", "few")}${cell("", "all")}${analysis}`, server);
    const few = await run(workbench, "few");
    const log = readFileSync(logOf(few.run), "utf8");
    expect(runsOf(workbench, "all")[0]).toMatchObject({ status: "ready" });
    const all = await run(workbench, "all");

    expect(asked(server, "planner")).toBe(12);
    expect(all).toMatchObject({ status: "done", calls: 8, counts: { right: 1, wrong: 11 } });
    const source = { run: few.run, judge: undefined, scoring: "other choice of tasks" };
    expect(all.taken).toEqual([{ source, answers: 4 }]);
    // The folder of the first run stays as it was, and no figure warns of answers that are its own.
    expect(readFileSync(logOf(few.run), "utf8")).toBe(log);
    const warnings = [...all.warnings, ...analysisOf(workbench, "groups").warnings];
    expect(warnings.join()).not.toContain("taken from");
    expect(workbench.rows(all.run).map(({ counted }) => counted.calls)).toEqual(Array(12).fill(1));
  });

  test("forecasts the others only", async () => {
    await using server = await scriptedServer(planner);
    const workbench = await open(cell("limit: 4\njudge: lab/judge"), server);
    const { run: few } = await run(workbench);
    const { tasks, warnings } = await workbench.forecast("suite: tiny\nmodel: lab/planner\njudge: lab/judge\n");
    expect(tasks).toBe(12);
    expect(warnings).toContain(
      `4 answers taken from run ${few} (other choice of tasks, judge lab/judge), not asked for again`,
    );
  });

  test("asks neither for answers nor for verdicts twice, with fewer tasks and with a filter", async () => {
    await using server = await scriptedServer(planner);
    const judge = "judge: lab/judge\n";
    const [even, odd] = ["filter: {parity: even}\n", "filter: {parity: odd}\nlimit: 2\n"];
    const workbench = await open(cell(judge, "all") + cell(judge + even, "even") + cell(judge + odd, "odd"), server);
    expect(await run(workbench, "even")).toMatchObject({ calls: 12, counts: { wrong: 6 } });
    expect(await run(workbench, "all")).toMatchObject({ calls: 12, counts: { wrong: 12 } });
    expect(await run(workbench, "odd")).toMatchObject({ calls: 0, status: "done", total: 2, counts: { wrong: 2 } });
    expect([asked(server, "planner"), asked(server, "judge")]).toEqual([12, 12]);
  });

  test("asks a new judge about answers of another one, and the first judge about nothing again", async () => {
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

  test("takes the reply of a task that was stopped before its judge replied", async () => {
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

test("takes the answer of the run begun first if two runs answered a task differently", async () => {
  let reply = "0";
  await using server = await scriptedServer((response, seen) => says(reply)(response, seen));
  const text = cell("limit: 3", "first") + cell("limit: 6", "second") + cell("", "all");
  const before = await open(text, server);
  const first = await run(before, "first");
  await before.close();
  // As if the two runs had been made in other copies of the session.
  const away = join(sessions.folder, "away");
  renameSync(join(sessions.path, "runs", first.run), away);
  reply = "1";
  const between = await open(undefined, server);
  const second = await run(between, "second");
  await between.close();
  renameSync(away, join(sessions.path, "runs", first.run));
  const workbench = await open(undefined, server);
  await workbench.counted();
  reply = "2";
  const all = await run(workbench, "all");

  expect(server.seen).toHaveLength(3 + 6 + 6);
  expect(all.taken?.map(({ source, answers }) => [source.run, answers]).toSorted()).toEqual(
    [
      [first.run, 3],
      [second.run, 3],
    ].toSorted(),
  );
  for (const task of Object.keys(valuesOf(workbench, first.run))) {
    const { answer } = (await workbench.trajectory({ run: all.run, task }))!;
    expect(answer).toBe("0");
  }
  // Each saved run shows what it showed.
  expect(valuesOf(workbench, second.run)).toEqual(valuesOf(between, second.run));
});

describe("shares no answer", () => {
  test("between runs whose answers build on those to the tasks before", async () => {
    await using server = await scriptedServer(planner);
    const [direct] = suite.strategies;
    Object.assign(suite, { strategies: [{ ...direct!, sequential: () => true }] });
    const workbench = await open(cell("limit: 4", "few") + cell("", "all"), server);
    await run(workbench, "few");
    expect((await run(workbench, "all")).taken).toBeUndefined();
    expect(asked(server, "planner")).toBe(16);
  });

  test("between runs with other limits of a task", async () => {
    await using server = await scriptedServer(planner);
    const budget = (steps: number) => `budget: {task: {steps: ${steps}}}`;
    const workbench = await open(cell(budget(20), "few") + cell(budget(60), "many"), server);
    const [few, many] = [await run(workbench, "few"), await run(workbench, "many")];
    expect(many.run).not.toBe(few.run);
    expect(asked(server, "planner")).toBe(24);
  });
});
