import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import { endedRounds, requestBlocks, roundBlocks, roundsOf, sidesHead } from "../../../source/terminal/live/rounds.ts";
import type { Block } from "../../../source/terminal/trajectory/block.ts";
import type { View } from "../../../source/terminal/trajectory/view.ts";

const { symbols } = openTheme({ colour: false, ascii: false });
const view = (columns: number): View => ({
  columns,
  symbols,
  texts: new WrappedTexts(),
  wrapped: true,
  brief: true,
  toggled: new Set(),
  errorKinds: [],
});

/** A conversation of these replies; each role gets a prompt of three lines. */
function conversation(...replies: readonly (readonly [role: "model" | "responder", text: string, result?: string])[]) {
  const fold = new TrajectoryFold("t");
  const take = (event: object, at: number) => fold.take({ seq: 0, at, task: "t", ...event } as TaskEvent);
  for (const [request, [role, text, result]] of replies.entries()) {
    const messages = [{ role: "user", content: "one\ntwo\nthree" }];
    take({ type: "prompt", request, role, model: `lab/${role}`, stage: "s", messages }, request * 2000);
    if (result === undefined) take({ type: "text", request, text }, request * 2000);
    else {
      const call = { id: `c${request}`, name: "book", text, arguments: {} };
      take({ type: "call", request, call }, request * 2000);
      take(
        { type: "result", callId: call.id, name: "book", result: { ok: true, observation: result, status: "ok" } },
        0,
      );
    }
    take({ type: "finish", request, reason: "stop" }, request * 2000 + 1500);
  }
  return fold.trajectory;
}

const linesIn = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => Array.from({ length: block.count }, (_, at) => lineText(block.line(at)).trimEnd()));

const step = (number: number, description: string, action: string, results?: string) =>
  JSON.stringify({
    thought: "Two steps do it.",
    step: { step_number: number, description, action, ...(results !== undefined && { results }) },
  });

const dialogue = conversation(
  ["model", step(1, "Pick a training", "pick(goal=1)")],
  ["responder", step(1, "Pick a training", "pick(goal=1)", "PT-1")],
  ["model", step(2, "Schedule it", "schedule(PT-1)")],
  ["responder", step(2, "Schedule it", "schedule(PT-1)", "SC-2")],
  ["model", step(3, "Review it", "review(SC-2)")],
);

describe("rounds of a conversation", () => {
  it("start when the first side is asked again, or with each request", () => {
    expect(roundsOf(dialogue, true)).toEqual([
      { model: [0], other: [1] },
      { model: [2], other: [3] },
      { model: [4], other: [] },
    ]);
    expect(roundsOf(dialogue, false).map(({ model }) => model)).toEqual([[0], [1], [2], [3], [4]]);
    expect([endedRounds(dialogue, true), endedRounds(dialogue, false)]).toEqual([2, 4]);
    expect(roundsOf(conversation(), true)).toEqual([]);
    expect(endedRounds(conversation(), true)).toBe(0);
  });

  it("show a thought once, omit repeated messages of the other side, and count the messages of the first prompt", () => {
    expect(linesIn(roundBlocks(dialogue, view(34), 0))).toEqual([
      "  Round 1  1.5 s                   │   1.5 s",
      "  … 3 lines of prompt              │   … 3 lines of prompt",
      "  thought  Two steps do it.        │   thought  Two steps do it.",
      "  1  Pick a training               │   1  → PT-1",
      "     pick(goal=1)                  │",
      "  Round 2  1.5 s                   │   1.5 s",
      "  thought  as before               │   thought  as before",
      "  2  Schedule it                   │   2  → SC-2",
      "     schedule(PT-1)                │",
      "  Round 3  1.5 s                   │",
      "  thought  as the last 2 times     │",
      "  3  Review it                     │",
      "     review(SC-2)                  │",
    ]);
  });

  it("take one line each when folded: the action and its result", () => {
    expect(linesIn(roundBlocks(dialogue, view(34), 2)).slice(0, 3)).toEqual([
      "  1  pick(goal=1)                  │   → PT-1",
      "  2  schedule(PT-1)                │   → SC-2",
      "  Round 3  1.5 s                   │",
    ]);
  });
});

describe("requests in a lane of the live view", () => {
  const tools = conversation(
    ["model", '{"seats": 2}', "full"],
    ["model", "I look for another one.\nIt may be far."],
    ["model", '{"seats": 1}', '{"place": "Odeon", "left": 3}'],
    ["model", "Done."],
  );

  it("take one line each, with the first result, when folded", () => {
    const lines = linesIn(requestBlocks(tools, view(60), 3, 40));
    expect(lines.slice(0, 3)).toEqual([
      "  1  book(seats=2) → full",
      "  2  I look for another one.",
      "  3  book(seats=1) → place Odeon, left 3",
    ]);
    expect(lines.slice(3).join(" ")).toContain("Done.");
    expect(lines.join(" ")).not.toContain("It may be far");
  });

  it("are drawn only from the first row that the window shows", () => {
    expect(linesIn(requestBlocks(tools, view(60), 3, 5)).length).toBeLessThan(8);
    expect(linesIn(requestBlocks(tools, view(60), 3, 5))[0]).toMatch(/^ {2}[23] {2}/);
  });
});

it("the heading of the other side shows the last text that it received, before its model", () => {
  const seen = (text: string) => ({ kind: "note", note: "seen", text, data: { side: "user" }, at: 0 }) as const;
  const trajectory = { ...dialogue, entries: [seen("no signal"), ...dialogue.entries, seen("5G | 64%")] };
  const heads = (given: typeof dialogue) => lineText(sidesHead(given, view(40)));
  expect(heads(dialogue)).toBe("  Model  lab/model                       │   Responder  lab/responder");
  expect(heads(trajectory)).toBe("  Model  lab/model                       │   Responder  5G | 64%  lab/responder");
});
