/** A judge has its own sampling settings, so a sweep over the run's settings leaves it unchanged. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { own } from "../../../suites/own/index.ts";
import { type Answer, refuses, says, scriptedServer } from "../models/scripted-server.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";

const sessions = temporarySessions();

const judged = "check: judge\nmodel: lab/m";
const cell = (name: string, more: string) => `\`\`\`run ${name}\nsuite: own\nfrom: questions.csv\n${more}\n\`\`\`\n`;

/** Replies of the model and of any judge. */
const replies =
  (verdict: Answer): Answer =>
  (response, seen) =>
    (seen.body["model"] === "m" ? says("It is 7.") : verdict)(response, seen);

async function open(verdict: Answer, ...cells: readonly string[]) {
  const server = await scriptedServer(replies(verdict));
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 5, identify: false };
  const workbench = await sessions.open(`# Mine\n\n${cells.join("\n")}`, {
    suites: [own],
    settings: { endpoints: [lab] },
  });
  writeFileSync(join(sessions.path, "questions.csv"), "question,answer\nWhat is 3 + 4?,7\nWhat is 4 + 4?,8\n");
  workbench.refresh();
  const run = async (name: string) => {
    await workbench.run(cellNamed(workbench, name));
    return runsOf(workbench, name);
  };
  /** Bodies of the requests to a model, without their common fields. */
  const bodies = (model: string) =>
    server.seen.flatMap(({ body }) => {
      const { messages: _, stream: __, stream_options: ___, ...own } = body;
      return own["model"] === model ? [own] : [];
    });
  return { server, workbench, run, bodies };
}

const right = says("It is. Verdict: right");
const startOf = (run: string) => join(sessions.path, "runs", run, "events.jsonl");

describe("a judge's sampling settings", () => {
  it("do not change with the run's settings: temperature 0, 4,096 tokens, no stop strings, no seed, no other fields", async () => {
    const swept = "temperature: [0, 0.7, 1]\nmaxTokens: 5\nstop: [END]\nseed: 7\ntopP: 0.5\nrequest: {lab_field: 1}";
    const { server, run, bodies } = await open(right, cell("main", `${judged}\njudge: lab/j\n${swept}`));
    await using _ = server;
    expect((await run("main")).map(({ counts }) => counts.right)).toEqual([2, 2, 2]);
    expect(bodies("m").map(({ temperature }) => temperature)).toEqual([0, 0, 0.7, 0.7, 1, 1]);
    expect(bodies("m")[0]).toMatchObject({ max_tokens: 5, stop: ["END"], seed: 7, top_p: 0.5, lab_field: 1 });
    expect(bodies("j")).toEqual(Array.from({ length: 6 }, () => ({ model: "j", temperature: 0, max_tokens: 4096 })));
  });

  it("come from the cell, and a grid of judge settings reuses the answers", async () => {
    const judges = "[lab/j, {model: lab/j, temperature: 0.5, stop: X, seed: 3, request: {top_p: 0.9, lab_field: 1}}]";
    const { server, run, bodies } = await open(right, cell("main", `${judged}\nmaxTokens: 9\njudge: ${judges}`));
    await using _ = server;
    const runs = await run("main");
    const settings = 'temperature 0.5; topP 0.9; stop ["X"]; seed 3; request {"lab_field":1}';
    expect(runs.map(({ label }) => label)).toEqual(["lab/j", `lab/j (${settings})`]);
    expect(new Set(runs.map((each) => each.run)).size).toBe(2);
    expect(bodies("m")).toHaveLength(2);
    expect(bodies("j").slice(2)).toMatchObject([
      { temperature: 0.5, top_p: 0.9, max_tokens: 4096, stop: ["X"], seed: 3, lab_field: 1 },
      { temperature: 0.5 },
    ]);
    expect(runs[1]!.warnings).toContain(
      `2 answers reused from run ${runs[0]!.run} (check judge, judge lab/j), not requested again`,
    );
  });

  it("are recorded in a new run's log, and an older run continues with its own settings", async () => {
    const { server, workbench, run, bodies } = await open(
      right,
      cell("main", `${judged}\njudge: lab/j\ntemperature: 0.7`),
    );
    await using _ = server;
    const [first] = await run("main");
    const log = readFileSync(startOf(first!.run), "utf8");
    const line = '"judging":{"temperature":0,"maxTokens":4096}';
    expect(log).toContain(line);
    expect(first!.warnings.filter((text) => text.startsWith("judge sampled"))).toEqual([]);
    await workbench.close();

    // The log of an older version ended before its tasks.
    const [start] = log.split("\n");
    writeFileSync(startOf(first!.run), `${start!.replace(`,${line}`, "").replace(`${line},`, "")}\n`);
    const again = await sessions.open(undefined, {
      suites: [own],
      settings: { endpoints: [{ name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 5, identify: false }] },
    });
    await again.run(cellNamed(again, "main"));
    const [older] = runsOf(again, "main");
    expect(older!.run).toBe(first!.run);
    expect(older!.warnings).toContain(
      "the judge used the run's sampling settings, because the run began before judges had their own sampling settings",
    );
    expect(bodies("j").map(({ temperature }) => temperature)).toEqual([0, 0, 0.7, 0.7]);
  });
});

