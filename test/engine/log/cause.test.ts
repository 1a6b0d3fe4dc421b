import { echoedShare } from "../../../source/engine/log/rows/repetition.ts";
import { describe, expect, it, test } from "vitest";
import {
  causeText,
  earlyEnding,
  endingText,
  hasOwnMistakes,
  unreadCause,
  unreadText,
} from "../../../source/engine/log/rows/cause-text.ts";
import { readAnyway } from "../../../source/engine/log/rows/cause-beside.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { describeTools } from "../../../source/engine/text/described-tools.ts";
import { type FormQuestion, freeText, type TextForm } from "../../../source/engine/benchmark.ts";
import type { Event, Failure, Row, Score } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

/** The form of these tests: a list of numbers in brackets, and any text as a thought or for a task of level "free". */
function form(text: string, { stage, facets }: Pick<FormQuestion, "stage" | "facets">): TextForm | undefined {
  if (stage === "thought" || facets["level"] === "free") return freeText;
  const list = /^\[[\d, ]*\]$/.test(text.trim());
  return list ? { got: text.replaceAll(" ", "").trim(), extent: "closed" } : undefined;
}

type Said = {
  readonly text?: string;
  readonly finish?: string;
  /** Number of tokens; null if the reply does not report it. */
  readonly output?: number | null;
  readonly calls?: readonly string[];
  /** Functions whose call ends within its arguments. */
  readonly brokenCalls?: readonly string[];
  readonly tools?: readonly string[];
  readonly role?: string;
  readonly prompt?: string;
  readonly stage?: string;
  /** Functions that the prompt describes. */
  readonly described?: readonly string[];
};

type Told = {
  readonly said?: readonly Said[];
  readonly value?: number | null;
  readonly failure?: Failure;
  readonly end?: string;
  readonly answer?: string;
  /** Requests that the task may send. */
  readonly steps?: number;
  readonly maxTokens?: number;
  readonly level?: string;
  /** The suite's names of functions that requests offer under other names. */
  readonly renamed?: Readonly<Record<string, string>>;
};

function rowOf(told: Told): Row {
  const { said = [], value, failure, end, answer, steps, maxTokens = 20, level, renamed } = told;
  const table = new RowTable(undefined, form);
  const take = (event: object) => table.take({ seq: 0, at: 0, task: "t", ...event } as Event);
  const spec = bareSpec("made", {
    maxTokens,
    actor: "lab/actor",
    roles: { actor: { maxTokens: 8 } },
    budget: steps === undefined ? {} : { task: { steps } },
  });
  table.take({ seq: 0, at: 0, type: "run-started", run: "r", spec, total: 1, warnings: [] });
  take({ type: "started", facets: level === undefined ? {} : { level }, question: "?" });
  if (renamed !== undefined) take({ type: "note", kind: "renamed", text: "", data: renamed });
  for (const [request, each] of said.entries()) {
    const { text = "", finish, output = 5, calls = [], brokenCalls = [], tools, role = "model", prompt } = each;
    const { stage = "answer", described = [] } = each;
    const offered = tools?.map((name) => ({ name, description: "", parameters: {} }));
    const told = described.map((name) => ({ name, description: "", parameters: {} }));
    const messages = [
      ...(told.length === 0 ? [] : [{ role: "system", content: describeTools(told) }]),
      { role: "user", content: prompt ?? `Request ${request}` },
    ];
    take({ type: "prompt", request, role, model: "m", stage, messages, ...(offered && { tools: offered }) });
    if (text !== "") take({ type: "text", request, text });
    for (const name of calls) take({ type: "call", request, call: { id: name, name, text: "{}", arguments: {} } });
    for (const name of brokenCalls) take({ type: "call", request, call: { id: name, name, text: "{" } });
    if (output !== null) take({ type: "usage", request, input: 1, output, estimated: false });
    if (finish !== "none") take({ type: "finish", request, reason: finish ?? "stop" });
  }
  if (end !== undefined) take({ type: "note", kind: "end", text: end });
  if (answer !== undefined) take({ type: "answer", answer });
  const score: Score = { value: value ?? undefined, metrics: {}, checks: [], errors: [] };
  if (value !== undefined) take({ type: "scored", score, suiteRevision: 1 });
  if (failure !== undefined) take({ type: "failed", failure });
  return table.row("t")!;
}

