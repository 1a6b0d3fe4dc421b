import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { type MouseEvent, openReports } from "../../../source/terminal/input/reports.ts";

/** The remaining text of these chunks for the keyboard, and the reports of the mouse. */
function read(...chunks: string[]) {
  const events: MouseEvent[] = [];
  const input = Object.assign(new EventEmitter(), { read: () => chunks.shift() ?? null });
  const { stdin, listen } = openReports(input as unknown as NodeJS.ReadStream);
  listen((event) => events.push(event));
  const texts: unknown[] = [];
  for (let text: unknown = stdin.read(); text !== null; text = stdin.read()) texts.push(text);
  return { typed: texts.join(""), texts, events };
}

describe("mouse reports between keys", () => {
  it("contain the wheel and presses of the left button, with rows and columns that start at 0", () => {
    const { typed, events } = read("j\x1b[<64;10;5Mk\x1b[<65;10;5M\x1b[<0;7;3M\x1b[<0;7;3ml");
    expect(typed).toBe("jkl");
    expect(events).toEqual([
      { kind: "wheel", by: -1, row: 4, column: 9 },
      { kind: "wheel", by: 1, row: 4, column: 9 },
      { kind: "click", row: 2, column: 6 },
    ]);
  });

  it("are accepted with Shift, Alt or Ctrl held, and ignored for other buttons", () => {
    expect(read("\x1b[<16;1;1M\x1b[<69;1;1M\x1b[<1;1;1M\x1b[<2;1;1M\x1b[<66;1;1M").events).toEqual([
      { kind: "click", row: 0, column: 0 },
      { kind: "wheel", by: 1, row: 0, column: 0 },
    ]);
  });

  it("are recognised even if a report arrives in parts", () => {
    const { texts, events } = read("a\x1b[<0;1", "2;3Mb", "\x1b[<", "0;1;1M");
    expect(texts).toEqual(["a", "b"]);
    expect(events).toEqual([
      { kind: "click", row: 2, column: 11 },
      { kind: "click", row: 0, column: 0 },
    ]);
  });

  it("leave Esc, other sequences and pasted text unchanged, even if the paste arrives in parts", () => {
    expect(read("\x1b", "\x1b[A", "\x1b[", "B").typed).toBe("\x1b\x1b[A\x1b[B");
    const paste = ["\x1b[200~one \x1b[<0;1;1M", " two \x1b[<0;2;2M\x1b[201~\x1b[<0;3;3M"];
    expect(read(...paste)).toMatchObject({
      typed: "\x1b[200~one \x1b[<0;1;1M two \x1b[<0;2;2M\x1b[201~",
      events: [{ kind: "click", row: 2, column: 2 }],
    });
  });

  it("are ignored with impossible coordinates", () => {
    const text = `\x1b[<${"9".repeat(40)};1;1M`;
    expect(read(text)).toMatchObject({ typed: text, events: [] });
  });
});

describe("a terminal's reply between keys", () => {
  it.each([
    ["j\x1b]11;rgb:ffff/ffff/ffff\x1b\\k"],
    ["j\x1b]11;rgb:ff/ff/ff\x07k"],
    ["j\x1b]11", ";rgb:ffff/ff", "ff/ffff\x1b", "\\k"],
  ])("is not a key if it arrives late: %j", (...chunks) => {
    expect(read(...chunks).typed).toBe("jk");
  });

  it("is a key if the input only resembles a reply: Alt and a bracket with digits after it", () => {
    expect(read("\x1b]", "1", "1").typed).toBe("\x1b]11");
    expect(read("\x1b]11", "j").typed).toBe("\x1b]11j");
    expect(read("\x1b]12;rgb:ff/ff/ff\x07").typed).toBe("\x1b]12;rgb:ff/ff/ff\x07");
  });
});
