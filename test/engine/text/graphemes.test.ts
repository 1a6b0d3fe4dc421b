import { describe, expect, it } from "vitest";
import { graphemes, isSimple } from "../../../source/engine/text/graphemes.ts";

const segmenter = new Intl.Segmenter();
const taken = (segments: Iterable<{ segment: string; index: number }>) =>
  Array.from(segments, ({ segment, index }) => [index, segment]);

describe("grapheme clusters of a text", () => {
  it("equal those of Intl.Segmenter in texts of any kind", () => {
    const texts = [
      "",
      "plain",
      "│ ▸ ✓ … │",
      "\x1b[31mred\x1b[39m",
      "a\r\nb",
      "e\u0301te",
      "👩‍👩‍👧🇨🇭",
      "한국어",
      "a\u200db",
      "\ud800x",
    ];
    for (const text of texts) expect(taken(graphemes(text))).toEqual(taken(segmenter.segment(text)));
  });

  it("equal those of Intl.Segmenter next to the characters that are treated as simple", () => {
    for (let code = 0x20; code < 0x3000; code++) {
      const character = String.fromCharCode(code);
      if (!isSimple(character)) continue;
      const text = `${character}${character}a${character}\x1b${character}│`;
      expect(taken(graphemes(text))).toEqual(taken(segmenter.segment(text)));
    }
  });

  it("equal those of Intl.Segmenter for Chinese and Japanese next to any other characters", () => {
    const shown = (segments: Iterable<{ segment: string }>) => Array.from(segments, ({ segment }) => segment).join("|");
    const different: string[] = [];
    for (let code = 0x3000; code < 0xffff; code++) {
      const character = String.fromCharCode(code);
      const text = `${character}${character}a${character}\x1b${character}│`;
      if (shown(graphemes(text)) !== shown(segmenter.segment(text))) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });

  it("can be found by their position", () => {
    for (const text of ["ab│", "e\u0301te"])
      for (let at = 0; at <= text.length; at++)
        expect(graphemes(text).containing(at)?.index).toBe(segmenter.segment(text).containing(at)?.index);
  });
});
