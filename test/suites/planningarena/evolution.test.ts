/** Command evolution: suggester, editor and evaluator on seed tasks, with rules before acceptance. */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Chunk, Json, Model } from "../../../source/engine/types.ts";
import {
  type Accepted,
  evolve,
  type EvolutionCall,
  type Rejected,
} from "../../../suites/planningarena/data/evolution/evolve.ts";
import { accepts } from "../../../suites/planningarena/data/evolution/stages.ts";
import { standInAuthor } from "../../../suites/planningarena/data/evolution/stand-in.ts";
import { openSuite } from "../../../suites/planningarena/loaded-suite.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import type { ArenaTask } from "../../../suites/planningarena/data/task.ts";
import { runDialogue, scoreDialogue, spec } from "./execution.ts";

let loaded: LoadedSuite<ArenaTask, "dialogue">;
let seeds: readonly ArenaTask[];
beforeAll(async () => {
  loaded = await openSuite(planningarena, { folder: sampleFolder("planningarena"), data: "sample" });
  const tasks = await loaded.tasks("generated");
  // Seeds whose request contains a place, because the built-in model changes places.
  seeds = tasks.filter(
    ({ facets }) => facets["scenario"] === "1_travel" && facets["relation"] !== "SAPP" && facets["relation"] !== "CAPP",
  );
});

const run = async (model: Model, rounds: number, from = seeds) => {
  const calls: EvolutionCall[] = [];
  const request = {
    seeds: from,
    rounds,
    model: () => model,
    spec,
    firstId: 9001,
    signal: new AbortController().signal,
  };
  const accepted: Accepted[] = [];
  const rejected: Rejected[] = [];
  const decided = (one: Accepted | Rejected) => void ("reasons" in one ? rejected.push(one) : accepted.push(one));
  await evolve({ ...request, log: (call) => void calls.push(call), decided });
  return { calls, accepted, rejected };
};

/** A model that answers by stage. */
function scripted(answers: Readonly<Record<string, string | ((text: string) => string)>>): Model {
  return {
    name: "test/author",
    readsAnswerKey: false,
    async *stream({ messages, asker }): AsyncIterable<Chunk> {
      const answer = answers[asker.stage]!;
      yield { type: "text", text: typeof answer === "string" ? answer : answer(messages.at(-1)!.content) };
    },
  };
}

const suggestion = JSON.stringify({ kind: "prune", target: "s1", from: "a", to: "b", why: "c" });
const fine = JSON.stringify({ completeness: 4, clarity: 4, feasibility: 4, specificity: 4 });
/** The editor's answer: the seed's task, changed. */
const edited = (change: (task: Record<string, Json>) => object) => (text: string) => {
  const task = JSON.parse(text.split("Task:\n")[1]!.split("\n")[0]!) as Record<string, Json>;
  return JSON.stringify({ ...task, ...change(task) });
};

