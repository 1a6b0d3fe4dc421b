import { describe, expect, it } from "vitest";
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import type { AgentEvent, AgentProgram } from "../../../source/engine/protocol.ts";
import type { Json, Outcome, Step } from "../../../source/engine/types.ts";
import type { Episodes } from "../../../suites/process/ask/episodes.ts";
import type { ProcessTask } from "../../../suites/process/data/tasks.ts";
import { scoreOutcome } from "../../../suites/process/score/score.ts";
import { bareSpec } from "../../bare-spec.ts";

const task: ProcessTask = { id: "t", question: "?", input: null, answer: "right", facets: {} };
const note = (data: Json) => ({ type: "note", kind: "score", text: "", data }) as Step;

/** A process that writes these lines and requests when it is asked for a score. */
function asked(events: readonly (Json | { readonly request: string })[]) {
  const written: Json[] = [];
  const sent: string[] = [];
  const left = events.values();
  const program = {
    modelUrl: "http://localhost/v1",
    write: async (line: Json) => void written.push(line),
    next: async (): Promise<AgentEvent> => {
      const { value } = left.next();
      const role = (value as { request?: string } | undefined)?.request;
      if (role === undefined) return { type: "line", value: value as Json | undefined };
      const refuse = (why: string) => void sent.push(`refused: ${why}`);
      return { type: "request", role, messages: [], tools: [], refuse, reply: ({ text }) => void sent.push(text) };
    },
  } as unknown as AgentProgram;
  const episodes = {
    with: (_task: unknown, _spec: unknown, _signal: unknown, use: (of: AgentProgram) => Promise<unknown>) =>
      use(program),
  } as unknown as Episodes;
  return { episodes, written, sent };
}

const scored = (
  outcome: Partial<Outcome>,
  { episodes } = asked([]),
  more: Partial<ScoreContext> = {},
  of: ProcessTask = task,
) =>
  scoreOutcome(
    of,
    { answer: undefined, steps: [], failure: undefined, ...outcome } as Outcome,
    { spec: bareSpec("process"), signal: new AbortController().signal, ...more },
    { name: "mine", episodes },
  );

describe("a score that a process gives with its answer", () => {
  it("is the last score that the process gave, and no further score is requested", async () => {
    const process = asked([{ type: "score", value: 0.25 }]);
    const found = await scored({ steps: [note({ value: 0 }), note({ value: 1 })], answer: "x" }, process);
    expect(found).toEqual({ value: 1, metrics: { score: 1 }, checks: [], errors: [] });
    expect(process.written).toEqual([]);
    const other = { type: "note", kind: "progress", text: "", data: { value: 0.5 } } as Step;
    expect((await scored({ steps: [note({ value: 1 }), other], answer: "x" })).value).toBe(1);
  });

  it("has metrics from numeric and boolean parts", async () => {
    const parts = { whole: 1, half: 0.5, held: true, missed: false, text: "x", nothing: null };
    const { value, metrics, checks } = await scored({ steps: [note({ value: true, parts })] });
    expect(value).toBe(1);
    expect(metrics).toEqual({ "part.whole": 1, "part.half": 0.5, "part.held": 1, "part.missed": 0, score: 1 });
    expect(checks).toEqual([
      { name: "whole", kept: true, message: "1" },
      { name: "half", kept: false, message: "0.5" },
      { name: "held", kept: true, message: "1" },
      { name: "missed", kept: false, message: "0" },
    ]);
  });

  it("has the process's errors, as texts or objects, otherwise one error for a wrong answer", async () => {
    const errors = ["late", 7, { key: "k", expected: 3, got: "g", note: "n", more: "left out" }];
    expect((await scored({ steps: [note({ value: 0.5, errors })] })).errors).toEqual([
      { kind: "reported", note: "late" },
      { kind: "reported", note: "7" },
      { kind: "reported", key: "k", expected: "3", got: "g", note: "n" },
    ]);
    const wrong = async (answer: Json | undefined, reference: Json = "right") =>
      (await scored({ steps: [note({ value: 0.99 })], answer }, asked([]), {}, { ...task, answer: reference })).errors;
    expect(await wrong("x")).toEqual([{ kind: "wrong-answer", expected: "right", got: "x" }]);
    expect(await wrong({ a: 1 }, [2])).toEqual([{ kind: "wrong-answer", expected: "[2]", got: '{"a":1}' }]);
    expect(await wrong("x", null)).toEqual([{ kind: "wrong-answer", got: "x" }]);
    expect(await wrong(undefined)).toEqual([{ kind: "no-answer" }]);
  });

  it("has at most 200 parts and errors", async () => {
    const many = Array.from({ length: 201 }, (_, at) => `${at}`);
    const parts = Object.fromEntries(many.map((name) => [`p${name}`, 1]));
    const { checks, errors } = await scored({ steps: [note({ value: 0, errors: many, parts })] });
    expect([checks.length, errors.length]).toEqual([200, 200]);
  });

  it("is a number from 0 to 1, otherwise the task fails", async () => {
    const failing = (data: Json) => expect(scored({ steps: [note(data)] })).rejects;
    await failing({ value: 1.01 }).toThrow("Expected `mine` to give a score from 0 to 1, got 1.01");
    await failing({ value: -0.01 }).toThrow("got -0.01");
    await failing({ value: "1" }).toThrow('got "1"');
    await failing({ value: "x".repeat(90) }).toThrow(new RegExp(`got "${"x".repeat(79)}$`));
    await failing({ value: null }).toThrow(/^`mine` gave no score$/);
    await failing({ errors: ["out of order"] }).toThrow(/^`mine` gave no score: out of order$/);
    await failing({ errors: [{ got: "x" }] }).toThrow(/^`mine` gave no score$/);
    for (const value of [0, 1]) expect((await scored({ steps: [note({ value })], answer: "x" })).value).toBe(value);
  });
});

