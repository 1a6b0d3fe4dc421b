import { describe, expect, it } from "vitest";
import { lineText, lineWidth } from "../../../source/engine/figures/drawing/line.ts";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";
import { cursorAt, editorLines } from "../../../source/terminal/editor/editor-lines.ts";
import { bufferText, insertText, openBuffer, type TextBuffer } from "../../../source/terminal/editor/text-buffer.ts";
import { moveVisually } from "../../../source/terminal/editor/text-rows.ts";

const coloured = openTheme({ colour: true, ascii: false });
const bare = openTheme({ colour: false, ascii: false });
const shown = (buffer: TextBuffer) => bufferText(insertText(buffer, "|"));
const drawn = (text: string, columns: number) =>
  editorLines(openBuffer(text), columns, coloured).lines.map((line) => lineText(line).trimEnd());

describe("a text wider than the window", () => {
  it("is wrapped into rows by the width of its characters", () => {
    expect(drawn("abcdefgh\nij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(drawn("预订餐厅的座位\nx", 5)).toEqual(["预订", "餐厅", "的座", "位", "x"]);
    const { lines, focus } = editorLines(openBuffer("预订餐厅".repeat(30), "end"), 40, bare);
    for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(41);
    expect(focus).toBe(lines.length - 1);
  });

  it("is laid out once for any number of rows", () => {
    const { lines, focus } = editorLines(openBuffer("word ".repeat(200_000), "end"), 100, coloured);
    expect([lines.length, focus]).toEqual([10_001, 10_000]);
  });

  it("has a row for the cursor after its last character", () => {
    const { lines, focus } = editorLines(openBuffer("abcd", "end"), 4, coloured);
    expect([lines.length, focus]).toEqual([2, 1]);
  });

  it("has a cursor that moves by displayed rows, even past wide characters", () => {
    const down = moveVisually({ ...openBuffer("预订餐厅的座位\nxyz"), column: 1 }, 1, 6);
    expect(shown(down)).toBe("预订餐厅|的座位\nxyz");
    expect(shown(moveVisually(moveVisually(down, 1, 6), 1, 6))).toBe("预订餐厅的座位\nxy|z");
  });
});

describe("a click on a text", () => {
  const text = openBuffer("预订 a table\nfor six people\n");
  const clicked = (row: number, column: number, theme = coloured, from = text) =>
    shown(cursorAt(from, 8, theme, row, column));

  it("moves the cursor to the character under it, or to the end of the line", () => {
    expect(clicked(0, 0)).toBe("|预订 a table\nfor six people\n");
    expect(clicked(0, 3)).toBe("预|订 a table\nfor six people\n");
    expect(clicked(1, 1)).toBe("预订 a ta|ble\nfor six people\n");
    expect(clicked(1, 70)).toBe("预订 a table|\nfor six people\n");
    expect(clicked(9, 9)).toBe("预订 a table\nfor six people\n|");
  });

  it("finds the clicked row, even after its last character", () => {
    expect(clicked(2, 70)).toBe("预订 a table\nfor six| people\n");
    expect(clicked(3, 70)).toBe("预订 a table\nfor six people|\n");
  });

  it("takes the bar that marks the cursor without colour into account", () => {
    const from = { ...text, row: 1, column: 2 };
    expect(clicked(2, 1, bare, from)).toBe("预订 a table\nf|or six people\n");
    expect(clicked(2, 3, bare, from)).toBe("预订 a table\nfo|r six people\n");
    expect(clicked(2, 4, bare, from)).toBe("预订 a table\nfor| six people\n");
  });
});
