import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { execute } from "../../../source/commands/session/run.ts";
import type { Models } from "../../../source/engine/models/models.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import type { Score } from "../../../source/engine/types.ts";
import { analysisOf, cellNamed, runsOf } from "./temporary-session.ts";
import { tinyScore, tinySessions } from "./tiny-suite.ts";
import { until } from "../../until.ts";

const { sessions, suite, behaviour } = tinySessions();

const cell = (settings: string, name = "main") => `\`\`\`run ${name}\nsuite: tiny\n${settings}\n\`\`\`\n\n`;
const analysis = "```analysis groups\npane: difficulty\n```\n";
const open = (text?: string) => sessions.open(text, { suites: [suite] });
const scores = (loaded: SessionWorkbench, run: string) => loaded.rows(run).map(({ score }) => score?.value);
const log = (run: string) => readFileSync(join(sessions.path, "runs", run, "events.jsonl"), "utf8");
const count = (text: string, type: string) => text.match(new RegExp(`"type":"${type}"`, "g"))?.length ?? 0;
const scored = (value: number | undefined): Score => ({ value, metrics: {}, checks: [], errors: [] });
const twelve = <Value>(value: Value) => Array.from({ length: 12 }, () => value);

describe("data that lack a part that every prompt needs", () => {
  test("prevent the start of a run, with one error instead of one per task, while other runs continue", async () => {
    behaviour.lacking = (_, { temperature }) => (temperature === 1 ? "Expected what is asked, found none" : undefined);
    const loaded = await open(cell("model: builtin/oracle\ntemperature: [1, 0]"));
    await loaded.run(cellNamed(loaded, "main"));
    const [lacking, other] = runsOf(loaded, "main");
    expect(lacking).toMatchObject({ status: "failed", message: "Expected what is asked, found none", calls: 0 });
    expect(lacking!.counts).toMatchObject({ failed: 0, waiting: 12 });
    expect(existsSync(join(sessions.path, "runs", lacking!.run))).toBe(false);
    expect(other).toMatchObject({ status: "done", counts: { right: 12 } });
  });

  test("fail only the tasks that lack the part", async () => {
    behaviour.lacking = ({ id }) => (id === "t0" ? "Expected more, found none" : undefined);
    const loaded = await open(cell("model: builtin/oracle"));
    await loaded.run(cellNamed(loaded, "main"));
    expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done", counts: { right: 12 } });
  });
});

test("a run starts once its models are loaded, so that a task's time never includes loading a client", async () => {
  const asked: string[] = [];
  const loading = Promise.withResolvers<void>();
  const between = (models: Models): Models => ({
    ...models,
    ready(name) {
      asked.push(name);
      return loading.promise;
    },
  });
  const loaded = await sessions.open(cell("model: builtin/oracle\njudge: builtin/slips"), { suites: [suite], between });
  const running = loaded.run(cellNamed(loaded, "main"));
  await until(() => expect(asked).toEqual(["builtin/oracle", "builtin/slips"]));
  const [run] = runsOf(loaded, "main");
  expect(run!.status).toBe("loading");
  expect(existsSync(join(sessions.path, "runs", run!.run, "events.jsonl"))).toBe(false);
  loading.resolve();
  await running;
  expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done", counts: { running: 0, waiting: 0 } });
});

describe("scoring again", () => {
  test("rereads the judge's replies from the log without requests, even if the scorer interprets them differently", async () => {
    const loaded = await open(cell("model: builtin/oracle\njudge: builtin/oracle"));
    await loaded.run(cellNamed(loaded, "main"));
    const [run] = runsOf(loaded, "main");
    expect(scores(loaded, run!.run)).toEqual(twelve(0.5));
    expect(run).toMatchObject({ calls: 24, status: "done" });
    behaviour.score = async (...given) => scored((await tinyScore(...given)).value! / 2);
    await loaded.rescore(cellNamed(loaded, "main"));
    expect(scores(loaded, run!.run)).toEqual(twelve(0.25));
    expect(runsOf(loaded, "main")[0]).toMatchObject({ calls: 24, status: "done" });
    expect(count(log(run!.run), "scored")).toBe(24);
    expect(count(log(run!.run), "prompt")).toBe(24);
  });

  test("keeps earlier scores if the judge would need a new request, and reports this", async () => {
    const loaded = await open(cell("model: builtin/oracle\njudge: builtin/oracle"));
    await loaded.run(cellNamed(loaded, "main"));
    behaviour.score = async (task, _, { ask }) =>
      scored(task.id === "t0" ? 1 : Number(await ask!("judge", [{ role: "user", content: "New words?" }])));
    await loaded.rescore(cellNamed(loaded, "main"));
    const [run] = runsOf(loaded, "main");
    expect(scores(loaded, run!.run)).toEqual([1, ...twelve(0.5).slice(1)]);
    expect(run!.message).toContain("11 tasks keep their old score (t1: the judge never got this question");
  });

  test("reads only the last attempt of a task that was run twice", async () => {
    const loaded = await open(cell("model: builtin/oracle"));
    await loaded.run(cellNamed(loaded, "main"));
    const [{ run }] = runsOf(loaded, "main") as [ReturnType<typeof runsOf>[0]];
    await loaded.run(cellNamed(loaded, "main"), [{ run, task: "t3" }]);
    const requests: number[] = [];
    behaviour.score = async (_, { steps }) => {
      requests.push(steps.filter(({ type }) => type === "prompt").length);
      return scored(1);
    };
    await loaded.rescore(cellNamed(loaded, "main"));
    expect(requests).toEqual(twelve(1));
  });
});