const causeIn = (told: Told) => rowOf(told).cause;
const nothing = "I would rather talk about the weather of the day";
const silent = (times: number) =>
  Array.from({ length: times }, (_, turn) => ({ text: `${nothing}, ${turn}`, tools: ["look"] }));
const timedOut: Failure = { kind: "timeout", message: "3 seconds" };

test("the share of a reply that repeats the prompt counts common passages of at least 20 characters", () => {
  const prompt = [{ role: "user", content: "Say which of the trains leaves first, and from where." }] as const;
  expect(echoedShare("which of the trains leaves first", prompt)).toBe(1);
  expect(echoedShare(`which of the trains leaves first??`, prompt)).toBeCloseTo(32 / 34, 12);
  // Two runs may share characters: "trains leaves first," and "Say which of the trains " are both in the prompt.
  expect(echoedShare("Say which of the trains leaves first, and from whereSay which of the trains", prompt)).toBe(1);
  const parts = [{ role: "user", content: "the red block is on top of it; on top of the blue block" }] as const;
  expect(echoedShare("the red block is on top of the blue block", parts)).toBe(1);
  // Nineteen characters are too short for a run, and below four fifths the cause is no echo.
  expect(echoedShare("of the trains leave", prompt)).toBe(0);
  expect(echoedShare("", prompt)).toBe(0);
});

