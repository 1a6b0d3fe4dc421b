import { expect, test } from "vitest";
import { type Block, blockOf } from "../../../source/terminal/trajectory/block.ts";
import {
  blockAt,
  end,
  lineAt,
  linesOf,
  movedBy,
  nextError,
  nextSpeaker,
  positionAt,
  start,
  topOf,
  visibleLines,
} from "../../../source/terminal/trajectory/position.ts";

const block = (id: string, count: number, error = false): Block =>
  blockOf(
    id,
    Array.from({ length: count }, (_, index) => [{ text: `${id}${index}` }]),
    { error },
  );
const texts = (blocks: readonly Block[], top: number, height: number) =>
  visibleLines(blocks, top, height).map((line) => line[0]!.text);

test("a position stays at its text when a part above it is unfolded", () => {
  const place = positionAt([block("a", 1), block("b", 5)], 3, 0);
  expect(lineAt([block("a", 1), block("b", 5)], place)).toBe(3);
  expect(lineAt([block("a", 10), block("b", 5)], place)).toBe(12);
  expect(lineAt([block("a", 10), block("b", 1)], place)).toBe(10);
  expect(lineAt([block("c", 10)], place)).toBe(0);
});

test("the end of a document stays visible until the user scrolls", () => {
  const before = [block("a", 30)];
  const after = [block("a", 40)];
  expect([topOf(before, end, 10), topOf(after, end, 10)]).toEqual([20, 30]);
  const left = movedBy(before, end, -1, 10);
  expect([topOf(before, left, 10), lineAt(before, left)]).toEqual([20, 28]);
  expect([topOf(after, left, 10), lineAt(after, left)]).toEqual([20, 28]);
});

test("the cursor moves within the window, and scrolls the window at its edges", () => {
  const blocks = [block("a", 100)];
  let place = start;
  const tops = [];
  for (let step = 0; step < 12; step++) {
    place = movedBy(blocks, place, 1, 10);
    tops.push(topOf(blocks, place, 10));
  }
  expect(tops).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5]);
  place = movedBy(blocks, place, -4, 10);
  expect([lineAt(blocks, place), topOf(blocks, place, 10)]).toEqual([8, 5]);
  place = movedBy(blocks, place, 500, 10);
  expect([lineAt(blocks, place), topOf(blocks, place, 10)]).toEqual([99, 90]);
});

test("only the visible part of a document is drawn", () => {
  let drawn = 0;
  const long: Block = { id: "long", count: 1_000_000, line: (index) => (drawn++, [{ text: `${index}` }]) };
  expect(texts([block("a", 2), long, block("b", 2)], 1, 3)).toEqual(["a1", "0", "1"]);
  expect(texts([block("a", 2), long, block("b", 2)], 1_000_000, 9)).toEqual(["999998", "999999", "b0", "b1"]);
  expect(drawn).toBe(4);
});

test("positions outside a document are moved to its ends", () => {
  const blocks = [block("a", 2), block("b", 2)];
  expect(lineAt(blocks, positionAt(blocks, 99, 0))).toBe(3);
  expect(lineAt(blocks, positionAt(blocks, -9, 0))).toBe(0);
  expect(positionAt([], 5, 0)).toEqual(start);
  expect(lineAt([], end)).toBe(0);
});

test("errors are visited in a cycle in both directions", () => {
  const blocks = [block("a", 1), block("b", 2, true), block("c", 1), block("d", 1, true)];
  const at = (line: number) => positionAt(blocks, line, 0);
  expect(nextError(blocks, at(0), 1)?.id).toBe("b");
  expect(nextError(blocks, at(1), 1)?.id).toBe("d");
  expect(nextError(blocks, at(4), 1)?.id).toBe("b");
  expect(nextError(blocks, at(0), -1)?.id).toBe("d");
  expect(nextError([block("a", 3)], start, 1)).toBeUndefined();
});

test("a key in a document of thousands of blocks reads only the visible blocks", () => {
  let looked = 0;
  const blocks = Array.from({ length: 20_000 }, (_, index): Block => {
    const { line } = block(`b${index} `, 3);
    return {
      id: `b${index}`,
      line,
      get count() {
        return ((looked += 1), index % 4);
      },
    };
  });
  let place = movedBy(blocks, start, 10_000, 50);
  expect(lineAt(blocks, place)).toBe(10_000);
  looked = 0;
  for (const by of [1, -1, 50, -20_000, 40_000]) place = movedBy(blocks, place, by, 50);
  expect(visibleLines(blocks, topOf(blocks, place, 50), 50)).toHaveLength(50);
  expect(linesOf(blocks)).toBe(30_000);
  expect(lineAt(blocks, place)).toBe(29_999);
  expect(looked).toBeLessThan(120);
});

test("a line between empty blocks belongs to the block that contains it", () => {
  const blocks = [block("none", 0), block("a", 2), block("empty", 0), block("b", 1), block("last", 0)];
  expect([0, 1, 2, 3].map((line) => blockAt(blocks, line)?.id)).toEqual(["a", "a", "b", undefined]);
  expect([-5, 1, 2, 9].map((line) => positionAt(blocks, line, 0).block)).toEqual(["a", "a", "b", "b"]);
  expect(texts(blocks, 0, 9)).toEqual(["a0", "a1", "b0"]);
  expect([lineAt([], start), visibleLines([], 0, 5), blockAt([], 0)]).toEqual([0, [], undefined]);
  expect(positionAt([block("none", 0)], 3, 7)).toEqual({ ...start, seen: 7 });
});

test("a position is found in the first of two blocks with the same name", () => {
  expect(lineAt([block("a", 1), block("b", 2), block("b", 2)], { ...start, block: "b", line: 1 })).toBe(2);
});

test("the next and previous agent start at a change of speaker", () => {
  const spoken = (id: string, speaker?: string) =>
    blockOf(id, [[{ text: id }]], speaker === undefined ? {} : { speaker });
  const blocks = [
    spoken("head"),
    spoken("a", "x"),
    spoken("b"),
    spoken("c", "x"),
    spoken("d", "y"),
    spoken("e"),
    spoken("f", "x"),
  ];
  const from = (line: number, by: 1 | -1) => nextSpeaker(blocks, positionAt(blocks, line, 0), by)?.id;
  expect([0, 1, 3, 4, 5, 6].map((line) => from(line, 1))).toEqual(["a", "d", "d", "f", "f", undefined]);
  expect([0, 1, 3, 4, 5, 6].map((line) => from(line, -1))).toEqual([undefined, undefined, undefined, "a", "a", "d"]);
});
