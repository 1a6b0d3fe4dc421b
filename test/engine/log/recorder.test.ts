import { describe, expect, it } from "vitest";
import type { Log } from "../../../source/engine/log/file/log.ts";
import { Recorder } from "../../../source/engine/log/recorder.ts";
import type { TextStep } from "../../../source/engine/log/live-stream.ts";
import type { Event, Score, Step } from "../../../source/engine/types.ts";
import { openTestClock } from "../work/test-clock.ts";

it("the recorder writes a score without the reply that its mistakes quote", () => {
  const events: object[] = [];
  const append = ((event: object) => (events.push(event), event as Event)) satisfies Log["append"];
  const reply = `${"word ".repeat(1000)}the mistake`;
  const score: Score = {
    value: 0,
    metrics: { "official.success": 0 },
    checks: [],
    errors: [{ kind: "no-plan", got: reply.slice(-11) }],
  };
  new Recorder({ append }, "t").score(score, 1);
  const [written] = events as [{ readonly score: Score }];
  expect(written.score).toStrictEqual(score);
  expect(written.score.metrics).not.toBe(score.metrics);
  expect(written.score.errors[0]).not.toBe(score.errors[0]);
});

describe("the text of a task", () => {
  const text = (words: string, request = 0): TextStep => ({ type: "text", request, text: words });
  const note: Step = { type: "note", kind: "n", text: "" };
  const finish = (request: number): Step => ({ type: "finish", request, reason: "stop" });

  /** A recorder with the events and pieces that its log got, as `text 0 words`. */
  function recording(more: { readonly full?: () => boolean } = {}) {
    const clock = openTestClock();
    const written: string[] = [];
    const pieces: string[] = [];
    let changes = 0;
    const append = ((event) => {
      if (more.full?.() === true) throw new Error("full");
      const { type, request, text: words } = event as { type: string; request?: number; text?: string };
      written.push([type, request, words].filter((part) => part !== undefined && part !== "").join(" "));
      return { seq: written.length, at: 0, ...event } as Event;
    }) satisfies Log["append"];
    const recorder = new Recorder(
      { append, piece: (piece) => void pieces.push(piece.text) },
      "t",
      () => (changes += 1),
      clock,
    );
    return { clock, written, pieces, recorder, changes: () => changes };
  }

  it("is written as one event after a quarter of a second, and is announced immediately", async () => {
    const { clock, written, pieces, recorder, changes } = recording();
    recorder.take(text("a"));
    await clock.advance(249);
    recorder.take(text("b"));
    expect([written, pieces, changes()]).toEqual([[], ["a", "b"], 2]);
    expect(recorder.events).toMatchObject([{ type: "text", text: "ab" }]);
    await clock.advance(1);
    expect(written).toEqual(["text 0 ab"]);
    await clock.advance(1000);
    recorder.take(text("c"));
    expect(written).toHaveLength(1);
    await clock.advance(250);
    expect(written).toEqual(["text 0 ab", "text 0 c"]);
    expect(recorder.events).toMatchObject([{ type: "text", text: "abc" }]);
  });

  it("is written before any other event of its request; events of other requests do not cause it to be written", async () => {
    const { clock, written, recorder } = recording();
    recorder.take(text("a"));
    recorder.take(text("x", 1));
    recorder.take(note);
    expect(written).toEqual(["note"]);
    recorder.take(finish(1));
    expect(written).toEqual(["note", "text 1 x", "finish 1"]);
    expect(clock.due()).toEqual([250]);
    recorder.take(finish(0));
    expect(clock.due()).toEqual([]);
    expect(written.slice(3)).toEqual(["text 0 a", "finish 0"]);
    await clock.advance(1000);
    expect(written).toHaveLength(5);
  });

  it("is written before text of another kind", () => {
    const { written, recorder } = recording();
    recorder.take({ type: "thinking", request: 0, text: "hm", field: "reasoning" });
    expect(written).toEqual([]);
    recorder.take(text("a"));
    expect(written).toEqual(["thinking 0 hm"]);
  });

  it("is written before the task's score, and before its failure", () => {
    const score: Score = { value: 1, metrics: {}, checks: [], errors: [] };
    for (const [end, name] of [
      [(recorder: Recorder) => recorder.score(score, 1), "scored"],
      [(recorder: Recorder) => recorder.fail({ kind: "stopped", message: "" }), "failed"],
    ] as const) {
      const { written, recorder } = recording();
      recorder.take(text("a"));
      recorder.take(text("x", 1));
      end(recorder);
      expect(written).toEqual(["text 0 a", "text 1 x", name]);
    }
  });

  it("is announced again if the log cannot store it at the end of the quarter second", async () => {
    let full = true;
    const { clock, written, recorder, changes } = recording({ full: () => full });
    recorder.take(text("a"));
    await clock.advance(250);
    expect([written, changes()]).toEqual([[], 2]);
    expect(() => recorder.take(note)).toThrow("full");
    full = false;
    recorder.take(finish(0));
    expect(written).toEqual(["text 0 a", "finish 0"]);
  });
});

it("the event that starts a task lists the settings that are not sent, if there are any", () => {
  const events: object[] = [];
  const append = ((event: object) => (events.push(event), event as Event)) satisfies Log["append"];
  const recorder = new Recorder({ append }, "t");
  recorder.start({ level: "easy" }, "Why?");
  recorder.start({}, "Why?", ["seed"]);
  expect(events).toEqual([
    { task: "t", type: "started", facets: { level: "easy" }, question: "Why?" },
    { task: "t", type: "started", facets: {}, question: "Why?", unset: ["seed"] },
  ]);
});
