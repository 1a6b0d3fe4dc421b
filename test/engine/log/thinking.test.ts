import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readLog } from "../../../source/engine/log/file/log-reader.ts";
import { Log } from "../../../source/engine/log/file/log.ts";
import { Recorder } from "../../../source/engine/log/recorder.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { trajectoryOf, type Turn } from "../../../source/engine/log/trajectory.ts";
import type { Event, Step, TaskEvent } from "../../../source/engine/types.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-thinking-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The events as written and as kept in memory, and the turn they make. */
function recorded(steps: readonly Step[]) {
  const path = join(folder, "events.jsonl");
  const log = new Log(path);
  const recorder = new Recorder(log, "t1");
  recorder.start({}, "");
  recorder.take({ type: "prompt", request: 0, role: "model", model: "lab/m", stage: "plan", messages: [] });
  for (const step of steps) recorder.take(step);
  recorder.score({ value: 1, metrics: {}, checks: [], errors: [] }, 1);
  log.close();
  const written: TaskEvent[] = [];
  readLog(path, (event: Event) => "task" in event && written.push(event));
  const turn = (events: readonly TaskEvent[]) =>
    trajectoryOf("t1", events).entries.find(({ kind }) => kind === "turn") as Turn;
  return { written, fromLog: turn(written), live: turn(recorder.events) };
}

test("thinking is streamed in its own events, in order with the text, both live and from the log", () => {
  const { written, fromLog, live } = recorded([
    { type: "thinking", request: 0, text: "Hmm, ", field: "reasoning" },
    { type: "thinking", request: 0, text: "A or B?", field: "reasoning" },
    { type: "text", request: 0, text: "Pick" },
    { type: "text", request: 0, text: " B" },
    { type: "finish", request: 0, reason: "stop" },
  ]);
  expect(written.map(({ type }) => type)).toEqual(["started", "prompt", "thinking", "text", "finish", "scored"]);
  for (const turn of [fromLog, live]) expect([turn.thinking, turn.text]).toEqual(["Hmm, A or B?", "Pick B"]);
});

test("text that proves to be thinking is not part of the answer", () => {
  const { fromLog, live } = recorded([
    { type: "text", request: 0, text: "Hmm, A or B?" },
    { type: "thinking", request: 0, text: "", textBefore: true },
    { type: "text", request: 0, text: "Pick B" },
  ]);
  for (const turn of [fromLog, live]) expect([turn.thinking, turn.text]).toEqual(["Hmm, A or B?", "Pick B"]);
});

test("a retry voids the thinking of the attempt before it", () => {
  const { live } = recorded([
    { type: "thinking", request: 0, text: "Hmm" },
    { type: "retry", request: 0, attempt: 1, status: 500, error: "500", wait: 0 },
    { type: "text", request: 0, text: "Pick B" },
  ]);
  expect([live.thinking, live.text]).toEqual(["", "Pick B"]);
});

test("rows count cached input, thinking and tokens of failed attempts separately from other tokens", () => {
  const table = new RowTable(() => ({ input: 100, output: 1000, cached: 10, reasoning: 500 }));
  let seq = 0;
  const take = (event: object) => table.take({ ...event, seq: seq++, at: seq, task: "t1" } as Event);
  take({ type: "started", facets: {}, question: "" });
  take({ type: "prompt", request: 0, role: "model", model: "lab/m", stage: "plan", messages: [] });
  const failed = { input: 70, output: 3, estimated: true };
  take({ type: "retry", request: 0, attempt: 1, status: 500, error: "", wait: 0, usage: failed });
  take({ type: "usage", request: 0, input: 70, output: 30, cached: 60, reasoning: 20, estimated: false });
  take({ type: "prompt", request: 1, role: "model", model: "lab/m", stage: "plan", messages: [] });
  take({ type: "usage", request: 1, input: 70, output: 30, cost: 0.5, estimated: false });
  const { tokens, cost } = table.row("t1")!.counted;
  expect(tokens).toEqual({
    input: 140,
    output: 60,
    cached: 60,
    reasoning: 20,
    estimated: false,
    failed: { input: 70, output: 3 },
  });
  expect(cost).toBeCloseTo((10 * 100 + 60 * 10 + 10 * 1000 + 20 * 500) / 1e6 + 0.5, 12);
});