describe("evolution of tasks", () => {
  test("sends models the same messages as before", async () => {
    const { calls } = await run(standInAuthor(), 2);
    expect(calls).toHaveLength(30);
    const hash = createHash("sha256").update(JSON.stringify(calls.map(({ messages }) => messages)));
    expect(hash.digest("hex").slice(0, 12)).toBe("f0a9f46c7539");
  });

  test("makes tasks that run, can be solved and have different requests, and logs every call", async () => {
    const { accepted, rejected, calls } = await run(standInAuthor(), 2);
    expect(accepted.length).toBeGreaterThan(3);
    expect(accepted.length + rejected.length).toBe(2 * seeds.length);
    expect(new Set(accepted.map(({ task }) => task.query)).size).toBe(accepted.length);
    expect(accepted.map(({ task }) => task.id)).toEqual(accepted.map((_, index) => 9001 + index));
    expect(calls.slice(0, 3).map(({ stage, round, model }) => [stage, round, model])).toEqual([
      ["suggest", 1, "builtin/author"],
      ["edit", 1, "builtin/author"],
      ["evaluate", 1, "builtin/author"],
    ]);
    expect(
      calls.every(({ reply, messages, tokens }) => reply !== "" && messages.length === 2 && tokens.input > 0),
    ).toBe(true);
    for (const { task, seed } of accepted) {
      const parent = seeds.find(({ id }) => id === seed)!;
      const { gold, reference, query } = task;
      const child = {
        ...parent,
        input: { ...parent.input, head: { ...parent.input.head, query } },
        answer: { gold, reference },
      };
      expect((await scoreDialogue(loaded, child, runDialogue(loaded, child))).value).toBe(1);
    }
  });

  test("rejects a task with low grades, and gives the grades as the reason", async () => {
    const { accepted, rejected } = await run(standInAuthor(3), 1, seeds.slice(0, 1));
    expect(accepted).toEqual([]);
    expect(rejected).toMatchObject([
      {
        round: 1,
        reasons: ["The evaluator's grades are too low: completeness 3, clarity 3, feasibility 3, specificity 3"],
      },
    ]);
  });

  test.each<[string, Record<string, string | ((text: string) => string)>, RegExp]>([
    ["an unreadable suggestion", { suggest: "let me think" }, /suggester's answer cannot be read/],
    ["an unreadable task", { suggest: suggestion, edit: "{}" }, /editor's answer cannot be read/],
    [
      "the seed's own request",
      { suggest: suggestion, edit: edited(({ query }) => ({ query: ` ${String(query).toUpperCase()}` })) },
      /another task has the same request/,
    ],
    [
      "a tool that does not exist",
      {
        suggest: suggestion,
        edit: edited(() => ({ query: "New.", gold: { subtasks: [{ id: "s1", tool: "magic", args: [] }], edges: [] } })),
      },
      /Expected|form/,
    ],
    [
      "unknown values",
      { suggest: suggestion, edit: edited(() => ({ query: "Please do it." })) },
      /to follow from what is known/,
    ],
    [
      "a graph with a cycle",
      {
        suggest: suggestion,
        edit: edited(({ gold }) => ({
          query: "New.",
          gold: {
            ...(gold as object),
            edges: [
              ["s1", "s2"],
              ["s2", "s1"],
            ].map(([from, to]) => ({ from, to, kind: "value" })),
          },
        })),
      },
      /no cycle/,
    ],
    [
      "an unreadable verdict",
      { suggest: suggestion, edit: edited(({ query }) => ({ query: `${String(query)} Thanks.` })), evaluate: "good" },
      /evaluator's answer cannot be read/,
    ],
  ])("rejects %s", async (_, answers, reason) => {
    const { accepted, rejected } = await run(scripted({ evaluate: fine, ...answers }), 1, seeds.slice(0, 1));
    expect(accepted).toEqual([]);
    expect(rejected[0]!.reasons.join("\n")).toMatch(reason);
  });

  test("accepts a task if every grade is at least 3 and the mean at least 4", () => {
    const grades = (completeness: number, clarity: number, feasibility: number, specificity: number) =>
      accepts({ completeness, clarity, feasibility, specificity });
    expect([grades(3, 4, 4, 5), grades(3, 3, 4, 5), grades(2, 5, 5, 5)]).toEqual([true, false, false]);
  });
});

describe("evolution from folder to folder", () => {
  test("writes accepted tasks that load and run, rejected tasks with reasons, and every call", async () => {
    const out = await mkdtemp(join(tmpdir(), "planningarena-evolved-"));
    onTestFinished(() => rm(out, { recursive: true }));
    const folder = sampleFolder("planningarena");
    const signal = new AbortController().signal;
    const request = { folder, split: "generated", count: 12, rounds: 2, seed: 3, out, report: () => {}, signal };
    await planningarena.evolve!(request);
    const lines = async (name: string) =>
      (await readFile(join(out, name), "utf8"))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, Json>);
    const evolved = await planningarena.open({ folder: out, data: "published" });
    const tasks = await evolved.tasks("generated");
    const rejected = await lines("rejected.jsonl");
    expect(tasks.length + rejected.length).toBe(24);
    expect(tasks.length).toBeGreaterThan(0);
    expect(rejected.every(({ reasons }) => Array.isArray(reasons) && reasons.length > 0)).toBe(true);
    expect((await lines("calls.jsonl")).length).toBeGreaterThan(48);
    for (const task of tasks) expect((await scoreDialogue(evolved, task, runDialogue(evolved, task))).value).toBe(1);
  });
});
