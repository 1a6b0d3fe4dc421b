import { describe, expect, it } from "vitest";
import {
  callsMade,
  emptyTrajectory,
  readTrajectory,
  TrajectoryFold,
  trajectoryOf,
} from "../../../source/engine/log/trajectory.ts";
import { withPauses } from "../../../source/engine/work/pieces.ts";
import { pickedNote } from "../../../source/engine/log/rows/row-notes.ts";

type Entries = Parameters<typeof callsMade>[0]["entries"];

const turn = (...ids: readonly string[]) => ({
  kind: "turn",
  calls: ids.map((id) => ({ id, name: "find", text: "{}", arguments: { id } })),
});
const result = (callId: string, name = "find") => ({ kind: "result", callId, name });

describe("the calls of a trajectory", () => {
  const made = (...entries: readonly object[]) =>
    callsMade({ entries: entries as unknown as Entries }).map(({ id, arguments: given }) => [id, given]);

  it("are the calls with a result, with arguments if the call was saved", () => {
    expect(made(turn("a", "b"), result("a"), result("c"))).toEqual([
      ["a", { id: "a" }],
      ["c", undefined],
    ]);
    expect(made(turn("a"), result("a", "book"))).toEqual([["a", undefined]]);
  });

  it("start after the note about the selected sample", () => {
    const note = { kind: "note", note: pickedNote };
    expect(made(turn("a"), result("a"), note, turn("b"), result("b"))).toEqual([["b", { id: "b" }]]);
    expect(made(turn("a"), result("a"), note, result("d"))).toEqual([["d", undefined]]);
    // The last such note counts, and no other note.
    const [again, other] = [note, { kind: "note", note: "other" }];
    expect(made(note, turn("a"), result("a"), again, other, turn("b"), other, result("b"))).toEqual([
      ["b", { id: "b" }],
    ]);
  });
});

const at = "2026-01-01T00:00:00.000Z";
const event = (type: string, more: object = {}, time = at) => ({ type, task: "t", at: time, ...more }) as never;
const started = event("started", { question: "Which?", facets: { level: 2 } });
const prompt = (request: number, more: object = {}) =>
  event("prompt", { request, role: "model", model: "lab/m", stage: "answer", messages: [], ...more });
const score = { success: true, value: 1, metrics: {}, errors: [] };
const turnsOf = (trajectory: ReturnType<typeof trajectoryOf>) =>
  trajectory.entries.filter((entry) => entry.kind === "turn");