describe("the cause of a task", () => {
  const cases: readonly (readonly [string, Told, object | undefined])[] = [
    ["runs", { said: [{ text: "[1]" }] }, undefined],
    ["failed before any reply", { failure: { kind: "model", message: "away" } }, undefined],
    ["was stopped", { said: [{ text: "x" }], failure: { kind: "stopped", message: "Stopped" } }, undefined],
    [
      "failed by a tool server",
      { said: [{ text: "x" }], failure: { kind: "tool", message: "gone" } },
      { cause: "environment", detail: "gone" },
    ],
    [
      "ended by an unreadable Responder",
      { said: [{ text: "[1]" }], end: "responder-unparsable", value: 0 },
      { cause: "environment" },
    ],
    [
      "has no readable verdict",
      { said: [{ text: "[1]" }, { text: "hm", role: "judge" }], value: null },
      { cause: "environment" },
    ],
    [
      "exceeded the context",
      { said: [{ text: "[1]" }], value: 1, failure: { kind: "context", message: "too long" } },
      { cause: "context", detail: "too long" },
    ],
    ["is right, in whatever form", { said: [{ text: nothing }], value: 1 }, { cause: "read" }],
    ["was refused", { said: [{ text: "No.", finish: "content_filter" }], value: 0 }, { cause: "refused" }],
    ["is empty", { said: [{ text: " \n" }], value: 0 }, { cause: "empty" }],
    [
      "repeats itself",
      { said: [{ text: `Well. ${"I see the sea. ".repeat(12)}` }], value: 0 },
      { cause: "repeats", from: 4 },
    ],
    [
      "repeats itself and is cut",
      { said: [{ text: "I see the sea. ".repeat(12), finish: "length", output: 20 }], value: 0 },
      { cause: "repeats", detail: "cut, too (maxTokens 20)" },
    ],
    [
      "is the same three times",
      { said: [{ text: nothing }, { text: nothing }, { text: nothing }], value: 0 },
      { cause: "repeats", request: 2 },
    ],
    [
      "is the same four times",
      { said: [{ text: nothing }, { text: nothing }, { text: nothing }, { text: nothing }], value: 0 },
      { cause: "repeats", request: 3 },
    ],
    [
      "is the same twice",
      { said: [{ text: nothing }, { text: nothing }], value: 0 },
      { cause: "other-form", request: 1 },
    ],
    [
      "is the same three times to the same request",
      { said: [1, 2, 3].map(() => ({ text: nothing, prompt: "Again" })), value: 0 },
      { cause: "other-form", request: 2 },
    ],
    [
      "is the same three times, once as a thought",
      { said: [{ text: nothing }, { text: nothing, stage: "thought" }, { text: nothing }], value: 0 },
      { cause: "other-form" },
    ],
    [
      "is cut",
      { said: [{ text: "[1, 2", finish: "length", output: 20 }], value: 0 },
      { cause: "cut", detail: "maxTokens 20" },
    ],
    [
      "is cut after more than 80 characters",
      { said: [{ text: `[${"1, ".repeat(33)}`, finish: "length" }], value: 0 },
      { cause: "cut", from: 20, to: 100 },
    ],
    [
      "is cut before the model's server reported a token",
      { said: [{ text: "[1, 2", finish: "length", output: null }], value: 0, maxTokens: 1 },
      { cause: "cut", detail: "the context", from: 0 },
    ],
    [
      "is cut within the second of two calls",
      { said: [{ calls: ["look"], brokenCalls: ["look"], tools: ["look"], finish: "length" }], value: 0 },
      { cause: "cut" },
    ],
    [
      "is cut after a complete call",
      { said: [{ calls: ["look"], tools: ["look"], finish: "length" }], value: 0 },
      { cause: "read" },
    ],
    [
      "calls a tool and writes a list in a fence",
      { said: [{ text: "```\n[1]\n```", calls: ["look"], tools: ["look"] }], value: 0 },
      { cause: "read" },
    ],
    [
      "is cut by the context",
      { said: [{ text: "[1, 2", finish: "length" }], value: 0 },
      { cause: "cut", detail: "the context" },
    ],
    [
      "is cut at the limit of its role",
      { said: [{ role: "actor", text: "[1, 2", finish: "length", output: 8 }], value: 0 },
      { cause: "cut", detail: "maxTokens 8" },
    ],
    [
      "is complete, but cut after the answer",
      { said: [{ text: "[1]\n\nand so", finish: "length" }], value: 0 },
      { cause: "wrapped" },
    ],
    [
      "is in a fence",
      { said: [{ text: "```json\n[1]\n```" }], value: 0 },
      { cause: "wrapped", detail: "fence", from: 0, to: 8 },
    ],
    [
      "has text only after the answer",
      { said: [{ text: "[1]\n\nI hope that helps." }], value: 0 },
      { cause: "wrapped", detail: "surrounding prose", from: 3, to: 23 },
    ],
    ["is one code span", { said: [{ text: "`[1]`" }], value: 0 }, { cause: "wrapped", from: 0, to: 1 }],
    [
      "comes twice, with words between",
      { said: [{ text: "So [1] it is:\n[1]" }], value: 0 },
      { cause: "wrapped", from: 0, to: 3 },
    ],
    ["is in bold bullets", { said: [{ text: "- **[1]**" }], value: 0 }, { cause: "wrapped", detail: "bullets, bold" }],
    ["calls no tool", { said: [{ text: nothing, tools: ["look"] }], value: 0 }, { cause: "no-call" }],
    [
      "calls a tool that is not offered",
      { said: [{ calls: ["find"], tools: ["look"] }], value: 0 },
      { cause: "unknown-tool", detail: "find" },
    ],
    [
      "calls a tool by the suite's name that is offered by another",
      { said: [{ calls: ["look"], tools: ["view"] }], value: 0, renamed: { view: "look" } },
      { cause: "read" },
    ],
    [
      "calls a tool by a name that another kind of note contains",
      { said: [{ calls: ["look"], tools: ["view"] }], value: 0 },
      { cause: "unknown-tool", detail: "look" },
    ],
    [
      "thinks aloud after a call while tools are offered",
      {
        said: [
          { calls: ["look"], tools: ["look"] },
          { text: nothing, tools: ["look"] },
        ],
        value: 0,
      },
      { cause: "read", request: 1 },
    ],
    [
      "has another form after a call once no tools are offered",
      { said: [{ calls: ["look"], tools: ["look"] }, { text: nothing }], value: 0 },
      { cause: "other-form", request: 1 },
    ],
    [
      "calls a tool and then, in nine replies, none",
      { said: [{ calls: ["look"], tools: ["look"] }, ...silent(9)], value: 0 },
      { cause: "read", request: 9 },
    ],
    [
      "calls a tool and then, in ten replies, none",
      { said: [{ calls: ["look"], tools: ["look"] }, ...silent(10)], value: 0 },
      { cause: "no-call", request: 10 },
    ],
    [
      "calls no tool that its prompt describes",
      { said: [{ text: nothing, described: ["look"] }], value: 0 },
      { cause: "no-call" },
    ],
    [
      "calls a tool that its prompt does not describe",
      { said: [{ calls: ["find"], described: ["look"] }], value: 0 },
      { cause: "unknown-tool", detail: "find" },
    ],
    [
      "uses up its requests with tool calls",
      { said: [{ calls: ["look"], tools: ["look"] }], value: 0, end: "no answer", steps: 1 },
      { cause: "limit", detail: "Model requests are used up: 1" },
    ],
    [
      "repeats its prompt",
      { said: [{ text: "Say what the weather will be", prompt: "Say what the weather will be tomorrow" }], value: 0 },
      { cause: "echo" },
    ],
    [
      "repeats 20 of its 26 characters from its prompt, without a score",
      { said: [{ text: "Say what the weatherABCDEF", prompt: "Say what the weather" }], value: null },
      { cause: "other-form" },
    ],
    [
      "repeats 20 of its 25 characters from its prompt, without a score",
      { said: [{ text: "Say what the weatherABCDE", prompt: "Say what the weather" }], value: null },
      { cause: "echo" },
    ],
    [
      "is any text for a task that takes any",
      { said: [{ text: nothing }], value: 0, level: "free" },
      { cause: "read" },
    ],
    ["has another form", { said: [{ text: nothing }], value: 0 }, { cause: "other-form", from: 0, to: nothing.length }],
    [
      "was ended by a limit",
      { said: [{ text: "[1]" }], end: "step limit", value: 0 },
      { cause: "limit", detail: "step limit" },
    ],
    [
      "used up its budget",
      { said: [{ text: "[1]" }], value: 0, failure: { kind: "budget", message: "3 steps" } },
      { cause: "limit", detail: "3 steps" },
    ],
    [
      "used up its budget without a score",
      { said: [{ text: "[1]" }], failure: { kind: "budget", message: "3 steps" } },
      { cause: "limit", detail: "3 steps" },
    ],
    [
      "was interrupted within a reply by the time limit",
      { said: [{ text: nothing, finish: "none" }], value: 0, failure: timedOut },
      { cause: "limit", detail: "3 seconds" },
    ],
    [
      "was interrupted before the first word of the next reply",
      { said: [{ text: "[1]" }, { finish: "none" }], value: 0, failure: timedOut },
      { cause: "limit", request: 1 },
    ],
    [
      "was interrupted before it called a function",
      { said: [{ text: nothing, finish: "none", tools: ["add"] }], value: 0, failure: timedOut },
      { cause: "limit" },
    ],
    [
      "repeated itself until the time limit",
      { said: [{ text: "again and ".repeat(30), finish: "none" }], value: 0, failure: timedOut },
      { cause: "repeats" },
    ],
    [
      "has another form and ended before the time limit",
      { said: [{ text: nothing }], value: 0, failure: timedOut },
      { cause: "other-form" },
    ],
    ["reached the time limit before any reply", { said: [{ finish: "none" }], value: 0, failure: timedOut }, undefined],
    ["was read and is wrong", { said: [{ text: "[1]" }], value: 0 }, { cause: "read", request: 0 }],
    ["is imported", { answer: "> [1]", value: 0 }, { cause: "wrapped", detail: "quoted lines" }],
  ];
  test.each(cases)("is found if the task or its reply %s", (_, told, expected) => {
    const cause = causeIn(told);
    if (expected === undefined) expect(cause).toBeUndefined();
    else expect(cause).toMatchObject(expected);
  });

  test("comes from the last attempt, and changes when the task gets a new score", () => {
    const table = new RowTable(undefined, form);
    const take = (event: object) => table.take({ seq: 0, at: 0, task: "t", ...event } as Event);
    table.take({ seq: 0, at: 0, type: "run-started", run: "r", spec: bareSpec("made"), total: 1, warnings: [] });
    const scored = (value: number) =>
      take({ type: "scored", score: { value, metrics: {}, checks: [], errors: [] }, suiteRevision: 1 });
    for (const text of ["", "```\n[1]\n```"]) {
      take({ type: "started", facets: {}, question: "?" });
      take({ type: "prompt", request: 0, role: "model", model: "m", stage: "answer", messages: [] });
      if (text !== "") take({ type: "text", request: 0, text });
      take({ type: "finish", request: 0, reason: "stop" });
      scored(0);
      expect(table.row("t")!.cause!.cause).toBe(text === "" ? "empty" : "wrapped");
    }
    expect(table.sums().unread).toEqual({ wrapped: 1 });
    scored(1);
    expect(table.row("t")!.cause).toEqual({ cause: "read", request: 0 });
    expect(table.sums().unread).toEqual({});
  });

  test("is written in words on the screen", () => {
    expect(causeText({ cause: "cut", detail: "maxTokens 200" })).toBe("cut at 200 tokens");
    expect(causeText({ cause: "wrapped", detail: "fence" })).toBe("wrapped (fence)");
    expect(unreadText({ wrapped: 3, "cut at 200 tokens": 9 }, 50)).toBe(
      "12 of 50 not read: 9 cut at 200 tokens, 3 wrapped",
    );
    expect(unreadText({}, 50)).toBeUndefined();
    expect(unreadText({ empty: 1, "by a limit (Steps)": 2, "without a reply (3 s)": 3 }, 8)).toBe(
      "1 of 8 not read: 1 empty; 5 of 8 ended early: 3 without a reply (3 s), 2 by a limit (Steps)",
    );
  });

  it("contains how the task ended if it was scored without a complete answer", () => {
    const silent = rowOf({ said: [{ finish: "none" }], value: 0, failure: timedOut });
    expect([silent.cause, endingText(silent), earlyEnding(silent)]).toEqual([
      undefined,
      "no reply (3 seconds)",
      "without a reply (3 seconds)",
    ]);
    const limited = rowOf({ said: [{ text: "[1]" }], value: 0, failure: timedOut });
    expect([endingText(limited), earlyEnding(limited)]).toEqual([
      "ended by a limit (3 seconds)",
      "by a limit (3 seconds)",
    ]);
    const read = rowOf({ said: [{ text: "[1]" }], value: 0 });
    expect([endingText(read), earlyEnding(read), hasOwnMistakes(read)]).toEqual([undefined, undefined, true]);
    expect([silent, limited].map(hasOwnMistakes)).toEqual([false, false]);
  });
});