describe("a grid of runs", () => {
  const grid = cell("model: builtin/oracle?pace=30\ntrial: [1, 2, 3]");

  test("is executed once if it is started twice", async () => {
    const loaded = await open(cell("model: builtin/oracle\ntrial: [1, 2]"));
    await Promise.all([loaded.run(cellNamed(loaded, "main")), loaded.run(cellNamed(loaded, "main"))]);
    for (const { run, status, calls } of runsOf(loaded, "main")) {
      expect({ status, calls }).toEqual({ status: "done", calls: 12 });
      expect(count(log(run), "run-started")).toBe(1);
    }
  });

  test("starts none of its remaining runs after it is stopped, even if it is started twice, and can be resumed as a whole", async () => {
    const loaded = await open(grid);
    const running = [loaded.run(cellNamed(loaded, "main")), loaded.run(cellNamed(loaded, "main"))];
    await until(() => expect(runsOf(loaded, "main")[0]!.counts.running).toBeGreaterThan(0));
    loaded.stop(cellNamed(loaded, "main"));
    await Promise.all(running);
    expect(runsOf(loaded, "main").map(({ status }) => status)).toEqual(["partial", "ready", "ready"]);
    expect(readdirSync(join(sessions.path, "runs"))).toHaveLength(1);
    loaded.edit(cellNamed(loaded, "main"), "suite: tiny\nmodel: builtin/oracle\ntrial: [1, 2, 3]\n");
    await loaded.run(cellNamed(loaded, "main"));
    expect(runsOf(loaded, "main").map(({ status }) => status)).toEqual(["done", "done", "done"]);
  });

  test("ends when the session is closed, and nothing is written after the session is released", async () => {
    const loaded = await open(grid);
    const running = loaded.run(cellNamed(loaded, "main"));
    await until(() => expect(runsOf(loaded, "main")[0]!.counts.running).toBeGreaterThan(0));
    const [first, second] = runsOf(loaded, "main");
    await loaded.close();
    await running;
    expect(existsSync(join(sessions.path, "session.lock"))).toBe(false);
    expect(existsSync(join(sessions.path, "runs", second!.run))).toBe(false);
    const next = await open();
    expect(runsOf(next, "main").map(({ status }) => status)).toEqual(["partial", "ready", "ready"]);
    expect(log(first!.run).trimEnd().split("\n").at(-1)).toContain('"type":"run-ended"');
  });

  test("is not run if it is stopped while its data are being read", async () => {
    let opened = () => {};
    behaviour.opening = new Promise((resolve) => (opened = resolve));
    const loaded = await open(grid);
    const running = loaded.run(cellNamed(loaded, "main"));
    expect(runsOf(loaded, "main")[0]!.status).toBe("loading");
    loaded.stop(cellNamed(loaded, "main"));
    opened();
    await running;
    expect(runsOf(loaded, "main").map(({ status }) => status)).toEqual(["ready", "ready", "ready"]);
    expect(existsSync(join(sessions.path, "runs"))).toBe(false);
  });
});