describe("the trajectory made from a task's events", () => {
  it("is empty before the first event", () => {
    const nothing = { answer: undefined, score: undefined, scores: [], failure: undefined, ended: false };
    expect(emptyTrajectory("t")).toEqual({ task: "t", question: "", facets: {}, entries: [], nodes: [], ...nothing });
    expect(trajectoryOf("t", [])).toEqual(emptyTrajectory("t"));
  });

  it("keeps nothing of an earlier attempt after the task is restarted", () => {
    const fold = new TrajectoryFold("t");
    const events = [
      event("started", { question: "Old?", facets: {}, worker: { name: "w1" } }),
      prompt(0),
      event("text", { request: 0, text: "x" }),
      event("node", { id: "n", kind: "call", label: "a", state: "open" }),
      event("answer", { answer: "x" }),
      event("scored", { score }),
      event("failed", { failure: { kind: "tool", message: "away" } }),
    ];
    for (const each of events) fold.take(each);
    expect(fold.trajectory).toMatchObject({ worker: "w1", answer: "x", ended: true, failure: { message: "away" } });
    expect([fold.trajectory.nodes.length, fold.trajectory.scores.length]).toEqual([1, 1]);
    fold.take(started);
    expect(fold.trajectory).toEqual({ ...emptyTrajectory("t"), question: "Which?", facets: { level: 2 } });
    // Text of an earlier attempt's request has no turn to be added to.
    fold.take(event("text", { request: 0, text: "late" }));
    expect(fold.trajectory.entries).toEqual([]);
  });

  it("ends with a score or a failure, and keeps each score with the person who corrected the score", () => {
    const corrected = event(
      "scored",
      { score: { ...score, value: 0, success: false }, by: { person: "anna" } },
      "2026-01-02",
    );
    const trajectory = trajectoryOf("t", [started, event("scored", { score }), corrected]);
    expect(trajectory.ended).toBe(true);
    expect(trajectory.scores.map(({ score: { value }, by }) => [value, by])).toEqual([
      [1, undefined],
      [0, { person: "anna" }],
    ]);
    expect("by" in trajectory.scores[0]!).toBe(false);
    expect(trajectory.score?.value).toBe(0);
    expect(trajectoryOf("t", [started]).ended).toBe(false);
    expect(trajectoryOf("t", [started, event("failed", { failure: { kind: "tool", message: "m" } })]).ended).toBe(true);
  });

  it("adds text, thoughts, calls, usage and the end to the turn of their request", () => {
    const [first, second] = turnsOf(
      trajectoryOf("t", [
        started,
        prompt(0, { agent: "planner", saved: 3 }),
        prompt(1),
        event("thinking", { request: 0, text: "Hm. " }),
        event("text", { request: 0, text: "The " }),
        event("text", { request: 0, text: "answer" }, "2026-01-01T00:00:05.000Z"),
        event("call", { request: 1, call: { id: "c", name: "find", text: "{}" } }),
        event("usage", { request: 0, seq: 9, input: 5, output: 2, estimated: false }),
        event("finish", { request: 1, reason: "stop" }),
      ]),
    );
    expect(first).toMatchObject({ agent: "planner", saved: 3, thinking: "Hm. ", text: "The answer", calls: [] });
    expect(first!.tokens).toEqual({ input: 5, output: 2, estimated: false });
    expect([first!.from, second!.finish, second!.calls.length, second!.text]).toEqual([at, "stop", 1, ""]);
    expect("agent" in second! || "saved" in second!).toBe(false);
  });

  it("moves text before thinking into the thinking if the server reports the text as a part of the thinking", () => {
    const before = event("thinking", { request: 0, text: " so", textBefore: true });
    const [turned] = turnsOf(
      trajectoryOf("t", [started, prompt(0), event("text", { request: 0, text: "if" }), before]),
    );
    expect(turned).toMatchObject({ thinking: "if so", text: "" });
  });

  it("keeps the text of a failed attempt if there is any, and starts the turn again", () => {
    const retry = event("retry", { request: 0, error: "cut", status: 502, wait: 1 });
    const [tried] = turnsOf(
      trajectoryOf("t", [
        started,
        prompt(0),
        retry,
        event("text", { request: 0, text: "half" }),
        event("thinking", { request: 0, text: "hm" }),
        event("call", { request: 0, call: { id: "c", name: "find", text: "" } }),
        retry,
        event("text", { request: 0, text: "whole" }),
      ]),
    );
    expect(tried).toMatchObject({ voided: ["half"], text: "whole", thinking: "", calls: [] });
    expect(tried!.retries).toEqual([
      { error: "cut", status: 502, wait: 1 },
      { error: "cut", status: 502, wait: 1 },
    ]);
  });

  it("contains notes and results, an answer that a log omits, and the latest state of each node", () => {
    const trajectory = trajectoryOf("t", [
      started,
      event("note", { kind: "unread", text: "?", data: 1 }),
      event("result", { callId: "c", name: "find", result: { ok: true } }),
      event("answer"),
      event("node", { id: "n", label: "a", state: "open" }),
      event("node", { id: "n", label: "a", state: "done" }),
    ]);
    expect(trajectory.entries).toEqual([
      { kind: "note", note: "unread", text: "?", data: 1, at },
      { kind: "result", callId: "c", name: "find", result: { ok: true }, at },
      { kind: "answer", answer: null, at },
    ]);
    expect(trajectory.nodes.map((node) => node.state)).toEqual(["done"]);
  });

  it("shows text that is not yet in the log, and does not keep this text", () => {
    const fold = new TrajectoryFold("t");
    for (const each of [started, prompt(0), event("text", { request: 0, text: "a" })]) fold.take(each);
    const [kept, same] = [fold.trajectory, fold.withText([])];
    expect(same).toBe(kept);
    const more = fold.withText([event("text", { request: 0, text: "b" }), event("text", { request: 7, text: "c" })]);
    expect(turnsOf(more).map(({ text }) => text)).toEqual(["ab"]);
    expect(fold.trajectory).toBe(kept);
    expect(turnsOf(kept).map(({ text }) => text)).toEqual(["a"]);
  });

  it("reads events in parts, and is undefined without events", async () => {
    function* reading(events: readonly never[]) {
      yield;
      return events;
    }
    const read = (events: readonly never[]) => withPauses(readTrajectory("t", reading(events) as never), {});
    expect(await read([])).toBeUndefined();
    expect(await read([started, event("answer", { answer: "x" })])).toMatchObject({ question: "Which?", answer: "x" });
  });
});
