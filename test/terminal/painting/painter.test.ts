import xterm from "@xterm/headless";
import { describe, expect, it } from "vitest";
import type { Frame } from "../../../source/terminal/painting/surface.ts";
import { Painter } from "../../../source/terminal/painting/painter.ts";
import { pick, randomFrom } from "../../../source/engine/statistics/random.ts";

/** Lines from column 0, like most lines. */
const frameOf = (columns: number, lines: readonly string[]): Frame =>
  lines.map((text) => (text === "" ? [] : [{ column: 0, end: columns, text }]));

function openTerminal(columns: number, rows: number) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  return {
    terminal,
    write: (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve)),
  };
}

/** Everything visible: characters, their width, and their style. */
function seen(terminal: xterm.Terminal): string[] {
  return Array.from({ length: terminal.rows }, (_, row) => {
    const line = terminal.buffer.active.getLine(row)!;
    const places = Array.from({ length: terminal.cols }, (_, column) => {
      const cell = line.getCell(column)!;
      const blank = cell.getChars() === "" && cell.getWidth() === 1;
      const looks = [cell.isInverse(), cell.isUnderline(), cell.getBgColor()];
      const ink = [cell.getFgColor(), cell.isBold(), cell.isDim()];
      const chars = blank ? " " : cell.getChars();
      return JSON.stringify([chars, cell.getWidth(), looks, ...(chars === " " ? [] : [ink])]);
    });
    return places.join(" ").replace(/( \[" ",1,\[0,0,-1\]\])+$/, "");
  });
}

/** The frame on an empty terminal, each line written from its start. */
async function fresh(frame: Frame, columns: number): Promise<string[]> {
  const { terminal, write } = openTerminal(columns, frame.length);
  await write("\x1b[?7l");
  for (const [row, pieces] of frame.entries())
    for (const { column, text } of pieces) await write(`\x1b[${row + 1};${column + 1}H${text}\x1b[m`);
  return seen(terminal);
}

const words = [
  "plan",
  "│",
  "日本語",
  "한국",
  "😀",
  "👩‍👩‍👧",
  "⌚",
  "é",
  "e\u0301",
  "─".repeat(7),
  "⠿",
  "  ",
  "x",
  "👍🏽",
  "🇫🇷",
  "葛\u{e0100}",
];
const styles = [
  "",
  "\x1b[1m",
  "\x1b[2m",
  "\x1b[31m",
  "\x1b[7m",
  "\x1b[7m\x1b[36m",
  "\x1b[38;5;255;48;5;53m",
  "\x1b[4m",
];

/** Spans of one style each, as in the lines of the screens. */
function randomSpans(random: () => number, columns: number): string[] {
  const count = Math.floor((random() * columns) / 14);
  return Array.from({ length: count }, () => {
    const style = pick(styles, random);
    const text = `${pick(words, random)}${pick(words, random)}`;
    return style === "" ? text : `${style}${text}\x1b[0m`;
  });
}

describe("the painter of the terminal", () => {
  for (let seed = 1; seed <= 10; seed++)
    it(`turns any frame into any other at any size (${seed})`, async () => {
      const random = randomFrom(seed);
      let [columns, rows] = [40, 6];
      const { terminal, write } = openTerminal(columns, rows);
      let painter = new Painter(columns, rows);
      let lines: string[][] = [];
      for (let step = 0; step < 25; step++) {
        if (random() < 0.1) {
          columns = 30 + Math.floor(random() * 40);
          rows = 3 + Math.floor(random() * 8);
          terminal.resize(columns, rows);
          await write("\x1b[H\x1b[J");
          painter = new Painter(columns, rows);
        }
        // Some lines stay, some grow, some end differently, some are replaced.
        lines = Array.from({ length: rows }, (_, row) => {
          const before = lines[row] ?? [];
          const chance = random();
          if (chance < 0.3) return before;
          const kept =
            chance < 0.6 ? before.slice(0, Math.floor(random() * before.length)) : chance < 0.8 ? before : [];
          return [...kept, ...randomSpans(random, columns)].slice(0, Math.floor(columns / 14));
        });
        const frame = frameOf(
          columns,
          lines.map((spans) => spans.join("")),
        );
        await write(painter.paint(frame).output);
        expect(seen(terminal)).toEqual(await fresh(frame, columns));
      }
    });

  it("draws parts of a line side by side, and truncates each part at its end", async () => {
    const { terminal, write } = openTerminal(20, 2);
    const painter = new Painter(20, 2);
    const pieces = [
      { column: 0, end: 5, text: "\x1b[1m日本語\x1b[0m" },
      { column: 6, end: 20, text: "right" },
    ];
    await write(painter.paint([pieces, []]).output);
    // Half of a wide character does not fit, so its cell stays empty.
    expect(terminal.buffer.active.getLine(0)!.translateToString(true)).toBe("日本  right");
    await write(painter.paint([[], pieces]).output);
    expect(terminal.buffer.active.getLine(0)!.translateToString(true)).toBe("");
    expect(terminal.buffer.active.getLine(1)!.translateToString(true)).toBe("日本  right");
  });

  it("writes nothing and reads no line if nothing has changed", () => {
    const painter = new Painter(80, 24);
    const frame = frameOf(
      80,
      Array.from({ length: 24 }, (_, row) => `line ${row} │ \x1b[2mfaint\x1b[0m`),
    );
    expect(painter.paint(frame).lines).toBe(24);
    expect(painter.paint(frame)).toEqual({ output: "", lines: 0, places: 0 });
  });

  it("writes only the changed part of a line", () => {
    const painter = new Painter(200, 60);
    const lines = Array.from(
      { length: 60 },
      (_, row) => `${"left ".repeat(9)}│${"\x1b[2mright\x1b[0m ".repeat(9)}${row}`,
    );
    painter.paint(frameOf(200, lines));
    const next = lines.with(30, lines[30]!.replace("│", "║"));
    expect(painter.paint(frameOf(200, next))).toEqual({ output: "\x1b[31;46H║", lines: 1, places: 1 });
  });

  it("erases the rest of a line with one sequence", () => {
    const painter = new Painter(80, 1);
    painter.paint(frameOf(80, [`one ${"x".repeat(70)}`]));
    expect(painter.paint(frameOf(80, ["one"])).output).toBe("\x1b[1;4H\x1b[K");
  });

  it("writes to the end of the line again if a terminal may count widths differently", () => {
    const painter = new Painter(80, 1);
    painter.paint(frameOf(80, ["ab 👩‍👩‍👧 family one"]));
    const { output } = painter.paint(frameOf(80, ["ab 👩‍👩‍👧 family two"]));
    expect(output).toBe("\x1b[1;4H\x1b[K\x1b[?7l👩‍👩‍👧 family two\x1b[?7h");
    // The columns before it do not move in any case.
    expect(painter.paint(frameOf(80, ["aB 👩‍👩‍👧 family two"])).output).toBe("\x1b[1;2HB");
  });
});
