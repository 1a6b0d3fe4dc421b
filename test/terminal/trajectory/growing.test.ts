import { expect, test, vi } from "vitest";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { TrajectoryFold } from "../../../source/engine/log/trajectory.ts";
import type { Message, TaskEvent } from "../../../source/engine/types.ts";
import { WrappedTexts } from "../../../source/terminal/drawing/wrapped-text.ts";
import type { Block } from "../../../source/terminal/trajectory/block.ts";
import { linesOf, visibleLines } from "../../../source/terminal/trajectory/position.ts";
import {
  areDrawn,
  drawnEntries,
  lastStepBlocks,
  stepBlocks,
  stepBlocksAround,
} from "../../../source/terminal/trajectory/sections/step-blocks.ts";
import { openView } from "./open-view.ts";

const view = () => openView(60);

function folded(requests: number) {
  const fold = new TrajectoryFold("t");
  const messages: Message[] = [{ role: "system", content: "Plan." }];
  let request = 0;
  const take = (event: object) => fold.take({ seq: 0, at: 0, task: "t", ...event } as TaskEvent);
  const more = () => {
    messages.push({ role: "user", content: `question ${request}` });
    const role = request % 3 === 0 ? "responder" : "model";
    take({ type: "prompt", request, role, model: "m", stage: "step", messages: [...messages] });
    take({ type: "text", request, text: `reply ${request}\n`.repeat(request % 5) });
    take({ type: "note", kind: "switch", text: "next" });
    request += 1;
  };
  for (let index = 0; index < requests; index++) more();
  return { fold, more };
}

test("a lane draws only the end of a trajectory, exactly as it looks in the whole trajectory", () => {
  const { trajectory } = folded(200).fold;
  const whole = stepBlocks(trajectory, view());
  for (const height of [1, 7, 30, 5000]) {
    const end = lastStepBlocks(trajectory, view(), height);
    const last = Math.min(height, linesOf(whole));
    expect(visibleLines(end, linesOf(end) - last, last)).toEqual(visibleLines(whole, linesOf(whole) - last, last));
  }
  const lines = vi.spyOn(WrappedTexts.prototype, "lines");
  lastStepBlocks(trajectory, view(), 20);
  expect(lines.mock.calls.length).toBeLessThan(40);
  lines.mockRestore();
});

test("the surroundings of a step in a long trajectory are drawn alone, exactly as they look in the whole trajectory", () => {
  const { trajectory } = folded(200).fold;
  const whole = stepBlocks(trajectory, view());
  for (const step of [0, 1, 200, 399, 400]) {
    const part = stepBlocksAround(step, trajectory, view(), 30);
    const own = new Set(part.map(({ id }) => id));
    const same = whole.filter(({ id }) => own.has(id));
    expect(visibleLines(part, 0, linesOf(part))).toEqual(visibleLines(same, 0, linesOf(same)));
    const at = part.findIndex(({ id }) => id.split(" ", 2).join(" ") === `step ${step}`);
    const before = at < 0 ? linesOf(part) : linesOf(part.slice(0, at));
    expect(before).toBeGreaterThanOrEqual(step === 0 ? 0 : step === 1 ? 3 : 30);
    expect(linesOf(part) - before).toBeGreaterThanOrEqual(step === 400 ? 0 : step === 399 ? 1 : 30);
    expect(linesOf(part)).toBeLessThan(90);
  }
});

test("a trajectory that grows is redrawn only at its end", () => {
  const { fold, more } = folded(200);
  const look = view();
  stepBlocks(fold.trajectory, look);
  const lines = vi.spyOn(WrappedTexts.prototype, "lines");
  more();
  const grown = stepBlocks(fold.trajectory, look);
  expect(lines.mock.calls.length).toBeLessThan(10);
  lines.mockRestore();
  const text = (blocks: ReturnType<typeof stepBlocks>) => visibleLines(blocks, 0, linesOf(blocks));
  expect(text(grown)).toEqual(text(stepBlocks(fold.trajectory, view())));
});

