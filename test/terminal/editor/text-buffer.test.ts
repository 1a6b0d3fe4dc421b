import { describe, expect, it } from "vitest";
import {
  type TextBuffer,
  backspace,
  bufferText,
  cutToEnd,
  cutToStart,
  cutWord,
  deleteAhead,
  insertText,
  moveBy,
  moveWord,
  newLine,
  openBuffer,
  toEnd,
} from "../../../source/terminal/editor/text-buffer.ts";
import { moveVisually } from "../../../source/terminal/editor/text-rows.ts";

/** The text with its cursor as a bar. */
const shown = (buffer: TextBuffer) => bufferText(insertText(buffer, "|"));

describe("the text editor", () => {
  it("types, breaks lines keeping their indent, and pastes", () => {
    expect(shown(insertText(openBuffer("ac"), "b"))).toBe("b|ac");
    expect(shown(newLine(openBuffer("  k: 1", "end")))).toBe("  k: 1\n  |");
    expect(shown(insertText(openBuffer("xy"), "1\r\n2\r3"))).toBe("1\n2\n3|xy");
  });
  it("deletes characters in both directions, across line breaks", () => {
    const end = openBuffer("one\ntwo", "end");
    expect(shown(backspace(end))).toBe("one\ntw|");
    expect(shown(backspace(toEnd(end, "start")))).toBe("one|two");
    expect(shown(deleteAhead(toEnd(openBuffer("one\ntwo"), "end")))).toBe("one|two");
    expect(shown(backspace(openBuffer("x")))).toBe("|x");
    expect(shown(deleteAhead(end))).toBe("one\ntwo|");
    expect(shown(cutToEnd(moveBy(openBuffer("one\ntwo"), 1)))).toBe("o|\ntwo");
  });
  it("deletes to the start of a line, and the word before the cursor", () => {
    const end = openBuffer("one\ntwo three", "end");
    expect(shown(cutToStart(end))).toBe("one\n|");
    expect(shown(cutToStart(toEnd(end, "start")))).toBe("one|two three");
    expect(shown(cutToStart(openBuffer("one")))).toBe("|one");
    expect(shown(cutWord(end))).toBe("one\ntwo |");
    expect(shown(cutWord(cutWord(end)))).toBe("one\n|");
    expect(shown(cutWord(moveBy(moveBy(end, -1), -1)))).toBe("one\ntwo |ee");
    expect(shown(cutWord(toEnd(end, "start")))).toBe("one|two three");
    expect(shown(cutWord(openBuffer("a  ", "end")))).toBe("|");
  });
  it("moves the cursor by grapheme clusters", () => {
    const family = openBuffer("a👩‍👩‍👧b", "end");
    expect(shown(moveBy(moveBy(family, -1), -1))).toBe("a|👩‍👩‍👧b");
    expect(bufferText(backspace(moveBy(family, -1)))).toBe("ab");
  });
  it("moves the cursor by words and across line breaks", () => {
    expect(shown(moveWord(openBuffer("one two\nthree"), 1))).toBe("one| two\nthree");
    expect(shown(moveWord(openBuffer("one two", "end"), -1))).toBe("one |two");
    expect(shown(moveBy(toEnd(openBuffer("one\ntwo"), "end"), 1))).toBe("one\n|two");
  });
  it("moves the cursor through the rows of a wrapped line as displayed", () => {
    let buffer = openBuffer("abcdefghij\nxyz");
    buffer = moveVisually(buffer, 1, 4);
    expect(shown(buffer)).toBe("abcd|efghij\nxyz");
    buffer = moveVisually(moveVisually(buffer, 1, 4), 1, 4);
    expect(shown(buffer)).toBe("abcdefghij\n|xyz");
    expect(shown(moveVisually(buffer, -1, 4))).toBe("abcdefgh|ij\nxyz");
  });
});
