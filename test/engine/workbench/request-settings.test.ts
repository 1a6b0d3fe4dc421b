import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ask, requestSeed } from "../../../source/engine/run/ask.ts";
import { emptySettings } from "../../../source/engine/settings/settings.ts";
import type { Strategy } from "../../../source/engine/strategy.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import { refuses, says, scriptedServer, type ScriptedServer } from "../models/scripted-server.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();

const cell = (fields: string) => `\`\`\`run main\nsuite: tiny\nmodel: lab/m\nlimit: 1\n${fields}\`\`\`\n`;
const bodies = ({ seen }: ScriptedServer) =>
  seen.map(({ body: { min_p, stop } }) => ({
    ...(min_p === undefined ? {} : { min_p }),
    ...(stop === undefined ? {} : { stop }),
  }));

const askingTwice: Strategy<"stages"> = {
  name: "twice",
  title: "Twice",
  needs: "stages",
  revision: 1,
  roles: ["model"],
  async *run(context) {
    for (const stage of ["draft", "plan"]) yield* ask(context, { role: "model", stage, messages: [] });
  },
};

async function open(server: ScriptedServer, text: string, suite: Suite = tinySuite().suite) {
  const prices = { "*": { input: 1_000_000, output: 1_000_000 } };
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 60, identify: false, prices };
  return sessions.open(text, { settings: { ...emptySettings, endpoints: [lab] }, suites: [suite] });
}

test("settings of a request are sent by every run of a grid, and by its forks", async () => {
  await using server = await scriptedServer(says("1"));
  const loaded = await open(server, cell("minP: [0.02, 0.1]\nstop: [[], [END, HALT]]\nbudget: {run: {cost: 50}}\n"));
  await loaded.run(cellNamed(loaded, "main"));
  const runs = runsOf(loaded, "main");
  expect(runs.map(({ label, status }) => `${label}: ${status}`)).toEqual([
    "minP 0.02 · stop none: done",
    'minP 0.02 · stop "END" "HALT": done',
    "minP 0.1 · stop none: done",
    'minP 0.1 · stop "END" "HALT": done',
  ]);
  const stop = ["END", "HALT"];
  expect(bodies(server)).toEqual([{ min_p: 0.02 }, { min_p: 0.02, stop }, { min_p: 0.1 }, { min_p: 0.1, stop }]);

  const { run } = runs[3]!;
  const fork = loaded.fork({ run, task: loaded.rows(run)[0]!.task }, 0, {});
  await loaded.run(fork);
  expect(bodies(server)[4]).toEqual({ min_p: 0.1, stop });
  const state = loaded.state(fork);
  expect(state.kind === "run" && state.runs[0]!.spec.budget).toEqual({ run: { cost: 50 } });
});

test("a repeated request, in a task or in another trial, gets another seed", async () => {
  await using server = await scriptedServer(says("1"));
  const suite = Object.assign(tinySuite().suite, { strategies: [askingTwice] });
  const loaded = await open(server, cell("seed: 7\ntrial: [1, 2]\n"), suite);
  await loaded.run(cellNamed(loaded, "main"));
  // The first request of the first trial sends the seed itself, as all requests did before trials existed.
  const first = [7, requestSeed(7, 1, 1)];
  const second = [requestSeed(7, 2, 0), requestSeed(7, 2, 1)];
  expect(server.seen.map(({ body }) => body["seed"]).toSorted()).toEqual([...first, ...second].toSorted());
  expect(new Set([...first, ...second]).size).toBe(4);
});

test("a fork ends at the cost limit of its original run", async () => {
  await using server = await scriptedServer(says("1"));
  // A reply of the server has ten tokens, so a task's second request exceeds the limit.
  const suite = Object.assign(tinySuite().suite, { strategies: [askingTwice] });
  const loaded = await open(server, cell("budget: {run: {cost: 5}}\n"), suite);
  await loaded.run(cellNamed(loaded, "main"));
  const { run } = runsOf(loaded, "main")[0]!;
  expect(server.seen).toHaveLength(1);

  const fork = loaded.fork({ run, task: loaded.rows(run)[0]!.task }, 0, {});
  await loaded.run(fork);
  expect(server.seen).toHaveLength(2);
  loaded.refresh();
  const state = loaded.state(fork);
  expect(state.kind === "run" && state.runs[0]).toMatchObject({
    status: "partial",
    message: "The run reached its limit of 5 cost",
  });
});

test("a server without min_p gets requests without min_p, which the run reports", async () => {
  await using server = await scriptedServer((response, seen) => {
    const refusal = refuses(400, { error: { message: "Unrecognized request argument supplied: min_p" } });
    ("min_p" in seen.body ? refusal : says("1"))(response, seen);
  });
  const loaded = await open(server, cell("minP: 0.05\n"));
  await loaded.run(cellNamed(loaded, "main"));
  expect(runsOf(loaded, "main")[0]).toMatchObject({
    status: "done",
    warnings: [expect.any(String), "lab/m does not accept `minP`; its own default was used, not 0.05"],
  });
});

test("a seed is sent only if the cell sets one, even 0", async () => {
  await using server = await scriptedServer(says("1"));
  const loaded = await open(server, cell("seed: [0, 3]\n"));
  await loaded.run(cellNamed(loaded, "main"));
  expect(server.seen.map(({ body }) => body["seed"])).toEqual([0, 3]);
  const other = loaded.insert("run", undefined, "suite: tiny\nmodel: lab/m\nlimit: 1\nrequest: {lab_field: 20}\n");
  await loaded.run(other);
  expect(server.seen[2]!.body).toMatchObject({ lab_field: 20 });
  expect(server.seen[2]!.body).not.toHaveProperty("seed");
  expect(runsOf(loaded, "main").flatMap(({ warnings }) => warnings.filter((text) => text.includes("seed")))).toEqual(
    [],
  );
});

test("a run of version 0.1.0, which sent seed 0 by default, has a warning about that seed", async () => {
  await using server = await scriptedServer(says("1"));
  const loaded = await open(server, cell(""));
  await loaded.run(cellNamed(loaded, "main"));
  const { run } = runsOf(loaded, "main")[0]!;
  const { folder } = loaded;
  await loaded.close();
  // How its log differs from a log of that version.
  const log = join(folder, "runs", run, "events.jsonl");
  const text = readFileSync(log, "utf8");
  expect(text).toContain(',"unset":["seed"]');
  writeFileSync(log, text.replace(',"unset":["seed"]', ""));
  for (const name of readdirSync(dirname(log))) if (name !== "events.jsonl") rmSync(join(dirname(log), name));
  const lab = { name: "lab", baseUrl: server.url, concurrency: 1, idleTimeout: 60, identify: false };
  const later = await sessions.open(undefined, {
    settings: { ...emptySettings, endpoints: [lab] },
    suites: [tinySuite().suite],
  });
  expect(runsOf(later, "main")[0]!.warnings).toContain(
    "seed 0 was sent although no value was set, because Planwright 0.1.0 began the run",
  );
});
