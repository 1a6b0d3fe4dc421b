/** Agents of a recording side by side on the trajectory screen. */
import { describe, expect, it } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { linesOf, visibleLines } from "../../../source/terminal/trajectory/position.ts";
import { agentLanes } from "../../../source/terminal/trajectory/sections/agent-lanes.ts";
import { stepBlocks, stepBlocksAround } from "../../../source/terminal/trajectory/sections/step-blocks.ts";
import type { View } from "../../../source/terminal/trajectory/view.ts";
import { openView } from "./open-view.ts";

const asked = (request: number, agent: string | undefined, content: string) => ({
  type: "prompt",
  role: "model",
  model: "m",
  stage: "",
  request,
  ...(agent !== undefined && { agent }),
  messages: [{ role: "user", content }],
});
const call = { id: "c", name: "grep", text: '{"word":"open"}', arguments: { word: "open" } };
const events = [
  asked(0, "main", "Mend it."),
  { type: "text", request: 0, text: "I look for all uses first, so that nothing is forgotten while I mend it." },
  { type: "call", request: 0, call },
  { type: "finish", request: 0, reason: "stop" },
  { type: "result", callId: "c", name: "grep", result: { ok: true, status: 0, observation: "three places" } },
  asked(1, "Explore", "Find all uses."),
  { type: "text", request: 1, text: "There are three." },
  { type: "finish", request: 1, reason: "stop" },
  { type: "note", kind: "unread", text: "a line" },
];

function trajectoryOf(given: readonly object[]) {
  const fold = new TrajectoryFold("t");
  for (const event of given) fold.take({ seq: 0, at: 0, task: "t", ...event } as TaskEvent);
  return fold.trajectory;
}
const viewOf = (columns: number, more: Partial<View> = {}) => openView(columns, { lanes: true, ...more });
const lanesAt = (columns: number, given = events, more: Partial<View> = {}) =>
  agentLanes(trajectoryOf(given).entries, viewOf(columns, more));

describe("lanes of agents in a trajectory", () => {
  it("are side by side from 44 columns each, and each has its name above it", () => {
    const blocks = stepBlocks(trajectoryOf(events), viewOf(92));
    const lines = visibleLines(blocks, 0, linesOf(blocks)).map((line) => lineText(line).trimEnd());
    expect(lines).toEqual([
      "  Requests  main 1, Explore 2",
      "",
      "  main                                       │   Explore",
      "",
      "── main    m                                 │",
      "  User  Mend it.                             │",
      "  I look for all uses first, so that nothing │",
      "  is forgotten while I mend it.              │",
      '  grep(word="open")                          │',
      "  ✓ →  three places                          │",
      "                                             │",
      "                                             │ ── Explore    m",
      "                                             │   User  Find all uses.",
      "                                             │   There are three.",
      "  Note  unread  a line",
    ]);
    expect(stepBlocks(trajectoryOf(events), viewOf(90))[2]!.id).toBe("step 0");
  });

  it("are absent for one speaker, for more than four speakers, for roles without names, and in raw or unwrapped view", () => {
    expect(lanesAt(91)).toMatchObject({ names: ["main", "Explore"], columns: 44 });
    expect(lanesAt(90)).toBeUndefined();
    expect(lanesAt(300, events.slice(0, 5))).toBeUndefined();
    const many = (count: number) => Array.from({ length: count }, (_, index) => asked(index, `agent ${index}`, "Go."));
    expect(lanesAt(300, many(4))).toMatchObject({ columns: 72 });
    expect(lanesAt(300, many(5))).toBeUndefined();
    const roles = [asked(0, undefined, "Go."), { ...asked(1, undefined, "Go."), role: "judge" }];
    expect(lanesAt(300, roles)).toBeUndefined();
    expect(lanesAt(200, events, { raw: true })).toBeUndefined();
    expect(lanesAt(200, events, { wrapped: false })).toBeUndefined();
    expect(agentLanes(trajectoryOf(events).entries, openView(200))).toBeUndefined();
  });

  it("contain results in the lane of the caller, and give parts without a speaker the whole width", () => {
    const lanes = lanesAt(120)!;
    expect([0, 1, 2, 3, 4].map(lanes.of)).toEqual([0, 0, 1, undefined, undefined]);
  });

  it("are the same around a step of a long trajectory and in the whole trajectory", () => {
    const trajectory = trajectoryOf(events);
    const around = stepBlocksAround(1, trajectory, viewOf(92), 100);
    const whole = stepBlocks(trajectory, viewOf(92));
    const textOf = (blocks: typeof around) => visibleLines(blocks, 0, linesOf(blocks)).map(lineText);
    expect(textOf(around)).toEqual(textOf(whole).slice(4));
  });
});
