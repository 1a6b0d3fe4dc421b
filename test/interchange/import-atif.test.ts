import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PublicRow as Row } from "../../source/engine/log/rows/row-notes.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { executedSessions, linesOf, rowsOf, runsOf } from "./exported-session.ts";

const at = temporaryFolder();
const { exportedSession } = executedSessions();

type RecordedTurn = {
  readonly stage: string;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly reply: { readonly text: string };
};

/** A document following the published specification, with everything that ours lack. */
const picture = { type: "image", source: { media_type: "image/png", path: "images/a.png" } };
const theirs = {
  schema_version: "ATIF-v1.8",
  session_id: "s",
  trajectory_id: "trip",
  notes: "Of two agents",
  agent: { name: "tourist", version: "2", model_name: "lab/large", extra: { mode: "fast" } },
  steps: [
    {
      step_id: 1,
      source: "system",
      timestamp: "2026-01-01T00:00:00Z",
      message: "Be brief",
      observation: { results: [{ content: "Context was compacted" }] },
    },
    { step_id: 2, source: "user", message: [{ type: "text", text: "Where is this?" }, picture] },
    {
      step_id: 3,
      source: "agent",
      timestamp: "2026-01-01T00:00:01+00:00",
      message: "I ask somebody",
      reasoning_effort: "high",
      tool_calls: [{ tool_call_id: "c1", function_name: "delegate", arguments: { to: "guide" } }],
      observation: { results: [{ source_call_id: "c1", subagent_trajectory_ref: [{ trajectory_id: "guide-1" }] }] },
      metrics: { prompt_tokens: 20, completion_tokens: 3, logprobs: [-0.1], prompt_token_ids: [1, 2] },
    },
    {
      step_id: 4,
      source: "agent",
      message: "",
      llm_call_count: 0,
      tool_calls: [{ tool_call_id: "c2", function_name: "look", arguments: {} }],
      observation: { results: [{ source_call_id: "c2", content: [{ type: "text", text: "Rome" }, picture] }] },
    },
    { step_id: 5, source: "agent", message: "In Rome", metrics: { prompt_tokens: 10, completion_tokens: 2 } },
  ],
  subagent_trajectories: [
    {
      schema_version: "ATIF-v1.8",
      trajectory_id: "guide-1",
      agent: { name: "guide", version: "1", model_name: "lab/small" },
      steps: [
        { step_id: 1, source: "user", message: "Where is it?" },
        { step_id: 2, source: "agent", message: "Rome", metrics: { prompt_tokens: 5, completion_tokens: 1 } },
      ],
      subagent_trajectories: [
        {
          schema_version: "ATIF-v1.8",
          trajectory_id: "map-1",
          agent: { name: "map", version: "1", model_name: "lab/small" },
          steps: [
            {
              step_id: 1,
              source: "agent",
              message: "41.9 north",
              metrics: { prompt_tokens: 10, completion_tokens: 3 },
            },
          ],
        },
      ],
    },
  ],
  unknown: { kept: "nowhere" },
};

describe("imported ATIF trajectories", () => {
  test("have the same questions, calls and values as before the export", async () => {
    await exportedSession(at("s"), "--format", "atif");
    const folders = readdirSync(at("s", "exports")).filter((name) => name.startsWith("atif-"));
    const before = (await runsOf(at("s"))).filter(({ spec }) => !("judge" in spec));
    for (const name of folders) await typed("import", "atif", at("s", "exports", name), "--into", at("back"));
    const after = await runsOf(at("back"));
    const told = ({ task, question, facets, state, score, toolCalls }: Row) => ({
      task,
      question,
      facets,
      state,
      value: score?.value,
      errors: score?.errors,
      toolCalls,
    });
    for (const { run, spec, rows } of before) {
      const back = after.find(({ label }) => label.includes(run))!;
      expect(back.spec).toEqual(spec);
      const byTask = (some: readonly Row[]) =>
        some.map(told).toSorted((one, other) => (one.task < other.task ? -1 : 1));
      expect(byTask(back.rows)).toEqual(byTask(rows));
    }
  });

  test("are read completely from other programs: several agents, pictures, actions without a model, unknown fields", async () => {
    writeFileSync(at("theirs.json"), JSON.stringify(theirs));
    expect(await typed("import", "atif", at("theirs.json"), "--into", at("back"))).toMatchObject({
      status: 0,
      err: "",
    });
    await typed("export", at("back"), "--rows", "jsonl", "--messages");
    const [row] = rowsOf(at("back"));
    expect(row).toMatchObject({
      task: "trip",
      question: "Where is this?\n[image]",
      answer: "In Rome",
      counted: { calls: 4, toolCalls: 3, tokens: { input: 45, output: 9 } },
    });
    const turns = linesOf<RecordedTurn>(at("back", "exports", "messages.jsonl"));
    expect(turns.map(({ stage, model, reply }) => [stage, model, reply.text])).toEqual([
      ["", "lab/large", "I ask somebody"],
      ["", "lab/large", "In Rome"],
      ["guide", "lab/small", "Rome"],
      ["map", "lab/small", "41.9 north"],
    ]);
    expect(turns[1]!.messages.map(({ role, content }) => [role, content])).toEqual([
      ["system", "Be brief"],
      ["tool", "Context was compacted"],
      ["user", "Where is this?\n[image]"],
      ["assistant", "I ask somebody"],
      ["tool", ""],
      ["assistant", ""],
      ["tool", "Rome\n[image]"],
    ]);
  });

  test("are distinguished by number if the optional ids are missing", async () => {
    mkdirSync(at("theirs"));
    const step = { step_id: 1, source: "agent", message: "Hello" };
    const document = { schema_version: "ATIF-v1.7", agent: { name: "x", version: "1" }, steps: [step] };
    for (const name of ["a.json", "b.json"]) writeFileSync(at("theirs", name), JSON.stringify(document));
    expect((await typed("import", "atif", at("theirs"), "--into", at("back"))).status).toBe(0);
    expect((await runsOf(at("back")))[0]!.rows.map(({ task }) => task)).toEqual(["trajectory 1", "trajectory 2"]);
  });

  test.each([
    [{ schema_version: "ATIF-v1.7", steps: [{ step_id: 2, source: "user", message: "x" }] }, "numbered 1, 2, 3"],
    [{ schema_version: "ATIF-v2.0", steps: [] }, "to be ATIF 1.0 to 1.8"],
  ])("are rejected if they are invalid: %j", async (document, words) => {
    writeFileSync(at("a.json"), JSON.stringify(document));
    const said = await typed("import", "atif", at("a.json"), "--into", at("back"));
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining(words) });
  });
});
