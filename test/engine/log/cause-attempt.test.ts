/** Tests each input of a task's cause, event by event, and the edges of each rule. */
import { describe, expect, it } from "vitest";
import { freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import { Attempt, causeAfter, causeOf, isScoredAnyway, writtenAnswer } from "../../../source/engine/log/rows/cause.ts";
import type { Cause, Failure, RunSpec, Score, TaskEvent } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

const step = (made: object) => ({ task: "t", seq: 0, at: 0, ...made }) as unknown as TaskEvent;
const prompt = (request: number, more: object = {}) =>
  step({
    type: "prompt",
    request,
    role: "model",
    model: "m",
    stage: "answer",
    messages: [{ role: "user", content: `Ask ${request}` }],
    ...more,
  });
const text = (request: number, said: string) => step({ type: "text", request, text: said });
const call = (request: number, name: string, args: unknown = {}) =>
  step({ type: "call", request, call: { id: name, name, text: "", arguments: args } });
const finish = (request: number, reason = "stop") => step({ type: "finish", request, reason });
const note = (kind: string, said: string) => step({ type: "note", kind, text: said });
const tools = (...names: readonly string[]) => names.map((name) => ({ name, description: "", parameters: {} }));
const reply = (request: number, said: string, more: object = {}) => [
  prompt(request, more),
  text(request, said),
  finish(request),
];

function attempt(...events: readonly TaskEvent[]): Attempt {
  const made = new Attempt({});
  for (const event of events) made.take(event);
  return made;
}
const score = (value?: number, more: object = {}): Score => ({ value, metrics: {}, checks: [], errors: [], ...more });
const failure = (kind: Failure["kind"], message = "why"): Failure => ({ kind, message });
/** A list of numbers, or a thought. */
const form = (said: string, { stage }: { readonly stage: string }): TextForm | undefined =>
  stage === "thought"
    ? freeText
    : /^\[[\d, ]*\]$/.test(said.trim())
      ? { got: said.trim(), extent: "closed" }
      : undefined;
type Ended = { score?: Score; failure?: Failure; spec?: Partial<RunSpec>; free?: boolean };
const cause = (
  events: readonly TaskEvent[],
  { score: own = score(0), failure: why, spec = {}, free = false }: Ended = {},
) =>
  causeOf(attempt(...events), {
    score: own,
    failure: why,
    spec: bareSpec("made", spec),
    form: (free ? undefined : form) as never,
  });

describe("an attempt at a task", () => {
  it("gathers the replies of measured roles, and keeps the last ten", () => {
    const { replies, requests, offered, called, replied, asked, judged } = attempt(
      ...reply(0, "a"),
      ...reply(1, "b", { role: "actor" }),
      ...reply(2, "c", { role: "judge" }),
      ...reply(3, "d", { role: "user" }),
    );
    expect(replies.map((each) => each.text)).toEqual(["a", "b"]);
    expect([requests, offered, called, replied, asked, judged]).toEqual([2, false, false, true, "user", true]);
    // If a log contains a request twice, what follows belongs to the last one.
    expect(attempt(prompt(0), prompt(0), text(0, "x")).replies.map((each) => each.text)).toEqual(["", "x"]);
    const many = attempt(...Array.from({ length: 12 }, (_, at) => reply(at, `${at}`)).flat());
    expect([many.requests, many.replies.length, many.replies[0]!.text]).toEqual([12, 10, "2"]);
    expect(many.judged).toBe(false);
    expect(attempt(...reply(0, "c", { role: "judge" })).judged).toBe(true);
  });

  it("is empty before its first reply, and is interrupted while a reply is incomplete", () => {
    const none = attempt();
    expect([none.replied, none.offered, none.called, none.judged, none.requests, none.isInterrupted]).toEqual([
      false,
      false,
      false,
      false,
      0,
      false,
    ]);
    expect(attempt(prompt(0)).isInterrupted).toBe(true);
    expect(attempt(prompt(0), text(0, "x")).isInterrupted).toBe(true);
    expect(attempt(...reply(0, "x")).isInterrupted).toBe(false);
    expect(attempt(...reply(0, "x"), prompt(1)).isInterrupted).toBe(true);
  });

  it("contains the facts that a server reports about its reply", () => {
    const retried = attempt(
      prompt(0),
      text(0, "spoilt"),
      call(0, "look"),
      step({ type: "retry", request: 0 }),
      text(0, "b"),
    );
    expect(retried.replies[0]).toMatchObject({ text: "b", calls: [] });
    const thought = (textBefore?: true) =>
      attempt(prompt(0), text(0, "a"), step({ type: "thinking", request: 0, text: "hm", textBefore })).replies[0]!.text;
    expect([thought(), thought(true)]).toEqual(["a", ""]);
    const used = attempt(prompt(0), step({ type: "usage", request: 0, input: 1, output: 7, estimated: false }));
    expect([used.replies[0]!.output, used.replied]).toEqual([7, false]);
    // A call behind the end of a reply was read out of its text.
    const read = attempt(...reply(0, "x"), call(0, "look"));
    expect([read.replies[0]!.calls, read.called]).toEqual([[], false]);
    expect(attempt(prompt(0), call(0, "look")).called).toBe(true);
  });

  it("contains the ending, the limit and the answer", () => {
    const { end, bound, answer } = attempt(
      note("end", "first"),
      note("end", "step limit"),
      note("bound", "deep"),
      note("other", "x"),
      step({ type: "answer", answer: [1] }),
    );
    expect([end, bound, answer]).toEqual(["step limit", "deep", [1]]);
  });

  it("keeps, for each call to a simulated server, the reply that was used", () => {
    const simulated = (request: number, said: string) => [
      prompt(request, { role: "responder", stage: "tool" }),
      text(request, said),
    ];
    const result = step({ type: "result", callId: "c", name: "n", result: {} });
    const { simulated: kept } = attempt(
      ...simulated(0, "unused"),
      ...simulated(1, "used"),
      result,
      result,
      ...simulated(2, "spoilt"),
      step({ type: "retry", request: 2 }),
      text(2, "again"),
      text(9, "of nobody"),
      result,
    );
    expect(kept.map((each) => each.text)).toEqual(["used", "again"]);
  });
});

describe("the cause by which a task ended", () => {
  it("is `read` if any part of the reply has the form, and `other-form` if none has", () => {
    const ended = { score: score(0), failure: undefined, spec: bareSpec("made") };
    const part: TextForm = { got: "[1]", extent: "part" };
    const causeWith = (form: TextForm | undefined) =>
      causeOf(attempt(...reply(0, "[1] and so on")), { ...ended, form: () => form })!.cause;
    expect([causeWith(part), causeWith(undefined)]).toEqual(["read", "other-form"]);
  });

  it("is undefined for a task that has not ended, has no reply, was stopped, or failed by a bug", () => {
    const events = reply(0, "x");
    for (const why of [undefined, failure("stopped"), failure("bug")])
      expect(
        causeOf(attempt(...events), { score: undefined, failure: why, spec: bareSpec("made"), form: undefined }),
      ).toBeUndefined();
    expect(cause([prompt(0)])).toBeUndefined();
    expect(cause([])).toEqual({ cause: "empty", from: 0, to: 0 });
  });

  it("is derived from the answer alone if the answer was imported", () => {
    expect(cause([step({ type: "answer", answer: "> [1]" })])).toMatchObject({ cause: "wrapped" });
    expect(cause([step({ type: "answer", answer: { output: "no" } })])).toMatchObject({ cause: "other-form" });
    expect(cause([step({ type: "answer", answer: { other: 1 } })])).toEqual({ cause: "read" });
    expect([writtenAnswer("x"), writtenAnswer(undefined), writtenAnswer({ output: "y" }), writtenAnswer([1])]).toEqual([
      "x",
      "",
      "y",
      undefined,
    ]);
  });

  it("contains the request, and prefers a failure of the environment", () => {
    const events = [...reply(0, "[1]"), ...reply(3, "[2]")];
    expect(cause(events, { score: score(1) })).toEqual({ cause: "read", request: 3 });
    expect(cause([...events, note("end", "responder-unparsable")], { score: score(1) })).toMatchObject({
      cause: "environment",
      request: 3,
    });
    expect(cause(events, { failure: failure("context", "long") })).toEqual({
      cause: "context",
      detail: "long",
      request: 3,
    });
  });

  it("is the environment if the last judge gave no verdict, unless a person gave a score", () => {
    const judge = reply(1, "hm", { role: "judge" });
    expect(cause([...reply(0, "[1]"), ...judge], { score: score() })?.cause).toBe("environment");
    expect(cause([...reply(0, "[1]"), ...judge], { score: score(undefined, { override: {} }) })?.cause).toBe("read");
    expect(cause([...judge, ...reply(2, "[1]")], { score: score() })?.cause).toBe("read");
    expect(cause(reply(0, "[1]"), { score: score() })?.cause).toBe("read");
    expect(cause([...reply(0, "[1]"), ...judge], { score: score(0) })?.cause).toBe("read");
  });

  it("is the environment if the reply of a simulated server could not be parsed", () => {
    const simulated = (said: string) => [
      ...reply(0, "[1]"),
      prompt(1, { role: "responder" }),
      text(1, said),
      step({ type: "result", callId: "c", name: "n", result: {} }),
    ];
    expect(cause(simulated("nonsense"))).toMatchObject({ cause: "environment" });
    expect(cause(simulated("[2]"))?.cause).toBe("read");
    expect(cause(simulated("nonsense"), { free: true })?.cause).toBe("read");
  });

  it("is `repetition` if three replies to different prompts are equal and cannot be read", () => {
    const same = (at: number, more: object = {}) => reply(at, "a short reply of words", more);
    const third = { messages: [{ role: "user", content: "Ask 1" }] };
    expect(cause([...same(0), ...same(1), ...same(2)])).toMatchObject({ cause: "repeats", request: 2 });
    expect(cause([...same(0), ...same(1)])?.cause).toBe("other-form");
    expect(cause([...same(0), ...same(1), ...same(2, third)])?.cause).toBe("other-form");
    expect(cause([...same(0), ...reply(1, "another reply"), ...same(2)])?.cause).toBe("other-form");
    expect(cause([...same(0), ...same(1), ...same(2)], { free: true })?.cause).toBe("read");
    const calls = [0, 1, 2].flatMap((at) => [prompt(at, { tools: tools("look") }), call(at, "look"), finish(at)]);
    expect(cause(calls)?.cause).toBe("read");
  });

  it("is `cut` only if a truncated reply contains no complete answer", () => {
    const cut = (events: readonly TaskEvent[]) => cause(events, { spec: { maxTokens: 5 } })?.cause;
    expect(cut([prompt(0), text(0, "[1, 2"), finish(0, "length")])).toBe("cut");
    expect(cut([prompt(0), text(0, "[1]"), finish(0, "length")])).toBe("read");
    expect(cut([prompt(0, { tools: tools("look") }), call(0, "look"), finish(0, "length")])).toBe("read");
    expect(
      cut([prompt(0, { tools: tools("look") }), call(0, "look"), call(0, "look", undefined), finish(0, "length")]),
    ).toBe("read");
    const long = "words and words, ".repeat(9).slice(0, 120);
    const found = cause([prompt(0), text(0, `${long.slice(0, 90)}1${long.slice(91)}`), finish(0, "length")], {
      free: true,
    });
    expect([found!.cause, found!.from, found!.to]).toEqual(["cut", 40, 120]);
  });

  it("is `no-call` if tools were offered and the model called none of them, in the whole attempt or in ten replies", () => {
    const silent = (at: number) => reply(at, `thought ${at}`, { tools: tools("look") });
    const calling = (at: number) => [prompt(at, { tools: tools("look") }), call(at, "look"), finish(at)];
    const times = (count: number, from = 1) => Array.from({ length: count }, (_, at) => silent(at + from)).flat();
    expect(cause(times(1), { free: true })?.cause).toBe("no-call");
    expect(cause([...calling(0), ...times(9)], { free: true })?.cause).toBe("read");
    expect(cause([...calling(0), ...times(10)], { free: true })?.cause).toBe("no-call");
    expect(cause(reply(0, "words"), { free: true })?.cause).toBe("read");
  });

  it("is `unknown-tool` only if all called functions are unknown", () => {
    const calling = (...names: readonly string[]) =>
      cause([prompt(0, { tools: tools("look", "find") }), ...names.map((name) => call(0, name)), finish(0)], {
        free: true,
      });
    expect(calling("fly", "swim")).toMatchObject({ cause: "unknown-tool", detail: "fly" });
    expect(calling("fly", "look")?.cause).toBe("read");
    const later = [
      prompt(0, { tools: tools("look") }),
      call(0, "look"),
      finish(0),
      prompt(1),
      call(1, "fly"),
      finish(1),
    ];
    expect(cause(later, { free: true })?.cause).toBe("read");
  });

  it("is `echo` if four fifths of the reply repeat the prompt and the score is 0", () => {
    const asked = { messages: [{ role: "user", content: "Say which of the trains leaves first, please." }] };
    const echoed = reply(0, "Say which of the trains leaves first", asked);
    expect(cause(echoed, { free: true })?.cause).toBe("echo");
    expect(cause(echoed, { free: true, score: score(0.5) })?.cause).toBe("read");
  });

  it("is `limit` if a named limit, a bound, or the number of requests ended the task", () => {
    const ended = (...notes: readonly TaskEvent[]) =>
      cause([...reply(0, "[1]"), ...notes], { spec: { budget: { task: { steps: 1 } } } });
    for (const end of ["step limit", "step-limit", "error limit", "depth limit", "prompt too long"])
      expect(ended(note("end", end))).toMatchObject({ cause: "limit", detail: end });
    expect(ended(note("end", "gave up"))?.cause).toBe("read");
    expect(ended(note("bound", "20 nodes"))).toMatchObject({ cause: "limit", detail: "20 nodes" });
    expect(ended(note("bound", "no step could be read"))?.cause).toBe("read");
    expect(ended(note("end", "no answer"))).toMatchObject({ detail: "Model requests are used up: 1" });
    expect(ended(note("end", "no answer"), note("bound", "b"))).toMatchObject({ detail: "b" });
    expect(
      cause([...reply(0, "[1]"), note("end", "no answer")], { spec: { budget: { task: { steps: 2 } } } })?.cause,
    ).toBe("read");
    expect(cause([...reply(0, "[1]"), note("end", "no answer")])?.cause).toBe("read");
  });

  it("contains the text around the answer: before the answer, after it, or its first line", () => {
    const marked = (said: string) => {
      const { from, to } = cause(reply(0, said))!;
      return said.slice(from, to);
    };
    expect(marked("So:\n\n[1]")).toBe("So:\n\n");
    expect(marked("[1]\n\nThat is it, all of it.")).toBe("\n\nThat is it, all of it.");
    const lines = (said: string, answer: string) => {
      const own = (inner: string) => (inner === answer ? ({ got: answer, extent: "closed" } as const) : undefined);
      const ended = { score: score(0), failure: undefined, spec: bareSpec("made"), form: own };
      const { from, to } = causeOf(attempt(...reply(0, said)), ended)!;
      return said.slice(from, to);
    };
    expect(lines("> 1\n> 2", "1\n2")).toBe("> 1");
    expect(lines("1 **2**\n3", "1 2\n3")).toBe("**2**");
    expect(lines("1\n**2** 3", "1\n2 3")).toBe("**2** 3");
  });
});

describe("the cause after a later score or failure", () => {
  const before = (name: Cause["cause"]): Cause => ({ cause: name, request: 2, detail: "d" }) as Cause;

  it("changes only if the task is right, or if its context or its budget was used up", () => {
    const after = (name: Cause["cause"], own?: Score, why?: Failure) =>
      causeAfter(before(name), { score: own, failure: why });
    expect(causeAfter(undefined, { score: score(1), failure: undefined })).toBeUndefined();
    expect(after("wrapped", score(1))).toEqual({ cause: "read", request: 2 });
    expect(after("wrapped", score(0))).toEqual(before("wrapped"));
    expect(after("wrapped", score(1), failure("context", "long"))).toEqual({
      cause: "context",
      detail: "long",
      request: 2,
    });
    expect(after("environment", score(0))).toEqual({ cause: "read", request: 2 });
    expect(after("environment", score())).toEqual(before("environment"));
    expect(after("environment", undefined)).toEqual(before("environment"));
    expect(after("read", score(0), failure("budget", "3 steps"))).toEqual({
      ...before("read"),
      cause: "limit",
      detail: "3 steps",
    });
    expect(after("read", score(0), failure("timeout", "3 s"))).toMatchObject({ cause: "limit", detail: "3 s" });
    expect(after("read", score(0), failure("model"))).toEqual(before("read"));
    expect(after("wrapped", score(0), failure("budget"))).toEqual(before("wrapped"));
    expect(causeAfter({ cause: "wrapped" } as Cause, { score: score(1), failure: undefined })).toEqual({
      cause: "read",
    });
  });

  it("remains if the strategy could have avoided the failure before the score", () => {
    const kinds = ["parse", "budget", "timeout", "context", "model", "judge", "tool", "bug", "stopped"] as const;
    expect(kinds.filter((kind) => isScoredAnyway(failure(kind)))).toEqual(["parse", "budget", "timeout", "context"]);
  });
});
