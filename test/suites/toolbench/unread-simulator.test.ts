/** Saved runs of earlier versions, in which a model continued with the error of an unreadable simulated server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { Event, Outcome, RunSpec, Step, ToolResult } from "../../../source/engine/types.ts";
import { readSimulated } from "../../../suites/toolbench/ask/simulated-reply.ts";
import { pythonJson } from "../../../suites/toolbench/ask/environment.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { bareSpec } from "../../bare-spec.ts";

const spec = { ...bareSpec("toolbench", { strategy: "react" }), options: { server: "simulate" } } as RunSpec;
const call = { id: "1", name: "soups_of_day", text: "{}", arguments: {} };
const finish = { id: "2", name: "Finish", text: "{}", arguments: {} };

/** The steps of a task whose server was simulated by these replies, of which the last was used. */
function stepsWith(...replies: readonly string[]): readonly Step[] {
  const { error, response } = readSimulated(replies.at(-1)!);
  const observation = pythonJson({ error, response });
  const result: ToolResult = { ok: error === "", observation, status: 0, value: { response, from: "simulated" } };
  const simulated = replies.flatMap((text, index) => [
    { type: "prompt", request: 2 + index, role: "responder", model: "m", stage: "simulate", messages: [] },
    { type: "text", request: 2 + index, text },
    { type: "finish", request: 2 + index, reason: "stop" },
  ]);
  return [
    { type: "prompt", request: 1, role: "model", model: "m", stage: "step", messages: [] },
    { type: "call", request: 1, call },
    { type: "finish", request: 1, reason: "tool_calls" },
    ...simulated,
    { type: "result", callId: "1", name: call.name, result, asked: 1 },
    { type: "prompt", request: 9, role: "model", model: "m", stage: "step", messages: [] },
    { type: "call", request: 9, call: finish },
    { type: "finish", request: 9, reason: "tool_calls" },
    { type: "answer", answer: "I do not know." },
  ] as unknown as readonly Step[];
}

function rowWith(...replies: readonly string[]) {
  const table = new RowTable(undefined, toolbench.form);
  table.take({ seq: 0, at: 0, type: "run-started", run: "r", spec, total: 1, warnings: [] } as Event);
  const score = { value: 0, metrics: { success: 0 }, checks: [], errors: [] };
  const ends = { type: "scored", score, suiteRevision: 1 };
  for (const step of [{ type: "started", facets: {}, question: "?" }, ...stepsWith(...replies), ends])
    table.take({ seq: 0, at: 0, task: "t", ...step } as Event);
  return table.row("t")!;
}

const readable = '{"error": "", "response": {"soup": "leek"}}';
const told =
  "1 score was made when unreadable replies of a simulated server still counted against the model: `--rescore` computes all scores again";

describe("a saved task with an unreadable simulated server", () => {
  let loaded: LoadedSuite;
  beforeAll(async () => {
    loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  });
  afterAll(() => loaded.close?.());
  const scoreOf = async (...replies: readonly string[]) => {
    const [task] = await loaded.tasks("G1_instruction");
    const outcome: Outcome = { answer: "I do not know.", steps: stepsWith(...replies), failure: undefined };
    return loaded.score(task!, outcome, { spec, signal: new AbortController().signal });
  };

  it("keeps its score, and has a finding that explains why the score should not count", () => {
    const row = rowWith("Soup, I think.");
    expect([row.score?.value, row.cause?.cause]).toEqual([0, "environment"]);
    expect(toolbench.findings!([row])).toEqual([told]);
  });

  it("has no score once it is scored again", async () => {
    expect(await scoreOf("Soup, I think.")).toMatchObject({ value: undefined, metrics: {}, errors: [] });
  });

  it("counts normally if the reply that was used is readable", async () => {
    const row = rowWith("Soup, I think.", readable);
    expect([row.cause?.cause, toolbench.findings!([row])]).toEqual(["read", []]);
    expect((await scoreOf(readable)).value).toBe(0);
  });
});