describe("a process that is asked for a score", () => {
  it("receives the answer, and the first score that the process gives counts", async () => {
    const process = asked([{ type: "log" }, { type: "score", value: 0.5, errors: ["e"] }, { type: "score", value: 1 }]);
    expect((await scored({ answer: "x" }, process)).value).toBe(0.5);
    const line = { type: "score", task: "t", model: { url: "http://localhost/v1" } };
    expect(process.written).toEqual([{ ...line, answer: "x" }]);
    const silent = asked([{ type: "score", value: 0 }]);
    await scored({}, silent);
    expect(silent.written).toEqual([{ ...line, answer: null }]);
  });

  it("can ask the judge, but no other model", async () => {
    const ask = async (stage: string) => `verdict of ${stage}`;
    const end = { type: "score", value: 1 };
    const process = asked([{ request: "judge" }, { request: "model" }, end]);
    await scored({ answer: "x" }, process, { ask });
    expect(process.sent).toEqual(["verdict of score", "refused: Expected the model `judge`, got `model`"]);
    const without = asked([{ request: "judge" }, { request: "actor" }, end]);
    await scored({ answer: "x" }, without);
    expect(without.sent).toEqual([
      "refused: The run names no judge",
      "refused: Expected the model `judge`, got `actor`",
    ]);
  });

  it("receives the reason why the judge failed, and the task fails for the same reason", async () => {
    const process = asked([{ request: "judge" }, { type: "score", value: 1 }]);
    const ask = async (): Promise<string> => {
      throw new Error("no server");
    };
    await expect(scored({ answer: "x" }, process, { ask })).rejects.toThrow("no server");
    expect(process.sent).toEqual(["refused: no server"]);
  });

  it("can write at most 10,000 lines before its score", async () => {
    const lines = (count: number) => Array.from({ length: count }, () => ({ type: "log" }));
    const end = { type: "score", value: 1 };
    expect((await scored({ answer: "x" }, asked([...lines(9999), end]))).value).toBe(1);
    await expect(scored({ answer: "x" }, asked([...lines(10_000), end]))).rejects.toThrow(
      "`mine` wrote 10000 lines without a score",
    );
  });
});
