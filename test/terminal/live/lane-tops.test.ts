import { describe, expect, it } from "vitest";
import { LaneTops, type LaneText } from "../../../source/terminal/live/lane-lines.ts";
import { type Block, textBlock } from "../../../source/terminal/trajectory/block.ts";

const block = (id: string, lines: number): Block =>
  textBlock(
    id,
    Array.from({ length: lines }, (_, line) => `${id} ${line}`),
    "plain",
  );
const lane = (task: string, ...blocks: readonly Block[]): LaneText => ({ task, running: true, blocks });
const room = 12;

describe("the scroll position of lanes", () => {
  it("stays until one lane is full, then all lanes scroll by several lines", () => {
    const tops = new LaneTops();
    expect(tops.of([lane("a", block("1", 5)), lane("b", block("1", 10))], room)).toEqual([0, 0]);
    expect(tops.of([lane("a", block("1", 6)), lane("b", block("1", 12))], room)).toEqual([0, 0]);
    // A third of the window is free in the full lane, and in lanes with less text.
    expect(tops.of([lane("a", block("1", 11)), lane("b", block("1", 13))], room)).toEqual([3, 5]);
    expect(tops.of([lane("a", block("1", 15)), lane("b", block("1", 17))], room)).toEqual([3, 5]);
    expect(tops.of([lane("a", block("1", 16)), lane("b", block("1", 17))], room)).toEqual([8, 9]);
  });

  it("folds the finished rounds of all lanes once one lane is full, and not before", () => {
    const tops = new LaneTops();
    const ended = (task: string, rounds: number, lines: number): LaneText => ({
      ...lane(task, block("1", lines)),
      ended: rounds,
    });
    expect(tops.folds([ended("a", 2, 12), ended("b", 1, 3)], room)).toBe(false);
    expect([tops.folded("a"), tops.folded("b")]).toEqual([0, 0]);
    expect(tops.folds([ended("a", 2, 13), ended("b", 1, 3)], room)).toBe(true);
    expect([tops.folded("a"), tops.folded("b")]).toEqual([2, 1]);
    tops.of([ended("a", 2, 4), ended("b", 1, 2)], room);
    // More rounds end, but there is still room.
    expect(tops.folds([ended("a", 4, 12), ended("b", 1, 3)], room)).toBe(false);
    expect(tops.folded("a")).toBe(2);
    expect(tops.folds([ended("a", 4, 13), ended("b", 1, 3)], room)).toBe(true);
    expect([tops.folded("a"), tops.folded("b")]).toEqual([4, 1]);
  });

  it("unfolds rounds in a larger window", () => {
    const tops = new LaneTops();
    tops.folds([{ ...lane("a", block("1", 13)), ended: 2 }], room);
    tops.of([lane("a", block("1", 3))], room);
    expect(tops.folds([{ ...lane("a", block("1", 3)), ended: 2 }], room + 1)).toBe(true);
    expect(tops.folded("a")).toBe(0);
  });

  it("leaves enough room after a change that no other change follows soon", () => {
    const tops = new LaneTops();
    tops.of([lane("a", block("1", 2)), lane("b", block("1", 13))], room);
    expect(tops.of([lane("a", block("1", 2)), lane("b", block("1", 14))], room)).toEqual([0, 5]);
  });

  it("stays when text far above is no longer loaded", () => {
    const tops = new LaneTops();
    tops.of([lane("a", block("1", 8), block("2", 3))], room);
    expect(tops.of([lane("a", block("1", 8), block("2", 5))], room)).toEqual([5]);
    expect(tops.of([lane("a", block("2", 5), block("3", 1))], room)).toEqual([0]);
    expect(tops.of([lane("a", block("0", 4), block("1", 8), block("2", 5), block("3", 3))], room)).toEqual([12]);
  });

  it("shows earlier lines again after long thinking was folded, but does not move for a line or two", () => {
    const tops = new LaneTops();
    const said = block("1", 20);
    expect(tops.of([lane("a", said, block("thinking", 10))], room)).toEqual([22]);
    expect(tops.of([lane("a", said, block("thinking", 9))], room)).toEqual([22]);
    expect(tops.of([lane("a", said, block("thinking", 1))], room)).toEqual([13]);
    expect(tops.of([lane("a", said, block("thinking", 1), block("reply", 3))], room)).toEqual([13]);
  });

  it("is at the start of a text that became shorter than the lane", () => {
    const tops = new LaneTops();
    expect(tops.of([lane("a", block("1", 3), block("thinking", 20))], room)).toEqual([15]);
    expect(tops.of([lane("a", block("1", 3), block("thinking", 1))], room)).toEqual([0]);
  });

  it("fills a window that grew, and shows the end of a task that ended in a smaller window", () => {
    const tops = new LaneTops();
    const long = lane("a", block("1", 30));
    const ended = { ...lane("b", block("1", 30)), running: false };
    expect(tops.of([long, ended], room)).toEqual([22, 18]);
    expect(tops.of([long, ended], 24)).toEqual([14, 6]);
    expect(tops.of([long, ended], 9)).toEqual([24, 21]);
    expect(tops.of([long, ended], 40)).toEqual([0, 0]);
  });

  it("stays when its task has ended", () => {
    const tops = new LaneTops();
    expect(tops.of([lane("a", block("1", 30))], room)).toEqual([22]);
    expect(tops.of([{ ...lane("a", block("1", 30)), running: false }], room)).toEqual([22]);
  });

  it("is at the end, without free rows below, for a task that ended before it was opened", () => {
    const tops = new LaneTops();
    expect(tops.of([{ ...lane("a", block("1", 30)), running: false }], room)).toEqual([18]);
    expect(tops.of([lane("b", block("1", 30))], room)).toEqual([22]);
  });
});
