import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { lettersOf } from "../../../source/engine/figures/font-letters.ts";

const { resolve } = createRequire(import.meta.url);
const font = (name: string) => readFileSync(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
const points = (text: string) => [...text].map((letter) => letter.codePointAt(0)!);

/** A font whose only table is `cmap` with this subtable. */
function fontOf(subtable: Buffer): Buffer {
  const head = Buffer.alloc(12 + 16);
  head.writeUInt16BE(1, 4);
  head.write("cmap", 12, "latin1");
  head.writeUInt32BE(28, 12 + 8);
  const cmap = Buffer.alloc(12);
  cmap.writeUInt16BE(1, 2);
  cmap.writeUInt32BE(12, 8);
  return Buffer.concat([head, cmap, subtable]);
}
const words = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));

describe("the letters of a font", () => {
  it("include Latin, Greek, Cyrillic, arrows and blocks in DejaVu Sans Mono, but not Chinese, Thai or emoji", () => {
    for (const face of ["DejaVuSansMono", "DejaVuSansMono-Bold"]) {
      const has = lettersOf(font(face));
      expect(points("Aé ßΩжЯ→≤█│✓±†·").filter((point) => !has(point))).toEqual([]);
      expect(points("你好こ한ไ🦊").filter(has)).toEqual([]);
    }
  });

  it("are read from segments that map characters by a constant or by a list of glyphs; glyph 0 means no letter", () => {
    // Two segments: 65 to 66 by the constant -65, so that 65 has glyph 0; 70 to 71 by a list; and the closing one.
    const four = words(4, 0, 0, 6, 0, 0, 0, 66, 71, 0xffff, 0, 65, 70, 0xffff, 65_536 - 65, 0, 1, 0, 4, 0, 9, 0);
    const has = lettersOf(fontOf(four));
    expect([64, 65, 66, 67, 69, 70, 71, 72].filter(has)).toEqual([66, 70]);
  });

  it("are read from groups, also above character 65,535", () => {
    const group = Buffer.alloc(28);
    group.writeUInt16BE(12, 0);
    group.writeUInt32BE(1, 12);
    group.writeUInt32BE(0x1f600, 16);
    group.writeUInt32BE(0x1f601, 20);
    const has = lettersOf(fontOf(group));
    expect([0x1f5ff, 0x1f600, 0x1f601, 0x1f602].filter(has)).toEqual([0x1f600, 0x1f601]);
  });

  it("are rejected with an error if the file lacks the table", () => {
    expect(() => lettersOf(Buffer.alloc(12))).toThrow("Expected a font with the table cmap");
  });
});