describe("a judge whose verdict is unreadable", () => {
  it("is asked a second time, then leaves its task unscored, and the next run asks only the judge", async () => {
    let verdict = says("Let me think about it");
    const { server, workbench, run, bodies } = await open(
      (response, seen) => verdict(response, seen),
      cell("main", `${judged}\njudge: lab/j`),
    );
    await using _ = server;
    const [failed] = await run("main");
    expect(failed).toMatchObject({ counts: { right: 0, wrong: 0, failed: 2 } });
    expect(failed!.failure).toEqual({
      kind: "judge",
      message: 'No verdict of the judge can be read; the first reply is "Let me think about it"',
    });
    expect(workbench.rows(failed!.run).map(({ score, cause }) => [score, cause?.cause])).toEqual([
      [undefined, "environment"],
      [undefined, "environment"],
    ]);
    expect([bodies("m").length, bodies("j").length]).toEqual([2, 4]);
    verdict = right;
    expect((await run("main"))[0]).toMatchObject({ counts: { right: 2, failed: 0 } });
    expect([bodies("m").length, bodies("j").length]).toEqual([2, 6]);
  });

  it("gives a score if its second verdict is readable, also with `--rescore`", async () => {
    let asked = 0;
    const { server, workbench, run } = await open(
      (response, seen) => says((asked += 1) % 2 === 1 ? "Well" : "Verdict: right")(response, seen),
      cell("main", `${judged}\njudge: lab/j`),
    );
    await using _ = server;
    expect((await run("main"))[0]).toMatchObject({ counts: { right: 2 } });
    await workbench.rescore(cellNamed(workbench, "main"));
    expect(runsOf(workbench, "main")[0]).toMatchObject({ counts: { right: 2 } });
    expect(asked).toBe(4);
  });
});

describe("a map of settings for a role", () => {
  const problemsOf = async (source: string) => {
    const { server, workbench } = await open(refuses(400, {}), cell("main", `${judged}\n${source}`));
    await using _ = server;
    const state = workbench.state(cellNamed(workbench, "main"));
    return state.kind === "run" ? state.problems : [];
  };

  it("is rejected for an unknown key, a wrong value and a missing model, at the line of the mistake", async () => {
    expect(await problemsOf("judge:\n  model: lab/j\n  temprature: 1")).toEqual([
      {
        line: 7,
        message:
          'Expected `judge.temprature` to be one of the keys model, temperature, topP, maxTokens, stop, seed, request (did you mean `temperature`?), got `"temprature"`',
      },
    ]);
    expect(await problemsOf("judge: {model: lab/j, temperature: 3}")).toEqual([
      { line: 5, message: "Expected `judge.temperature` to be a number from 0 to 2, got `3`" },
    ]);
    expect(await problemsOf("judge: [lab/j, {temperature: 1}]")).toEqual([
      { line: 5, message: "Expected `judge.model` to be ENDPOINT/MODEL, such as `builtin/oracle`, got nothing" },
    ]);
  });

  it("gives the run id of the plain name if it contains only the model", async () => {
    const { server, workbench } = await open(
      right,
      cell("one", `${judged}\njudge: {model: lab/j}`),
      cell("other", `${judged}\njudge: lab/j`),
      cell("third", `${judged}\njudge: {model: lab/j, temperature: 0}`),
    );
    await using _ = server;
    const [one, other, third] = ["one", "other", "third"].map((name) => runsOf(workbench, name)[0]!.run);
    expect(one).toBe(other);
    expect(third).not.toBe(other);
  });
});