describe("an error in a suite or an analysis", () => {
  const headless = (loaded: SessionWorkbench) => {
    const written = { out: "", err: "" };
    const context = {
      stdout: (text: string) => void (written.out += text),
      stderr: (text: string) => void (written.err += text),
      signal: new AbortController().signal,
      suites: [suite],
      analyses: [],
    };
    const wishes = { cells: undefined, json: false, width: 100, ascii: true };
    return execute(loaded, context, wishes).then((status) => ({ status, ...written }));
  };

  test("is recorded as a bug, with exit status 1, if a scorer throws the error", async () => {
    const loaded = await open(cell("model: builtin/oracle") + analysis);
    behaviour.score = async (task, ...rest) => {
      if (task.id === "t4") throw new TypeError("undefined is not a score");
      return tinyScore(task, ...rest);
    };
    const { status, out } = await headless(loaded);
    expect(status).toBe(1);
    expect(loaded.bugs).toBe(1);
    const [run] = runsOf(loaded, "main");
    expect(run).toMatchObject({ status: "partial", counts: { right: 11, failed: 1 } });
    expect(loaded.rows(run!.run).find(({ task }) => task === "t4")!.failure).toEqual({
      kind: "bug",
      message: "TypeError: undefined is not a score",
    });
    expect(out).toContain("1 failed; these tasks have no score and are left out");
    behaviour.score = tinyScore;
    await loaded.run(cellNamed(loaded, "main"));
    expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done", counts: { right: 12, failed: 0 } });
  });

  test("makes the run failed, not partly done, if it fails all tasks", async () => {
    const loaded = await open(cell("model: builtin/oracle\nlimit: 2") + analysis);
    behaviour.score = async () => {
      throw new TypeError("no score");
    };
    expect((await headless(loaded)).status).toBe(1);
    const failed = { right: 0, wrong: 0, unscored: 0, failed: 2, waiting: 0 };
    expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "failed", total: 2, counts: failed });
    behaviour.score = tinyScore;
    await loaded.run(cellNamed(loaded, "main"));
    expect(runsOf(loaded, "main")[0]).toMatchObject({ status: "done" });
  });

  test("leaves a task without a score unscored, never wrong", async () => {
    const loaded = await open(cell("model: builtin/oracle") + analysis);
    behaviour.score = async (task, ...rest) =>
      task.facets["parity"] === "odd" ? scored(undefined) : tinyScore(task, ...rest);
    const { status, out } = await headless(loaded);
    expect(status).toBe(0);
    expect(runsOf(loaded, "main")[0]).toMatchObject({
      status: "done",
      counts: { right: 6, wrong: 0, unscored: 6, failed: 0, waiting: 0 },
    });
    expect(out).toContain("6 could not be scored");
    const [figure] = analysisOf(loaded, "groups").figures;
    if (figure?.kind !== "table") throw new Error("Expected a table");
    expect(figure.rows.map((row) => [row[1]!.text, row[2]!.text, row[2]!.n])).toEqual([
      ["even", "100.00", 6],
      ["odd", "-", 0],
      ["all", "100.00", 6],
    ]);
  });

  test("leaves the analyses unchanged if it occurs while a paper's numbers are read", async () => {
    behaviour.reported = () => Promise.reject(new Error("no paper"));
    const loaded = await open(cell("model: builtin/oracle") + analysis);
    expect((await headless(loaded)).status).toBe(0);
    expect(analysisOf(loaded, "groups").figures.map(({ kind }) => kind)).toEqual(["table", "bars"]);
  });

  test("is shown in the cell of its analysis, and all other cells work", async () => {
    const measures = [
      {
        ...suite.measures[0]!,
        each: () => {
          throw new TypeError("cannot divide a tree");
        },
      },
    ];
    Object.assign(suite, { measures });
    const loaded = await open(cell("model: builtin/oracle") + analysis);
    expect((await headless(loaded)).status).toBe(1);
    expect(runsOf(loaded, "main")[0]!.status).toBe("done");
    expect(analysisOf(loaded, "groups")).toMatchObject({
      figures: [],
      problems: [{ message: "The analysis `difficulty` failed on these rows: cannot divide a tree" }],
    });
  });
});

test("runs of unnamed cells have distinct labels in analyses that choose by label", async () => {
  const unnamed = (limit: number) => cell(`model: builtin/oracle\nlimit: ${limit}`, "").replace("run \n", "run\n");
  const loaded = await open(`${unnamed(4)}${unnamed(6)}\`\`\`analysis pair\npane: compare\n\`\`\`\n`);
  for (const { id, kind } of loaded.cells()) if (kind === "run") await loaded.run(id);
  const { choices, figures } = analysisOf(loaded, "pair");
  expect(choices["before"]).toEqual(["builtin/oracle", "builtin/oracle (2)"]);
  expect(figures[0]!.title).toBe("Right: builtin/oracle against builtin/oracle (2)");
});
