import { describe, expect, it } from "vitest";
import { removedSequence, shownSequence, ShownPictures } from "../../../source/terminal/painting/picture.ts";

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes that begin as a PNG file does; terminals are sent them unread. */
const pngOf = (length: number) => Uint8Array.from({ length }, (_, at) => signature[at] ?? at % 251);
const placed = (png: Uint8Array, more: { row?: number; column?: number } = {}) => ({
  png,
  row: 2,
  column: 4,
  rows: 20,
  columns: 50,
  ...more,
});
const escape = "\x1b";

describe("a picture in kitty", () => {
  it("is sent at its corner with its size in cells, without an answer and without moving the cursor", () => {
    const png = pngOf(12);
    const data = Buffer.from(png).toString("base64");
    expect(shownSequence("kitty", placed(png), 7)).toBe(
      `${escape}[3;5H${escape}_Ga=T,f=100,q=2,C=1,i=7,c=50,r=20,m=0;${data}${escape}\\`,
    );
  });

  it("is sent in pieces of at most 4096 characters, of which all but the last say that more follow", () => {
    // 3072 bytes are 4096 characters of base64.
    for (const [bytes, sizes] of [
      [3072, [4096]],
      [3073, [4096, 4]],
      [7000, [4096, 4096, 1144]],
    ] as const) {
      const text = shownSequence("kitty", placed(pngOf(bytes)), 7);
      const pieces = [...text.matchAll(/_G([^;]*);([\w+/=]*)/g)];
      expect(pieces.map(([, , data]) => data!.length)).toEqual(sizes);
      expect(pieces.map(([, about]) => about!.slice(-3))).toEqual(
        sizes.map((_, at) => (at < sizes.length - 1 ? "m=1" : "m=0")),
      );
      expect(pieces.slice(1).every(([, about]) => /^m=[01]$/.test(about!))).toBe(true);
      expect(Buffer.from(pieces.map(([, , data]) => data).join(""), "base64").equals(pngOf(bytes))).toBe(true);
    }
  });

  it("is removed with its data by its id", () => {
    expect(removedSequence("kitty", 7)).toBe(`${escape}_Ga=d,d=I,i=7,q=2${escape}\\`);
  });
});

describe("a picture in iTerm2", () => {
  it("is sent as one inline file with its size in cells, and is removed by the text over it", () => {
    const png = pngOf(12);
    const data = Buffer.from(png).toString("base64");
    expect(shownSequence("iterm", placed(png), 7)).toBe(
      `${escape}[3;5H${escape}]1337;File=inline=1;size=12;width=50;height=20;preserveAspectRatio=0;doNotMoveCursor=1:${data}\x07`,
    );
    expect(removedSequence("iterm", 7)).toBe("");
  });
});

describe("the pictures of a terminal", () => {
  it("are sent when they appear, not again while they stay, and removed when they disappear", () => {
    const shown = new ShownPictures("kitty");
    const picture = placed(pngOf(12));
    const { removed, added } = shown.change([picture]);
    expect(removed).toBe("");
    const id = /i=(\d+),/.exec(added)![1]!;
    expect(added).toBe(shownSequence("kitty", picture, Number(id)));
    expect(shown.change([{ ...picture }])).toEqual({ removed: "", added: "" });
    expect(shown.change([])).toEqual({ removed: removedSequence("kitty", Number(id)), added: "" });
    expect(shown.change([])).toEqual({ removed: "", added: "" });
  });

  it("are sent again under another id if they move, have another size or are another file", () => {
    const picture = placed(pngOf(12));
    for (const other of [
      { ...picture, row: 3 },
      { ...picture, column: 5 },
      { ...picture, rows: 21 },
      { ...picture, columns: 51 },
      placed(pngOf(12)),
    ]) {
      const shown = new ShownPictures("kitty");
      const first = /i=(\d+),/.exec(shown.change([picture]).added)![1]!;
      const { removed, added } = shown.change([other]);
      expect(removed).toBe(removedSequence("kitty", Number(first)));
      expect(added).toBe(shownSequence("kitty", other, Number(first) + 1));
    }
  });

  it("are PNG files only, so that no other bytes reach the terminal", () => {
    expect(() => shownSequence("kitty", placed(Buffer.from("\x1b]0;title\x07 and more")), 1)).toThrow(
      "Expected the bytes of a PNG file",
    );
    expect(() => shownSequence("iterm", placed(pngOf(7)), 1)).toThrow("Expected the bytes of a PNG file");
  });
});