test("earlier messages are not redrawn while a reply streams", () => {
  const { fold } = folded(20);
  const look = view();
  const prompts = () =>
    lastStepBlocks(fold.trajectory, look, 5).filter(({ id }) => /^step 38 (message|retry)/.test(id));
  const before = prompts();
  expect(before.length).toBeGreaterThan(0);
  const grow = (text: string) => fold.take({ type: "text", request: 19, text, seq: 0, at: 0, task: "t" } as TaskEvent);
  grow("More of it.");
  const after = prompts();
  expect(after.every((block, index) => block === before[index])).toBe(true);
  // Another width is drawn anew, like a first drawing.
  const narrow = { ...look, columns: 30 };
  const text = (blocks: readonly Block[]) => visibleLines(blocks, 0, linesOf(blocks)).map(lineText);
  expect(text(lastStepBlocks(fold.trajectory, narrow, 5))).toEqual(
    text(lastStepBlocks(fold.trajectory, { ...view(), columns: 30 }, 5)),
  );
  expect(text(lastStepBlocks(fold.trajectory, look, 5))).toEqual(text(lastStepBlocks(fold.trajectory, view(), 5)));
});

test("expanding a step redraws only that step, and toggling line wrapping reuses earlier drawings", () => {
  const { trajectory } = folded(200).fold;
  const look = view();
  const wrapped = stepBlocks(trajectory, look);
  stepBlocks(trajectory, { ...look, wrapped: false });
  const lines = vi.spyOn(WrappedTexts.prototype, "lines");
  stepBlocks(trajectory, { ...look, wrapped: false });
  const again = stepBlocks(trajectory, { ...look });
  expect(lines).not.toHaveBeenCalled();
  // An unchanged list keeps values computed from it, such as the position of each step.
  expect(again).toBe(wrapped);
  const text = (blocks: ReturnType<typeof stepBlocks>) => visibleLines(blocks, 0, linesOf(blocks));
  expect(text(again)).toEqual(text(wrapped));
  const toggled = new Set(["step 12 reply", "step 12 message 0"]);
  const expanded = stepBlocks(trajectory, { ...look, toggled });
  expect(lines.mock.calls.length).toBeLessThan(10);
  lines.mockRestore();
  expect(text(expanded)).toEqual(text(stepBlocks(trajectory, { ...view(), toggled })));
  expect(text(stepBlocks(trajectory, { ...look, columns: 30 }))).toEqual(
    text(stepBlocks(trajectory, { ...view(), columns: 30 })),
  );
});

test("a trajectory is drawn identically, byte for byte, whichever view was drawn first", () => {
  const { fold } = folded(1);
  const call = { id: "a", name: "book", text: '{"seats": 2}', arguments: { seats: 2 } };
  fold.take({ seq: 0, at: 0, task: "t", type: "call", request: 0, call } as TaskEvent);
  const look = view();
  const drawn = (raw: boolean) => {
    const blocks = stepBlocks(fold.trajectory, { ...look, raw });
    return visibleLines(blocks, 0, linesOf(blocks)).map(lineText).join("\n");
  };
  expect(drawn(false)).toContain("\n  book(seats=2)");
  expect(drawn(true)).toContain('Tool call  book  {"seats": 2}');
  expect(drawn(false)).toContain("\n  book(seats=2)");
});

test("the steps of a long trajectory are drawn a few at a time, then kept until the width changes", () => {
  const { fold, more } = folded(500);
  const look = view();
  expect(areDrawn(fold.trajectory, look)).toBe(false);
  const lines = vi.spyOn(WrappedTexts.prototype, "lines");
  const drawing = drawnEntries(fold.trajectory, look);
  let pieces = 0;
  for (let at = 0; drawing.next().done !== true; pieces++, at = lines.mock.calls.length)
    expect(lines.mock.calls.length - at).toBeLessThan(100);
  expect(pieces).toBe(50);
  more();
  expect(areDrawn(fold.trajectory, look)).toBe(true);
  lines.mockClear();
  const whole = stepBlocks(fold.trajectory, look);
  expect(lines.mock.calls.length).toBeLessThan(10);
  lines.mockRestore();
  const text = (blocks: ReturnType<typeof stepBlocks>) => visibleLines(blocks, 0, linesOf(blocks));
  expect(text(whole)).toEqual(text(stepBlocks(fold.trajectory, view())));
  expect(areDrawn(fold.trajectory, { ...look, columns: 50 })).toBe(false);
  expect(areDrawn({ ...fold.trajectory, ended: true }, look)).toBe(false);
});
