import { describe, expect, it } from "vitest";
import type { TextForm } from "../../../source/engine/benchmark.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { bareSpec } from "../../bare-spec.ts";
import { runWords, type RunWords } from "../../../source/engine/log/run-words.ts";
import { TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { Cause, Json, TaskEvent } from "../../../source/engine/types.ts";
import { linesOf, visibleLines } from "../../../source/terminal/trajectory/position.ts";
import { stepBlocks } from "../../../source/terminal/trajectory/sections/step-blocks.ts";
import { openView } from "./open-view.ts";

const call = { id: "a", name: "currency_rate_for_table", text: '{"base":"SUN","quote":"MARL"}', arguments: {} };
const result = { ok: true, status: 0, observation: '{"error": "", "rate": 3}' };
const turn = [
  { type: "prompt", role: "model", model: "m", stage: "step", messages: [] },
  { type: "thinking", text: "\n\nFirst the rate.\nThen the rest.\nThen all." },
  { type: "call", call },
  { type: "finish", reason: "stop" },
  { type: "result", callId: "a", name: call.name, result },
];

function drawn(
  events: readonly object[],
  columns: number,
  brief = false,
  words: RunWords = {},
  cause?: Cause,
): string[] {
  const fold = new TrajectoryFold("t");
  for (const event of events) fold.take({ seq: 0, at: 0, task: "t", request: 0, ...event } as TaskEvent);
  const view = openView(columns, { brief, words });
  const blocks = stepBlocks({ ...fold.trajectory, ...(cause && { cause }) }, view);
  return visibleLines(blocks, 0, linesOf(blocks)).map((line) => lineText(line).trimEnd());
}

describe("a request with its calls and results", () => {
  it("shows its first words, with the size of the remaining text", () => {
    expect(drawn(turn, 90).slice(1)).toEqual([
      "  Thinking  First the rate.  4 more lines: Enter",
      '  currency_rate_for_table(base="SUN", quote="MARL")',
      "  ✓ →  rate  3",
    ]);
  });

  it("shows arguments in a narrow lane, and describes a result by its value rather than its call", () => {
    expect(drawn(turn, 46, true).slice(1)).toEqual([
      "  Thinking  First the rate.  4 more lines",
      '  currency_rate_for_table(base="SUN",',
      '    quote="MARL")',
      "  ✓ →  rate  3",
    ]);
  });

  it("shows a result's values on one line if there is room, otherwise their number", () => {
    const nested = {
      ...result,
      observation: '{"error": "", "response": {"country": "Sundale", "days": [], "date": null, "at": {"day": 21}}}',
    };
    const events = [
      ...turn.slice(0, 1),
      { type: "call", call },
      { type: "result", callId: "a", name: call.name, result: nested },
    ];
    expect(drawn(events, 60).at(-1)).toBe("  ✓ →  country Sundale, day 21");
    expect(drawn(events, 29).at(-1)).toMatch(/^ {2}✓ →.* more lines: Enter$/);
  });

  it("shows the call of each result if there are several, truncated at two fifths of the line", () => {
    const other = { id: "b", name: "say", text: "{}", arguments: {} };
    const both = [
      ...turn.slice(0, 1),
      { type: "call", call },
      { type: "call", call: other },
      { type: "finish", reason: "stop" },
      { type: "result", callId: "a", name: call.name, result },
      { type: "result", callId: "b", name: "say", result: { ok: false, status: "refused", observation: "no" } },
    ];
    expect(drawn(both, 60).slice(-2)).toEqual(["  ✓ currency_rate_for_table… →  rate  3", "  ✗ say() →  refused  no"]);
  });

  it("waits until the first words of a reply arrive", () => {
    expect(drawn(turn.slice(0, 1), 46)[0]).toMatch(/waiting$/);
    expect(drawn(turn.slice(0, 2), 46)[0]).toMatch(/streaming$/);
  });
});

describe("an answer that could not be read", () => {
  it("shows the reason below the characters that caused it", () => {
    const said = [turn[0]!, { type: "text", text: "Sure, here:\n\n[1]" }, { type: "finish", reason: "stop" }];
    const cause = { cause: "wrapped", request: 0, from: 0, to: 11, detail: "leading prose" } as const;
    expect(drawn(said, 60, false, {}, cause).slice(1)).toEqual([
      "  Sure, here:",
      "  ▔▔▔▔▔▔▔▔▔▔▔  ✗ Not read: wrapped (leading prose)",
      "",
      "  [1]",
    ]);
    expect(drawn(said, 60, false, {}, { cause: "read", request: 0 }).join()).not.toContain("Not read");
  });

  it("shows the form that was asked for, and that the official program read a reply that is no answer", () => {
    const said = [turn[0]!, { type: "text", text: "I would go." }, { type: "finish", reason: "stop" }];
    const shown = (cause: "other-form" | "echo", read: TextForm | undefined) => {
      const words = { reading: { spec: bareSpec("made"), form: () => read, formName: () => "a list in JSON" } };
      return drawn(said, 100, false, words, { cause, request: 0 }).join("\n");
    };
    expect(shown("other-form", undefined)).toContain("✗ Not read: other form; prose instead of a list in JSON");
    expect(shown("echo", { got: "go", extent: "open" })).toContain(
      "✗ Not an answer: echoes its prompt; the official program still reads an answer from the reply",
    );
  });
});

describe("a recording of several agents", () => {
  const asked = (request: number, agent: string, content: string) => ({
    type: "prompt",
    role: "model",
    model: "m",
    stage: "",
    request,
    agent,
    messages: [{ role: "user", content }],
  });
  const events = [
    asked(0, "main", "Mend it."),
    asked(1, "Explore", "Find all uses."),
    asked(2, "Explore", "Find all uses."),
    asked(3, "main", "Mend it."),
  ];

  it("starts with the agents' requests, shows the agent above each request, and compares only prompts of the same agent", () => {
    expect(drawn(events, 60)).toEqual([
      "  Requests  main 1, Explore 2-3, main 4",
      "",
      "── main    m  waiting",
      "  User  Mend it.",
      "",
      "── Explore    m  waiting",
      "  User  Find all uses.",
      "",
      "── Explore    m  waiting",
      "",
      "── main    m  waiting",
    ]);
    expect(drawn(events.slice(0, 1), 60)[0]).toBe("── main    m  waiting");
  });
});

describe("texts of a trajectory", () => {
  const prompt = turn[0]!;
  const strategies = [
    { name: "react", roles: ["model"] },
    { name: "tool-planner", roles: ["model", "actor"], roleNames: { model: "Planner" } },
  ] as unknown as Suite["strategies"];

  it.each([
    ["react", "model", "Model"],
    ["tool-planner", "model", "Planner"],
    ["tool-planner", "actor", "Actor"],
  ])("call the role of %s `%s` %s", (strategy, role, name) => {
    const words = runWords(bareSpec("made", { strategy }), { strategies });
    expect(drawn([{ ...prompt, role }], 60, false, words)[0]).toMatch(new RegExp(`^── ${name}  step`));
  });

  it.each([
    ["model", 120, { maxTokens: 120 }, "  cut at 120 tokens (maxTokens)"],
    ["model", 64, { maxTokens: 120 }, "  cut at 64 tokens"],
    ["model", 120, {}, "  cut at 120 tokens"],
    ["actor", 64, { maxTokens: 120, roles: { actor: { maxTokens: 64 } } }, "  cut at 64 tokens (maxTokens)"],
    ["responder", 120, { maxTokens: 120, roles: { responder: { maxTokens: 512 } } }, "  cut at 120 tokens"],
    ["responder", 120, { maxTokens: 120 }, "  cut at 120 tokens (maxTokens)"],
    ["judge", 512, { maxTokens: 120, judging: { maxTokens: 512 } }, "  cut at 512 tokens (maxTokens)"],
    ["judge", 120, { maxTokens: 120, judging: { maxTokens: 512 } }, "  cut at 120 tokens"],
  ] as const)("contain the limit of a %s that truncated the reply at %i tokens", (role, output, settings, expected) => {
    const words = runWords(bareSpec("made", settings), { strategies });
    const asked = { ...prompt, role };
    const cut = [asked, { type: "text", text: "1. Go" }, { type: "usage", input: 9, output, estimated: false }];
    expect(drawn([...cut, { type: "finish", reason: "length" }], 60, false, words).at(-1)).toBe(expected);
  });

  it.each([
    ["planner-unparsable", "no plan could be read"],
    ["context: 9,000 tokens do not fit", "the next request did not fit the context: 9,000 tokens do not fit"],
    ["an agent's own reason: 7", "an agent's own reason: 7"],
  ])("explain %s in a sentence", (text, sentence) => {
    expect(drawn([{ type: "note", kind: "end", text }], 120).join(" ")).toContain(sentence);
    if (text === "planner-unparsable")
      expect(drawn([{ type: "note", kind: "end", text }], 120).join(" ")).not.toContain(text);
  });

  it("describe the end of a dialogue's answer in a sentence, and leave any other answer unchanged", () => {
    const answered = (answer: Json) => drawn([{ type: "answer", answer }], 120).join(" ");
    expect(answered({ end: "planner-unparsable", dialogue: [] })).toContain("no plan could be read");
    expect(answered({ end: "planner-unparsable" })).not.toContain("planner-unparsable");
    expect(answered("planner-unparsable")).toContain("planner-unparsable");
  });
});
