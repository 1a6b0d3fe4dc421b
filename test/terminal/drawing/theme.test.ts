import { describe, expect, it } from "vitest";
import { openTheme } from "../../../source/terminal/drawing/theme.ts";

const line = [
  { text: "bad", style: "bad" },
  { text: "run", series: 0 },
  { text: "best", heat: 1 },
  { text: "plain" },
] as const;

describe("colours on the screen", () => {
  it("come from the palette with 256 or more colours", () => {
    expect(openTheme({ colour: true, ascii: false, ground: "light", depth: 256 }).paint(line)).toBe(
      "\x1b[38;5;124mbad\x1b[0m\x1b[38;5;25mrun\x1b[0m\x1b[38;5;231;48;5;17mbest\x1b[0mplain",
    );
    expect(openTheme({ colour: true, ascii: false, ground: "dark", depth: "true" }).paint(line)).toBe(
      "\x1b[38;2;255;135;135mbad\x1b[0m\x1b[38;2;90;165;198mrun\x1b[0m\x1b[38;2;0;0;0;48;2;215;255;135mbest\x1b[0mplain",
    );
  });
  it("are the terminal's own colours if it has 16", () => {
    expect(openTheme({ colour: true, ascii: false, ground: "dark", depth: 16 }).paint(line)).toBe(
      "\x1b[91mbad\x1b[0m\x1b[96mrun\x1b[0m\x1b[7mbest\x1b[0mplain",
    );
    expect(openTheme({ colour: true, ascii: false, ground: "light", depth: 16 }).paint(line)).toBe(
      "\x1b[31mbad\x1b[0m\x1b[34mrun\x1b[0m\x1b[7mbest\x1b[0mplain",
    );
  });
  it.each(["dark", "light"] as const)(
    "are readable with 16 colours on %s background, even as values of a heat map",
    (ground) => {
      const theme = openTheme({ colour: true, ascii: false, ground, depth: 16 });
      const [least, low, high, most] = [0, 0.3, 0.6, 1].map((heat) => theme.paint([{ text: "9", heat }]));
      const inks = ground === "dark" ? ["94", "96"] : ["36", "34"];
      expect([least, low, high, most]).toEqual([
        "9",
        `\x1b[7;${inks[0]}m9\x1b[0m`,
        `\x1b[7;${inks[1]}m9\x1b[0m`,
        "\x1b[7m9\x1b[0m",
      ]);
      // The cursor inverts them.
      const chosen = [0, 0.6, 1].map((heat) => theme.paint([{ text: "9", heat, selected: true }]));
      expect(chosen).toEqual(["\x1b[7m9\x1b[0m", `\x1b[${inks[1]}m9\x1b[0m`, "9"]);
    },
  );
  it.each([16, 256, "true"] as const)("leave code and emphasis uncoloured with %s colours", (depth) => {
    const { paint, dimmed } = openTheme({ colour: true, ascii: false, depth });
    expect(paint([{ text: "f(x)", style: "code" }])).toBe("f(x)");
    expect(paint([{ text: "word", style: "italic" }])).toBe("\x1b[3mword\x1b[0m");
    expect(dimmed.paint([{ text: "f(x)", style: "code" }])).toBe(dimmed.paint([{ text: "f(x)", style: "faint" }]));
  });
  it("are absent on a terminal without colours, with the same text", () => {
    expect(openTheme({ colour: false, ascii: false }).paint(line)).toBe("badrunbestplain");
  });
});