test("an interrupted attempt is forgotten once the run continues, and the new attempt has its own cause", () => {
  const table = new RowTable(undefined, form);
  const take = (event: object) => table.take({ seq: 0, at: 0, task: "t", ...event } as Event);
  table.take({ seq: 0, at: 0, type: "run-started", run: "r", spec: bareSpec("made", {}), total: 1, warnings: [] });
  const score: Score = { value: 0, metrics: {}, checks: [], errors: [] };
  const attempt = (text: string) => {
    take({ type: "started", facets: {}, question: "?" });
    const messages = [{ role: "user", content: "Request" }];
    take({ type: "prompt", request: 0, role: "model", model: "m", stage: "answer", messages });
    take({ type: "text", request: 0, text });
    take({ type: "scored", score, suiteRevision: 1 });
  };
  attempt(nothing);
  attempt("> [1]");
  expect(table.row("t")!.cause).toMatchObject({ cause: "wrapped" });
  take({ type: "failed", failure: timedOut });
  expect(table.row("t")!.cause).toMatchObject({ cause: "wrapped" });
});

test("the detail of a limit is a sentence, whereas the name of a function is unchanged", () => {
  expect(causeText({ cause: "limit", detail: "step limit" })).toBe("ended by a limit (the step limit was reached)");
  expect(causeText({ cause: "unknown-tool", detail: "nothing" })).toBe("unknown tool (nothing)");
});

test("the text about an unread answer contains further facts, and says if the official program reads something", () => {
  const cut = { cause: "cut", detail: "maxTokens 20" } as const;
  expect(unreadCause(cut, [])).toBe("Not read: cut at 20 tokens");
  expect(unreadCause(cut, ["so far prose"])).toBe("Not read: cut at 20 tokens; so far prose");
  expect(unreadCause(cut, [readAnyway])).toBe(`Not an answer: cut at 20 tokens; ${readAnyway}`);
});

test("the text of a repetition also contains the limit that truncated the reply", () => {
  expect(causeText({ cause: "repeats", detail: "cut, too (maxTokens 20)" })).toBe(
    "repeats itself (also cut at 20 tokens)",
  );
  expect(causeText({ cause: "cut", detail: "maxTokens 20" })).toBe("cut at 20 tokens");
  expect(causeText({ cause: "wrapped", detail: "fence" })).toBe("wrapped (fence)");
});
